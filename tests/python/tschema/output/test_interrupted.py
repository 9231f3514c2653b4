"""A command that is killed, or meets a full disk, while it writes: the next command finishes it.

Each run is a process of its own, which dies by SIGKILL at one of its file operations.
"""

from __future__ import annotations

import errno
import os
import re
import resource
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import tschema.importer.headers  # noqa: F401  A fork has what the parent imported.
from tschema.cli.commands import COMMANDS, load_command
from tschema.cli.entry import main
from tschema.incremental.stamp import JOURNAL

from ....fuzz.killing import killed_at
from ...support.depth import DEPTH
from ..conftest import CONFIG, SCHEMA, replace

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_OPERATIONS = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod")
_SHORT = ("rename", "fix")
"""Commands that are killed at every operation in each run of the tests, others in deep ones."""
USER = '''\
"""Users of points."""

from schema.ir.shape import PointNode
from tschema import Object, declare


@declare
class LineNode(Object):
    """
    A line.

    Attributes
    ----------
    begin
        Where it begins; a `Point`.
    """

    type_key = "toy.ir.Line"
    begin: PointNode
'''
HEADER = """\
#include <tvm/ffi/object.h>
namespace {0} {{
/*! \\brief A leaf. */
class LeafNode : public tvm::ffi::Object {{
 public:
  int64_t size;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("{0}.Leaf", LeafNode, tvm::ffi::Object);
}};
}}
"""


@pytest.fixture(autouse=True, scope="module")
def loaded_commands() -> None:
    """Import what the commands do: every process of this file is a fork of this one."""
    for name in COMMANDS:
        load_command(name)


def make_project(root: Path) -> None:
    (root / "schema" / "ir").mkdir(parents=True)
    (root / "tschema.toml").write_text(CONFIG)
    (root / "schema" / "ir" / "shape.py").write_text(SCHEMA)
    (root / "schema" / "ir" / "user.py").write_text(USER)


def prepare_rename(root: Path) -> list[str]:
    make_project(root)
    return ["rename", "toy.ir.Point", "Spot"]


def prepare_gen(root: Path) -> list[str]:
    make_project(root)
    run(root, ["gen"])
    replace(root / "schema/ir/shape.py", "x: ty.int64_t", "x: ty.int32_t")
    replace(root / "schema/ir/user.py", "Where it begins", "Its begin")
    (root / "schema/ir/user.py").rename(root / "schema/ir/line.py")
    # The results of the formatter are known: the tests wait for no other program.
    other = root.with_name("other")
    shutil.copytree(root, other)
    run(other, ["gen"])
    shutil.copy(other / ".tschema_cache/store", root / ".tschema_cache/store")
    shutil.rmtree(other)
    return ["gen"]


def prepare_fix(root: Path) -> list[str]:
    make_project(root)
    replace(root / "schema/ir/shape.py", "x: ty.int64_t", "x: ty.int65_t")
    replace(root / "schema/ir/user.py", "begin: PointNode", "begin: PointNod")
    return ["fix"]


def prepare_import(root: Path) -> list[str]:
    for name in ("oak", "elm"):
        (root / name).mkdir(parents=True)
        (root / name / "leaf.h").write_text(HEADER.format(name))
    return ["import", "--headers", "oak", "elm"]


def prepare_new(root: Path) -> list[str]:
    root.mkdir(parents=True)
    return ["new", "toy"]


def run(root: Path, arguments: list[str]) -> None:
    status, text = in_child(root, arguments)
    assert status == 0, text


def in_child(root: Path, arguments: list[str], before: Callable[[], Any] = lambda: None) -> Any:
    """Run a command in a process of its own; return its status, or minus its signal, and output."""
    output = root.parent / "output.txt"
    child = os.fork()
    if child == 0:
        status = 99
        try:
            descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(descriptor, 1)
            os.dup2(descriptor, 2)
            sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
            os.chdir(root)
            before()
            status = main(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return status, output.read_text()


def die_at(operation: int, root: Path) -> None:
    """Have this process killed before one of its file operations below a folder, from 1 on."""
    count = 0

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        is_write = event in _OPERATIONS or (event == "open" and bool(arguments[2] & _WRITES))
        if is_write and isinstance(arguments[0], str) and _is_below(arguments[0], root):
            count += 1
            if count == operation:
                os.write(2, f"{event} {arguments}".encode())
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def fail_at(operation: int) -> None:
    """Have one of the file operations of this process find the disk full."""
    killed_at(operation, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))).__enter__()


