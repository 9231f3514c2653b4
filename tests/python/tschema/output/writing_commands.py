"""Commands that write several files, each in a project of its own, run in a forked process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import tschema.importer.headers  # noqa: F401  A fork has what the parent imported.
from tschema.cli.commands import COMMANDS, load_command
from tschema.cli.entry import main

from ..conftest import CONFIG, SCHEMA, replace

__all__ = [
    "PREPARED",
    "files_of",
    "in_child",
    "is_refused",
    "loaded_commands",
    "make_project",
    "prepare_gen",
    "prepare_rename",
    "run",
    "start",
    "wanted_files",
]

FARM = Path(__file__).parents[1] / "adoption/inplace/farm"
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
    """Import what the commands do: every process of these files is a fork of this one."""
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


def prepare_init(root: Path) -> list[str]:
    root.mkdir(parents=True)
    (root / "leaf.h").write_text(HEADER.format("toy"))
    subprocess.run(["git", "init", "-q"], check=True, cwd=root)
    return ["init"]


def prepare_adopt(root: Path) -> list[str]:
    shutil.copytree(FARM, root)
    return ["gen", "--adopt"]


PREPARED: Mapping[str, Callable[[Path], list[str]]] = {
    "rename": prepare_rename,
    "fix": prepare_fix,
    "gen": prepare_gen,
    "import": prepare_import,
    "new": prepare_new,
    "init": prepare_init,
    "adopt": prepare_adopt,
}
"""What makes a project and returns the arguments of a command, by its name."""
_DONE_BEFORE = ("declares no", "is not an empty folder", "configures tschema here already")


def is_refused(said: str) -> bool:
    """Return whether a command says that what it would do has been done."""
    return any(text in said for text in _DONE_BEFORE)


def run(root: Path, arguments: list[str]) -> None:
    status, text = in_child(root, arguments)
    assert status == 0, text


def in_child(root: Path, arguments: list[str], before: Callable[[], Any] = lambda: None) -> Any:
    """Run a command in a process of its own; return its status, or minus its signal, and output."""
    output = root.parent / "output.txt"
    child = start(root, arguments, output, before)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), output.read_text()


def start(
    root: Path, arguments: list[str], output: Path, before: Callable[[], Any] = lambda: None
) -> int:
    """Start a command in a process of its own; return the number of the process."""
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
    return child


_HIDDEN = {".tschema_cache", ".git"}


def files_of(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if not _HIDDEN.intersection(path.parts))
    return {str(path.relative_to(root)): path.read_bytes() for path in found if path.is_file()}


def wanted_files(root: Path, arguments: list[str]) -> dict[str, bytes]:
    """Return what a run makes that is not killed."""
    other = root.with_name("wanted")
    shutil.copytree(root, other)
    run(other, arguments)
    return files_of(other)
