"""Writing, where it is hard: other runs, kills, full disks, read-only files and folders."""

from __future__ import annotations

import errno
import itertools
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from tschema.adoption.plan import Plan, Request, make_plan
from tschema.cli.main import main
from tschema.emit.format import Formatting
from tschema.output import files as output
from tschema.output.files import OutputError, compare, finish_interrupted, read_outputs, write
from tschema.output.lock import lock_for_reading, lock_for_writing
from tschema.pipeline.run import apply
from tschema.project.config import load_config

from ....fuzz.killing import killed_at

A, B = PurePosixPath("a.txt"), PurePosixPath("sub/deep/b.txt")
ROOT = Path(__file__).resolve().parents[4]

CONFIG = """\
package = "toy"
schema = ["schema"]

[python]
dir = "generated"

[rust]
mode = "in_place"
files = ["rust/*.rs"]
sidecar = "rust/side"
"""
CLASS = '''

@declare
class {name}Node(Object):
    """
    {doc}.

    Attributes
    ----------
    x
        A value.
    """

    type_key = "toy.{name}"
    x: ty.int64_t
'''
BLOCKS = "// mine\n// tschema: {0}Node\n// tschema: end\n// tschema: {0}\n// tschema: end\n"


def put(root: Path, new: dict[PurePosixPath, bytes]) -> None:
    old = read_outputs(root, new)
    write(root, new, compare(new, old), old)


