"""Long chains of classes: each one says its own part, and a compiler gets by with a gigabyte."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest
import tvm_ffi.libinfo

from tschema.backends.cpp.backend import emit
from tschema.emit.render import Renderer
from tschema.project.config import CppTarget

from ...support.project import ROOT
from ...support.schemas import ROOT_TYPE, build

TARGET = CppTarget("files", PurePosixPath("include"), PurePosixPath("src"))


def write_chain(folder: Path, depth: int) -> str:
    """Write the C++ of a chain of classes with a field each; return the header."""
    text, base = ROOT_TYPE, "RootNode"
    for level in range(depth):
        text += f'\n\n@declare\nclass L{level}Node({base}):\n    """A level."""\n'
        text += f'    type_key = "toy.L{level}"\n    x{level}: ty.int64_t\n'
        base = f"L{level}Node"
    for file in emit(build(folder, {"nodes.py": text}), TARGET, Renderer()):
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    return (folder / "include/toy/nodes.h").read_text()


def body_of(text: str, name: str) -> str:
    return text.partition(f"class {name} : ")[2].partition("\n};")[0]


def test_a_deep_class_calls_its_parent(tmp_path: Path) -> None:
    text = write_chain(tmp_path, 20)
    shallow, deep = body_of(text, "L14Node"), body_of(text, "L19Node")
    assert 'v->Visit("x0", &x0);' in shallow
    assert "noinline" not in shallow
    assert "L18Node::VisitAttrs(v);" in deep
    assert 'v->Visit("x19", &x19);' in deep
    assert '"x18"' not in deep
    assert "return L18Node::SEqualReduce(other, equal) && equal(x19, other->x19);" in deep
    assert "L18Node::SHashReduce(hash_reduce);" in deep
    assert "[[gnu::noinline]] L19Node(" in deep


def test_what_is_said_of_a_class_grows_as_its_depth(tmp_path: Path) -> None:
    lines = [write_chain(tmp_path / str(depth), depth).count("\n") for depth in (20, 40, 80)]
    assert lines[2] - lines[1] < 2.2 * (lines[1] - lines[0])


@pytest.mark.deep
def test_200_levels_compile_within_a_gigabyte(tmp_path: Path) -> None:
    write_chain(tmp_path, 200)
    system = [f"-isystem{folder}" for folder in tvm_ffi.libinfo.include_paths()]
    own = [f"-I{ROOT / 'cpp/include'}", f"-I{tmp_path / 'include'}"]
    source, output = tmp_path / "src/nodes.cc", tmp_path / "nodes.o"
    command = ["g++", "-std=c++17", "-O2", *own, *system, "-c", str(source), "-o", str(output)]
    child = os.posix_spawnp("g++", command, os.environ)
    _, status, used = os.wait4(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert used.ru_maxrss < 1024 * 1024  # kB.
    assert used.ru_utime < 90  # 150 s before; 36 s on two cores that others use too.