def _is_below(path: str, root: Path) -> bool:
    return os.path.abspath(path).startswith(f"{root}{os.sep}") and ".tschema_cache" not in path


def files_of(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if ".tschema_cache" not in path.parts)
    return {str(path.relative_to(root)): path.read_bytes() for path in found if path.is_file()}


def kills(root: Path, arguments: list[str]) -> Iterator[str]:
    """Kill a run at each of its file operations, in a folder that is as it was before it."""
    start = root.with_name("start")
    shutil.copytree(root, start)
    for operation in range(1, 200, 1 if arguments[0] in _SHORT or DEPTH > 1 else 3):
        status, text = in_child(root, arguments, partial(die_at, operation, root))
        if status == 0:
            assert operation > 6
            return
        assert status == -signal.SIGKILL, text
        yield text
        shutil.rmtree(root)
        shutil.copytree(start, root)
    raise AssertionError("it does not end")


def wanted_files(root: Path, arguments: list[str]) -> dict[str, bytes]:
    """Return what a run makes that is not killed."""
    other = root.with_name("wanted")
    shutil.copytree(root, other)
    run(other, arguments)
    return files_of(other)


@pytest.mark.parametrize(
    "prepare", [prepare_rename, prepare_fix, prepare_gen, prepare_import, prepare_new]
)
def test_the_next_command_finishes_what_a_kill_left(
    prepare: Callable[[Path], list[str]], tmp_path: Path
) -> None:
    root = tmp_path / "project"
    arguments = prepare(root)
    before, after = files_of(root), wanted_files(root, arguments)
    finished = 0
    for killed in kills(root, arguments):
        is_begun = any(root.rglob(JOURNAL)) or files_of(root) == after
        status, text = in_child(root, arguments)
        is_refused = "declares no" in text or "is not an empty folder" in text
        found = files_of(root)
        assert found == after, text
        # What was finished is not there to be done again; what had not begun is done now.
        assert status == (2 if is_refused else 0), text
        assert not is_refused or is_begun, killed
        finished += "finished an interrupted run" in text
    assert before != after
    assert finished > 0


def test_every_command_finishes_a_rename_and_says_so(tmp_path: Path) -> None:
    for number, arguments in enumerate([["gen"], ["ir"], ["gen", "--check"], ["fix"]]):
        root = tmp_path / str(number) / "project"
        rename = prepare_rename(root)
        after = wanted_files(root, rename)
        kill_between_the_renames(root, rename)
        status, text = in_child(root, arguments)
        assert status == (1 if "--check" in arguments else 0), text
        assert re.search(r"tschema: finished an interrupted run in `.*/project`: 1 file\n", text)
        assert {path: files_of(root)[path] for path in after} == after


def kill_between_the_renames(root: Path, arguments: list[str]) -> None:
    """Kill a run that replaces two files after it has replaced the first."""
    start = files_of(root)
    for _ in kills(root, arguments):
        changed = [path for path, data in start.items() if files_of(root)[path] != data]
        if changed:
            assert len(changed) == 1
            return
    raise AssertionError("nothing was renamed")


def test_a_stamp_of_the_run_before_does_not_hide_the_journal(tmp_path: Path) -> None:
    root = tmp_path / "project"
    rename = prepare_rename(root)
    run(root, ["gen"])
    run(root, ["gen"])
    assert any((root / JOURNAL).exists() for _ in kills(root, rename))
    status, text = in_child(root, ["gen"])
    assert status == 0
    assert "finished an interrupted run" in text
    assert b"class SpotNode" in (root / "schema/ir/shape.py").read_bytes()