def names(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*")}


def in_child(action: Callable[[], int]) -> int:
    """Run something in a process of its own; return its exit status, or minus its signal."""
    child = os.fork()
    if child == 0:
        status = 99
        try:
            status = action()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# -- Other runs ---------------------------------------------------------------------------------


def test_a_writer_waits_for_readers_and_writers(tmp_path: Path) -> None:
    for lock in (lock_for_reading, lock_for_writing):
        ready, steady = os.pipe()
        child = os.fork()
        if child == 0:
            with lock(tmp_path):
                os.write(steady, b".")
                time.sleep(0.3)
            os._exit(0)
        os.read(ready, 1)
        started = time.monotonic()
        put(tmp_path, {A: str(lock).encode()})
        assert time.monotonic() - started > 0.2
        os.waitpid(child, 0)


def test_readers_do_not_wait_for_each_other(tmp_path: Path) -> None:
    with lock_for_reading(tmp_path), lock_for_reading(tmp_path):
        pass


def test_the_lock_of_a_killed_process_is_no_obstacle(tmp_path: Path) -> None:
    def die() -> int:
        with lock_for_writing(tmp_path):
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    assert in_child(die) == -signal.SIGKILL
    put(tmp_path, {A: b"a"})
    assert names(tmp_path) == {"a.txt"}


def test_a_file_saved_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    put(tmp_path, {A: b"old"})
    old = read_outputs(tmp_path, [A])
    (tmp_path / A).write_bytes(b"saved")
    with pytest.raises(OutputError, match="has changed while tschema ran: run it again"):
        write(tmp_path, {A: b"new"}, compare({A: b"new"}, old), old)
    assert (tmp_path / A).read_bytes() == b"saved"


def make_project(root: Path, classes: Mapping[str, str], doc: str) -> None:
    """Make a project: classes and the schema file of each."""
    shutil.rmtree(root / "schema", ignore_errors=True)
    (root / "schema").mkdir(parents=True)
    (root / "rust").mkdir(exist_ok=True)
    (root / "tschema.toml").write_text(CONFIG)
    for file in sorted(set(classes.values())):
        text = '"""Nodes."""\n\nfrom tschema import Object, declare, ty\n'
        text += "".join(
            CLASS.format(name=name, doc=doc) for name, home in classes.items() if home == file
        )
        (root / "schema" / f"{file}.py").write_text(text)


def outputs(root: Path) -> dict[str, bytes]:
    folders = (root / "generated", root / "rust")
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("count", [2, 8])
def test_runs_at_once_do_not_mix(count: int, tmp_path: Path) -> None:
    wanted = []
    for version in ("one", "two"):
        root = tmp_path / version
        make_project(root, {"X": "x", "Y": "y", "Z": version}, f"Version {version}")
        (root / "tschema.toml").write_text(CONFIG.partition("[rust]")[0])
        target = tmp_path / f"only-{version}"
        arguments = ["gen", "--config", str(root / "tschema.toml"), "--out-dir"]
        assert main([*arguments, str(target)]) == 0
        wanted.append(outputs(target))
    shared = tmp_path / "shared"
    children = []
    for number in range(count):
        config = str(tmp_path / ("one", "two")[number % 2] / "tschema.toml")
        child = os.fork()
        if child == 0:
            status = 99
            try:
                status = main(["gen", "--config", config, "--out-dir", str(shared), "--discard"])
            finally:
                os._exit(status)
        children.append(child)
    statuses = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert 0 in statuses
    assert set(statuses) <= {0, 3}, statuses
    assert outputs(shared) in wanted


def test_a_run_that_makes_the_folder_meanwhile_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = []
    for version in ("one", "two"):
        make_project(tmp_path / version, {"X": "x", "Z": version}, f"Version {version}")
        config = load_config(tmp_path / version / "tschema.toml")
        requests.append(Request(config, frozenset({"python"}), out_dir=tmp_path / "shared"))
    one = make_plan(requests[0], lambda _stage: None)

    def read(root: Path, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, bytes]:
        if not root.exists():
            apply(one)
        return read_outputs(root, paths)

    monkeypatch.setattr(output, "read_outputs", read)
    two = make_plan(requests[1], lambda _stage: None)
    if not (tmp_path / "shared").exists():
        apply(one)
    with pytest.raises(OutputError, match="run it again"):
        apply(two)
    assert outputs(tmp_path / "shared") == {str(path): data for path, data in one.files.items()}


# -- Kills --------------------------------------------------------------------------------------


def plan_of(root: Path) -> Plan:
    return make_plan(Request(load_config(root / "tschema.toml")), lambda _stage: None)


def insert_region(path: Path, begin: bytes, text: bytes) -> None:
    head, marker, tail = path.read_bytes().partition(begin)
    first, custom, rest = tail.partition(b"custom-begin\n")
    path.write_bytes(head + marker + first + custom + text + rest)


def test_a_kill_at_any_file_operation_leaves_files_whole_and_the_next_run_heals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Formatting, "start", lambda *_: None)
    monkeypatch.setattr(Formatting, "finish", lambda _, texts: texts.items())
    start, root = tmp_path / "start", tmp_path / "root"
    make_project(start, {"X": "one", "Y": "one", "V": "two", "W": "two", "Z": "three"}, "Before")
    (start / "rust" / "mine.rs").write_text("".join(BLOCKS.format(name) for name in "XYVWZ"))
    apply(plan_of(start))
    mine = {"Y": b"    Y = 1\r\n", "V": b"    V = 1\n", "W": b"    W = 1\n"}
    for name, text in mine.items():
        file = "one.py" if name == "Y" else "two.py"
        insert_region(start / "generated/toy_nodes" / file, f"class {name}(".encode(), text)
    # Y and V change places, W moves to a file of its own, and Z goes with its file.
    make_project(start, {"X": "one", "V": "one", "Y": "two", "W": "four"}, "After")
    shutil.copytree(start, root)
    before = outputs(root)
    plan = plan_of(root)
    interim = {path.as_posix(): data for path, data in plan.changes.interim.items()}
    after = {path.as_posix(): data for path, data in plan.files.items()}
    assert len(interim) == 3
    operations = 1
    while in_child(partial(_apply_and_die, plan, operations)) != 0:
        found = outputs(root)
        for path in before.keys() | after.keys():
            assert found.get(path) in (before.get(path), after.get(path), interim.get(path))
        for text in mine.values():
            assert any(text in data for data in found.values())
        healed = plan_of(root)
        assert not healed.edits
        apply(healed)
        assert outputs(root) == after
        operations += 1
        shutil.rmtree(root)
        shutil.copytree(start, root)
    assert outputs(root) == after
    assert operations > 20


