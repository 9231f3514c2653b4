"""`tschema gen --adopt --try`: nothing is written where a file would no longer compile."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
import tvm_ffi.libinfo

from tests.python.support.precompiled import cxx_flags

from ..conftest import IN_PLACE_CONFIG, Project, replace

SCHEMA = '''\
"""Points."""

from tschema import Object, declare, field, ty


@declare
class PointNode(Object):
    """A point."""

    type_key = "toy.Point"
    final = True
    register = "hand"
    ref = None
    x: ty.int64_t = field(doc="Its place.", cpp_type="Index")


@declare
class SideNode(Object):
    """A side."""

    type_key = "toy.Side"
    register = "hand"
    ref = None
    y: ty.int64_t = field(doc="Its place.")
'''
POINT = """\
#pragma once
#include <tvm/ffi/tvm_ffi.h>
namespace toy {
using Index = int32_t;
class PointNode : public tvm::ffi::Object {
 public:
  Index x;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.Point", PointNode, tvm::ffi::Object);
};
}  // namespace toy
"""
BROKEN = """\
#pragma once
#include <tvm/ffi/tvm_ffi.h>
namespace toy {
class SideNode : public tvm::ffi::Object {
 public:
  int64_t y;
  Unknown* more();
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.Side", SideNode, tvm::ffi::Object);
};
}  // namespace toy
"""

LOCKED = """\
#pragma once
#include <tvm/ffi/tvm_ffi.h>
#define TOY_NO_COPIES(T) T(const T&) = delete
namespace toy {
class SideNode : public tvm::ffi::Object {
 public:
  int64_t y;
  SideNode() = default;
  TOY_NO_COPIES(SideNode);
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.Side", SideNode, tvm::ffi::Object);
};
}  // namespace toy
"""


@pytest.fixture
def base(project: Project) -> Project:
    """Make a code base with one class that the schema has wrong, and one that does not compile."""
    project.schema.unlink()
    files: Mapping[str, str] = {
        "tschema.toml": IN_PLACE_CONFIG,
        "schema/shape.py": SCHEMA,
        "include/toy/point.h": POINT,
        "include/toy/side.h": BROKEN,
    }
    for path, text in files.items():
        (project.root / path).parent.mkdir(parents=True, exist_ok=True)
        (project.root / path).write_text(text)
    includes = [f"-isystem{folder}" for folder in tvm_ffi.libinfo.include_paths()]
    entry = {
        "directory": str(project.root / "build"),
        "file": "../src/point.cc",
        "arguments": ["g++", "-std=c++17", "-fPIC", *cxx_flags(), "-I../include", *includes],
    }
    (project.root / "build").mkdir()
    (project.root / "build" / "compile_commands.json").write_text(json.dumps([entry]))
    return project


def texts(root: Path) -> dict[Path, str]:
    return {path: path.read_text() for path in root.rglob("*") if path.suffix in (".h", ".cc")}


def test_a_new_error_names_the_class_and_nothing_is_written(base: Project) -> None:
    before = texts(base.root)
    refused = base.run("gen", "--adopt", "--try")
    assert refused.status == 1
    assert "src/tschema/shape.cc:" in refused.err
    assert "error[TS155]: `PointNode` would no longer compile: static assertion" in refused.err
    unchecked = "warning[TS156]: `include/toy/side.h` was not checked: it does not compile as it is"
    assert unchecked in refused.err
    assert "'Unknown' does not name a type" in refused.err
    assert "nothing was written" in refused.err
    assert texts(base.root) == before

    # With both mended, it writes.
    replace(base.root / "include/toy/point.h", "int32_t", "int64_t")
    replace(base.root / "include/toy/side.h", "Unknown", "int64_t")
    dry = base.run("gen", "--adopt", "--try", "--dry-run")
    assert (dry.status, dry.err) == (0, ""), dry.err
    assert "tschema: PointNode" not in (base.root / "include/toy/point.h").read_text()
    done = base.run("gen", "--adopt", "--try")
    assert (done.status, done.err) == (0, ""), done.err
    assert "tschema: PointNode" in (base.root / "include/toy/point.h").read_text()
    assert base.run("gen", "--adopt", "--try").status == 0


def test_a_class_that_would_not_compile_never_stops_the_others(base: Project) -> None:
    """Only a compiler knows that a macro deletes the copies of a class."""
    replace(base.root / "include/toy/point.h", "int32_t", "int64_t")
    side = base.root / "include/toy/side.h"
    side.write_text(LOCKED)
    schema = base.root / "schema/shape.py"
    replace(schema, 'type_key = "toy.Side"\n    register = "hand"\n', 'type_key = "toy.Side"\n')
    before = texts(base.root)
    strict = base.run("gen", "--adopt", "--try", "--strict")
    assert strict.status == 1
    assert "error[TS155]: `SideNode` would no longer compile: " in strict.err
    assert texts(base.root) == before

    done = base.run("gen", "--adopt", "--try")
    assert done.status == 0, done.err
    assert "use of deleted function" in done.err
    assert done.err.count("warning[TS154]: `SideNode` stays by hand: it would no longer ") == 1
    assert "TS155" not in done.err
    assert side.read_text() == LOCKED
    assert "tschema: PointNode" in (base.root / "include/toy/point.h").read_text()


def test_files_in_which_only_comments_change_are_not_compiled(base: Project) -> None:
    """The sources of the sidecar include their headers, and an error there is traced to them."""
    replace(base.root / "include/toy/point.h", "int32_t", "int64_t")
    replace(base.root / "include/toy/side.h", "Unknown", "int64_t")
    compiled = base.root / "compiled.txt"
    compiler = base.root / "compiler.sh"
    compiler.write_text(f'#!/bin/bash\necho "${{@: -1}}" >>{compiled}\nexec g++ "$@"\n')
    compiler.chmod(0o755)
    database = base.root / "build/compile_commands.json"
    entry = json.loads(database.read_text())[0]
    entry["arguments"][0] = str(compiler)
    database.write_text(json.dumps([entry]))
    done = base.run("gen", "--adopt", "--try")
    assert (done.status, done.err) == (0, ""), done.err
    sources = sorted(Path(line).name for line in compiled.read_text().splitlines())
    assert sources == ["registry.cc", "shape.cc"]

    # A header with new members may be included by any other file.
    assert base.run("unadopt", "PointNode", "SideNode").status == 0
    compiled.unlink()
    replace(
        base.root / "schema/shape.py", 'final = True\n    register = "hand"\n', "final = True\n"
    )
    assert base.run("gen", "--adopt", "--try").status == 0
    assert compiled.read_text().splitlines().count("-") == 2  # Both headers.


ENUM = """\
#pragma once
#include <tvm/ffi/tvm_ffi.h>
namespace toy {
enum Size : int { kSmall, kLarge };
class SideNode : public tvm::ffi::Object {
 public:
  enum class Kind : uint8_t { kOpen, kShut };
  Size y;
  Kind kind;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.Side", SideNode, tvm::ffi::Object);
};
}  // namespace toy
"""


def test_an_enum_that_its_author_registers_as_an_integer(base: Project) -> None:
    replace(base.root / "include/toy/point.h", "int32_t", "int64_t")
    (base.root / "include/toy/side.h").write_text(ENUM)
    schema = base.root / "schema/shape.py"
    fields = """\
    y: ty.int32_t = field(doc="Its place.", cpp_type="Size")
    kind: ty.uint8_t = field(doc="Its kind.", cpp_type="Kind")
