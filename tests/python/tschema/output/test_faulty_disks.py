"""Commands that write several files, where they may not: full disks, folders without permission."""

from __future__ import annotations

import errno
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tschema.incremental.stamp import JOURNAL

from ....fuzz.killing import killed_at
from ...support.depth import DEPTH
from ...support.project import ROOT
from .writing_commands import (
    PREPARED,
    files_of,
    in_child,
    is_refused,
    loaded_commands,  # noqa: F401
    make_project,
    prepare_gen,
    run,
    wanted_files,
)

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_FAULTS = (errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO)
_FEWER = {"rename": 4, "gen": 6, "adopt": 25}
"""Commands to the distances between operations that fail in each run of the tests."""


def fail_at(operation: int, fault: int, kept: list[object]) -> None:
    """Have one of the file operations of this process fail."""
    kept.append(killed_at(operation, OSError(fault, os.strerror(fault))))
    kept[-1].__enter__()  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", PREPARED)
def test_a_fault_at_any_operation_is_an_error_and_nothing_is_lost(
    name: str, tmp_path: Path
) -> None:
    root, start = tmp_path / "project", tmp_path / "start"
    arguments = PREPARED[name](root)
    before, after = files_of(root), wanted_files(root, arguments)
    shutil.copytree(root, start)
    failed = 0
    for turn, operation in enumerate(range(1, 200, 1 if DEPTH > 1 else _FEWER.get(name, 5))):
        fault = _FAULTS[turn % len(_FAULTS)]
        status, text = in_child(root, arguments, partial(fail_at, operation, fault, []))
        if status != 0:
            failed += 1
            assert status == 3
            assert re.search(f"tschema: cannot write `.+`: {os.strerror(fault)}", text), text
            assert "Traceback" not in text
            has_journal = any(root.rglob(JOURNAL))
            assert ("the next command of tschema goes on from there" in text) == has_journal
            assert has_journal or files_of(root) in (before, after) or name == "init"
            status, text = in_child(root, arguments)
            assert status == 0 or is_refused(text)
        assert files_of(root) == after
        shutil.rmtree(root)
        shutil.copytree(start, root)
        if status == 0 and failed and operation > 40:
            break
    assert failed > 1


@pytest.mark.parametrize("name", PREPARED)
def test_a_folder_that_may_not_be_written_is_an_error(name: str, tmp_path: Path) -> None:
    root = tmp_path / "project"
    arguments = PREPARED[name](root)
    before, after = files_of(root), wanted_files(root, arguments)
    status, text = run_read_only(root, arguments)
    assert status == 3, text
    assert re.search(r"cannot write `.+`: (Read-only file system|.+ read-only)", text), text
    assert "Traceback" not in text
    assert files_of(root) == before
    run(root, arguments)
    assert files_of(root) == after


def run_read_only(root: Path, arguments: list[str]) -> tuple[int, str]:
    """Run a command in a folder that is mounted read-only, or that has no permissions to write."""
    folder = shlex.quote(str(root))
    mount = f"mount --bind {folder} {folder} && mount -o remount,bind,ro {folder}"
    user = [] if os.getuid() == 0 else ["-r"]
    can_mount = subprocess.run(["unshare", "-m", *user, "sh", "-c", mount], capture_output=True)
    if can_mount.returncode != 0:
        for place in (root, *(one for one in root.rglob("*") if one.is_dir())):
            place.chmod(0o555)
        try:
            return in_child(root, arguments)  # type: ignore[no-any-return]
        finally:
            for place in (root, *root.rglob("*")):
                place.chmod(0o755 if place.is_dir() else 0o644)
    command = f"{mount} && cd {folder} && exec " + shlex.join(
        [sys.executable, "-m", "tschema", *arguments]
    )
    done = subprocess.run(
        ["unshare", "-m", *user, "sh", "-c", command],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


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