def test_a_file_that_was_saved_after_the_kill_stays(tmp_path: Path) -> None:
    root = tmp_path / "project"
    rename = prepare_rename(root)
    after = wanted_files(root, rename)
    kill_between_the_renames(root, rename)
    left = next(path for path in after if files_of(root)[path] != after[path])
    (root / left).write_bytes(b"# Saved.\n")
    status, text = in_child(root, ["ir"])
    assert status == 3
    assert f"but `{left}` had been saved since and was left alone" in text
    assert (root / left).read_bytes() == b"# Saved.\n"
    assert (root / f"{left}.interrupted").read_bytes() == after[left]
    assert not (root / JOURNAL).exists()
    # The next command works on what is there.
    assert "interrupted" not in in_child(root, ["ir"])[1]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{}",
        b"\xff",
        b'{"version": 2, "steps": [], "removed": [], "states": {}}',
        b'{"version": 1, "steps": [], "removed": ["a"], "states": {}}',
    ],
)
def test_a_journal_that_is_none_is_a_clear_error(text: bytes, tmp_path: Path) -> None:
    root = tmp_path / "project"
    make_project(root)
    (root / JOURNAL).write_bytes(text)
    status, said = in_child(root, ["ir"])
    assert status == 3
    assert f"{JOURNAL}` is not a list of files that an interrupted run left" in said
    assert "Traceback" not in said


def test_a_journal_does_not_lead_out_of_its_folder(tmp_path: Path) -> None:
    root = tmp_path / "project"
    make_project(root)
    (tmp_path / "mine").write_bytes(b"")
    (root / JOURNAL).write_text(
        '{"version": 1, "steps": [], "removed": ["../mine"], "states": {"../mine": [""]}}'
    )
    status, said = in_child(root, ["ir"])
    assert status == 3
    assert "output path `../mine` is outside" in said
    assert (tmp_path / "mine").exists()


# -- Full disks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("prepare", [prepare_rename, prepare_gen])
def test_a_full_disk_at_any_operation_is_an_error_and_nothing_is_lost(
    prepare: Callable[[Path], list[str]], tmp_path: Path
) -> None:
    root, start = tmp_path / "project", tmp_path / "start"
    arguments = prepare(root)
    before, after = files_of(root), wanted_files(root, arguments)
    shutil.copytree(root, start)
    for operation in range(1, 200, 1 if DEPTH > 1 else 4):
        status, text = in_child(root, arguments, partial(fail_at, operation))
        if status != 0:
            assert status == 3
            assert re.search(r"tschema: cannot write `.+`: No space left on device", text), text
            assert "Traceback" not in text
            if not (root / JOURNAL).exists():
                assert files_of(root) == before
            else:
                assert "the next command of tschema goes on from there" in text
            in_child(root, arguments)
        assert files_of(root) == after
        shutil.rmtree(root)
        shutil.copytree(start, root)
        if status == 0 and operation > 30:
            break


def test_a_disk_without_room_for_the_files_is_an_error(tmp_path: Path) -> None:
    root = tmp_path / "project"
    arguments = prepare_gen(root)
    before = files_of(root)
    status, text = in_child(
        root, arguments, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    )
    assert status == 3
    assert re.search(r"cannot write `generated/\S+`: File too large", text), text
    assert files_of(root) == before
    run(root, arguments)


def test_a_full_disk_of_temporary_files_is_an_error(tmp_path: Path) -> None:
    root = tmp_path / "project"
    make_project(root)
    before = files_of(root)
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def fill(event: str, arguments: tuple[Any, ...]) -> None:
        path = arguments[0] if event == "open" and arguments[2] & _WRITES else ""
        if isinstance(path, str) and f"{os.sep}tschema-" in path:
            raise full

    status, text = in_child(root, ["gen"], lambda: sys.addaudithook(fill))
    assert status == 3
    assert re.search(r"tschema: cannot write `.+`: No space left on device\n", text), text
    assert "Traceback" not in text
    assert files_of(root) == before