"""
    replace(schema, '    y: ty.int64_t = field(doc="Its place.")\n', fields)
    done = base.run("gen", "--adopt", "--try", "--strict")
    assert (done.status, done.err) == (0, ""), done.err

    # One of another size is not read as this integer.
    replace(schema, "ty.uint8_t", "ty.int16_t")
    refused = base.run("gen", "--try")
    assert refused.status == 1
    assert "error[TS155]: `SideNode` would no longer compile: static assertion" in refused.err


def test_what_cannot_be_tried(base: Project) -> None:
    for arguments, reason in (
        (("--check",), "`--try` checks the output of a run"),
        (("--compile-commands", "none.json"), "error[TS157]: cannot read `"),
    ):
        refused = base.run("gen", "--adopt", "--try", *arguments)
        assert refused.status == 2
        assert reason in refused.err
    (base.root / "build/compile_commands.json").unlink()
    entry = {"directory": str(base.root), "file": "x.cu", "command": "nvcc -c x.cu"}
    (base.root / "compile_commands.json").write_text(json.dumps([entry]))
    unknown = base.run("gen", "--adopt", "--try", "--dry-run")
    assert unknown.status == 0
    assert "was not checked: its compiler `nvcc` has no `-fsyntax-only`" in unknown.err


def test_an_error_in_a_header_of_others_is_told_once(base: Project) -> None:
    fake = base.root / "fake/tschema/registry.h"
    fake.parent.mkdir(parents=True)
    fake.write_text("Missing word;\n")
    database = base.root / "build/compile_commands.json"
    entry = json.loads(database.read_text())[0]
    entry["arguments"].insert(1, "-I../fake")
    database.write_text(json.dumps([entry]))
    refused = base.run("gen", "--adopt", "--try")
    assert refused.status == 1
    assert refused.err.count("'Missing' does not name a type") == 1
    assert "note: the error is at `" in refused.err and "fake/tschema/registry.h:1`" in refused.err
