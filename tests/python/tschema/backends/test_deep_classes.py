"""Long chains of classes: each one says its own part, and a compiler gets by with a gigabyte."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest
import tvm_ffi.libinfo

from tschema.backends.cpp.backend import emit
from tschema.emit.render import Renderer
from tschema.project.config import CppTarget

from ...support.precompiled import cxx_flags
from ...support.process import run_python
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


def test_the_constructor_of_a_deep_class_sets_its_own_members(tmp_path: Path) -> None:
    write_chain(tmp_path, 20)
    text = (tmp_path / "src/nodes.cc").read_text()
    body = text.partition("void SetMembersOfL19(")[2].partition("\n}")[0]
    assert "  SetMembersOfL18(node, arguments);" in body
    assert "  node->x19 = arguments.Get<int64_t>(19);" in body
    assert "x18" not in body
    assert "&tschema::SetMembers<L19Node, &SetMembersOfL19>" in text
    assert "&tschema::New<L10Node, int64_t," in text
    assert "void SetMembersOfL10(" not in text


KINDS = {
    "Array[ty.String]": "[str(level)]",
    "ty.Optional[RootNode]": "None",
    "ty.float64": "level + 0.5",
    "ty.Any": "(level,)",
    "ty.bool": "True",
}
"""Types of fields to arguments."""

USE_CHAIN = """
import pickle, sys
from tschema.runtime import load_types
toy = load_types(sys.argv[1])
values = [eval(text, {"level": level}) for level, text in enumerate(sys.argv[2].split(";"))]
names = [f"x{level}" for level in range(len(values))]
one = toy.L24(*values[:-1])
assert repr(one) == repr(toy.L24(**dict(zip(reversed(names), reversed(values)))))
assert repr(pickle.loads(pickle.dumps(one))) == repr(one)
print(one)
values[17] = "a text"
try:
    toy.L24(*values)
except TypeError as error:
    print(str(error).splitlines()[-1])
"""


@pytest.mark.long
def test_a_deep_class_is_made_of_its_arguments(tmp_path: Path) -> None:
    depth, types = 25, list(KINDS)
    text, base = '"""Levels."""\n\nfrom tschema import Object, declare, ty\n', "RootNode"
    text = text.replace("ty\n", "ty\nfrom tschema.ty import Array\n") + "\n\n" + ROOT_TYPE
    for level in range(depth):
        text += f'\n\n@declare\nclass L{level}Node({base}):\n    """A level."""\n'
        text += f'    type_key = "toy.L{level}"\n    x{level}: {types[level % len(types)]}'
        text += " = False\n" if level == depth - 1 else "\n"
        base = f"L{level}Node"
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema/nodes.py").write_text(text)
    command = [sys.executable, "-m", "tschema", "build", "schema", "-o", "out/libtoy.so"]
    environment = {"PYTHONPATH": str(ROOT), "CXXFLAGS": shlex.join(cxx_flags())}
    subprocess.run(command, cwd=tmp_path, env={**os.environ, **environment}, check=True)
    values = [KINDS[types[level % len(types)]] for level in range(depth - 1)] + ["False"]
    made = tmp_path / "out/schema.json"
    lines = run_python(USE_CHAIN, made, ";".join(values)).splitlines()
    assert lines[0].startswith('toy.L24(x0=("0",), x1=None, x2=2.5, x3=(3,), x4=True')
    assert lines[0].endswith("x22=22.5, x23=(23,), x24=False)")
    assert lines[1] == "toy.L24: argument `x17` must be `float64`, not `String`"


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
    assert used.ru_maxrss < 640 * 1024  # kB; 460 MB, and 770 MB with constructors of all members.
    assert used.ru_utime < 30  # Seconds; 11 on cores that others use too, and 32.
