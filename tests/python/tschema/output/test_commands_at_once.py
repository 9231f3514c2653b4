"""Two commands that write in one project at once: each does all of its work, or says why not."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from .writing_commands import (
    PREPARED,
    files_of,
    is_refused,
    loaded_commands,  # noqa: F401
    run,
    start,
)

_RENAME = ["rename", "toy.ir.Label", "Text"]
_PAIRS = {
    "rename, rename": ("rename", _RENAME),
    "rename, gen": ("rename", ["gen"]),
    "fix, fix": ("fix", ["fix"]),
    "gen, rename": ("gen", _RENAME),
    "import, import": ("import", ["import", "--headers", "elm", "oak"]),
    "new, new": ("new", ["new", "toy"]),
    "init, init": ("init", ["init"]),
}


def in_turn(root: Path, *commands: list[str]) -> dict[str, bytes]:
    """Return what commands make one after the other, of which the last may have nothing to do."""
    other = root.with_name("other")
    shutil.copytree(root, other)
    run(other, commands[0])
    os.waitpid(start(other, commands[1], root.with_name("said.txt")), 0)
    found = files_of(other)
    shutil.rmtree(other)
    return found


@pytest.mark.parametrize("pair", _PAIRS)
def test_both_do_their_work_or_say_why_not(pair: str, tmp_path: Path) -> None:
    root, begun = tmp_path / "project", tmp_path / "begun"
    name, second = _PAIRS[pair]
    first = PREPARED[name](root)
    orders = [in_turn(root, first, second), in_turn(root, second, first)]
    shutil.copytree(root, begun)
    for _ in range(3):
        outputs = [tmp_path / "first.txt", tmp_path / "second.txt"]
        children = [
            start(root, arguments, output)
            for arguments, output in zip((first, second), outputs, strict=True)
        ]
        for child, arguments, output in zip(children, (first, second), outputs, strict=True):
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            said = output.read_text()
            assert "Traceback" not in said
            if status == 3:
                assert "has changed while tschema ran: run it again" in said
                run(root, arguments)
            else:
                assert status == 0 or (status == 2 and is_refused(said)), said
        assert files_of(root) in orders
        shutil.rmtree(root)
        shutil.copytree(begun, root)
