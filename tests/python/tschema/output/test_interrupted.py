"""A command that is killed, or interrupted, while it writes: the next command finishes it.

Each run is a process of its own, which gets a signal at one of its file operations.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tschema.incremental.stamp import JOURNAL

from ...support.depth import DEPTH
from .writing_commands import (
    PREPARED,
    files_of,
    in_child,
    is_refused,
    loaded_commands,  # noqa: F401
    make_project,
    prepare_rename,
    run,
    wanted_files,
)

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_OPERATIONS = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod")
_STEPS = {"Spot": 1, "fix": 2, "init": 2, "--adopt": 27}
"""Last arguments to the distances between operations in each run of the tests; 1 in deep ones."""


def signal_at(operation: int, root: Path, number: signal.Signals) -> None:
    """Have this process get a signal before one of its file operations, from 1 on."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    count = 0

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        is_write = event in _OPERATIONS or (event == "open" and bool(arguments[2] & _WRITES))
        if is_write and isinstance(arguments[0], str) and _is_below(arguments[0], root):
            count += 1
            if count == operation:
                os.write(2, f"{event} {arguments}".encode())
                os.kill(os.getpid(), number)

    sys.addaudithook(hook)


def _is_below(path: str, root: Path) -> bool:
    return os.path.abspath(path).startswith(f"{root}{os.sep}") and ".tschema_cache" not in path


def ended_runs(root: Path, arguments: list[str], number: signal.Signals) -> Iterator[str]:
    """Run a command with a signal at each of its file operations, each time in the first folder."""
    start = root.with_name("start")
    shutil.copytree(root, start)
    ends_with = 130 if number == signal.SIGINT else -number
    step = 1 if DEPTH > 1 else _STEPS.get(arguments[-1], 3 if number == signal.SIGKILL else 4)
    for operation in range(1, 200, step):
        status, text = in_child(root, arguments, partial(signal_at, operation, root, number))
        if status == 0:
            assert operation > 6
            return
        assert status == ends_with, text
        yield text
        shutil.rmtree(root)
        shutil.copytree(start, root)
    raise AssertionError("it does not end")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("name", PREPARED)
def test_the_next_command_finishes_what_a_signal_left(
    name: str, number: signal.Signals, tmp_path: Path
) -> None:
    root = tmp_path / "project"
    arguments = PREPARED[name](root)
    before, after = files_of(root), wanted_files(root, arguments)
    finished = 0
    for ended in ended_runs(root, arguments, number):
        has_journal = any(root.rglob(JOURNAL))
        is_begun = has_journal or files_of(root) == after
        if number == signal.SIGINT:
            assert "Traceback" not in ended
            assert ("the next command of tschema goes on from there" in ended) == has_journal
        status, text = in_child(root, arguments)
        found = files_of(root)
        assert found == after, text
        # What was finished is not there to be done again; what had not begun is done now.
        assert status == (2 if is_refused(text) else 0), text
        assert not is_refused(text) or is_begun, ended
        finished += "finished an interrupted run" in text
    assert before != after
    assert finished > 0 or name == "init"  # That writes one file last.


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
    for _ in ended_runs(root, arguments, signal.SIGKILL):
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
    assert any((root / JOURNAL).exists() for _ in ended_runs(root, rename, signal.SIGKILL))
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