@pytest.mark.parametrize("count", [1, 2, 3])
def test_folders_that_a_failing_removal_left_go_with_the_next_command(
    count: int, tmp_path: Path
) -> None:
    old = {A: b"a", B: b"b", PurePosixPath("sub/c.txt"): b"c", PurePosixPath("sub/e/d.txt"): b"d"}
    put(tmp_path, old)
    unlink, calls = os.unlink, itertools.count()

    def failing(*arguments: Any, **options: Any) -> None:
        # The first file to be removed is `a.txt`.
        if Path(arguments[0]).suffix == ".txt" and next(calls) == count:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        unlink(*arguments, **options)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(OutputError, match="goes on from"):
        patch.setattr(os, "unlink", failing)
        write(tmp_path, {}, compare({}, old), old)
    assert finish_interrupted(tmp_path) == len(old) - count
    assert names(tmp_path) == set()


def _apply_and_die(plan: Plan, operation: int) -> int:
    with killed_at(operation, die=lambda: os.kill(os.getpid(), signal.SIGKILL)):
        apply(plan)
    return 0


# -- What cannot be written ---------------------------------------------------------------------


def test_a_read_only_file_is_a_clear_error(tmp_path: Path) -> None:
    put(tmp_path, {A: b"a", B: b"b"})
    (tmp_path / B).chmod(0o444)
    with pytest.raises(OutputError, match=r"cannot write `sub/deep/b\.txt`: the file is read-only"):
        put(tmp_path, {A: b"new", B: b"new"})
    assert (tmp_path / A).read_bytes() == b"a"
    assert (tmp_path / B).read_bytes() == b"b"


@pytest.mark.parametrize("folder", ["sub/deep", "sub"])
def test_a_read_only_folder_is_a_clear_error(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder).chmod(0o555)
    try:
        with pytest.raises(OutputError, match=r"sub/deep/b\.txt`: its folder is read-only"):
            put(tmp_path, {A: b"new", B: b"new"})
        assert not (tmp_path / A).exists()
    finally:
        (tmp_path / folder).chmod(0o755)


def test_an_unreadable_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / A).mkdir()
    with pytest.raises(OutputError, match=r"cannot read `a\.txt`: Is a directory"):
        put(tmp_path, {A: b"new"})


def test_a_folder_that_stands_in_the_way_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / A).mkdir()
    with pytest.raises(OutputError, match=r"cannot write `a\.txt`: Is a directory"):
        write(tmp_path, {A: b"a", B: b"b"}, compare({A: b"a", B: b"b"}, {}))
    assert names(tmp_path) == {"a.txt"}


def test_missing_folders_are_made_and_go_again_after_a_failure(tmp_path: Path) -> None:
    root = tmp_path / "out" / "dir"
    with killed_at(6, OSError(28, "No space left on device")), pytest.raises(OutputError):
        put(root, {B: b"b", A: b"a"})
    assert names(tmp_path) == set()
    put(root, {B: b"b"})
    assert (root / B).read_bytes() == b"b"


def test_a_full_disk_is_a_clear_error_and_nothing_is_lost(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path, PurePosixPath\n"
        "from tschema.output.files import compare, write, OutputError\n"
        "root = Path(sys.argv[1])\n"
        "(root / 'a.txt').write_bytes(b'old')\n"
        "new = {PurePosixPath('a.txt'): b'new', PurePosixPath('b/c.txt'): b'x' * 200_000}\n"
        "try:\n"
        "    write(root, new, compare(new, {}))\n"
        "except OutputError as error:\n"
        "    print(error)\n"
        "print(sorted(p.name for p in root.rglob('*')), (root / 'a.txt').read_bytes())\n"
    )
    said = run_on_small_disk(tmp_path, script)
    assert "cannot write `b/c.txt`: No space left on device" in said or "File too large" in said
    assert said.endswith("['a.txt'] b'old'\n")


def run_on_small_disk(folder: Path, script: str) -> str:
    """Run a script with a disk of 64 KiB; with a limit on files where none can be mounted."""
    mount = f'mount -t tmpfs -o size=64k none "{folder}" && exec "$@"'
    command = [sys.executable, "-c", script, str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    mounted = ["unshare", "-m", "sh", "-c", mount, "sh", *command]
    done = subprocess.run(mounted, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)),
        )
    assert done.returncode == 0, done.stderr
    return done.stdout
