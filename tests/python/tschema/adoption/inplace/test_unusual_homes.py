"""Classes on one line and classes in sources, which adoption puts into blocks as they are."""

from __future__ import annotations

import pytest

from .conftest import Project

CONFIG = """\
package = "toy"
schema = ["schema"]

[cpp]
mode = "in_place"
files = ["include/**/*.h", "src/*.cc"]
sidecar = "src/tschema"
"""
SCHEMA = '''\
"""Points."""

from tschema import Object, declare, ty


@declare
class PointNode(Object):
    """
    A point.

    Attributes
    ----------
    x
        Its place.
    """

    type_key = "toy.Point"
    register = "hand"
    ref = None
    x: ty.int64_t


@declare
class HiddenNode(Object):
    """
    A class of a source.

    Attributes
    ----------
    point
        A point.
    """

    type_key = "toy.Hidden"
    register = "hand"
    ref = None
    point: ty.int64_t
'''
STATION = '''\
"""Stations."""

from tschema import Object, declare, field, ty


@declare
class StationNode(Object):
    """A station."""

    type_key = "toy.Station"
    register = "hand"
    ref = None
    kind: ty.foreign("Kind", size=4, align=4) = field(register=False, cpp_init="kSmall")
    name: ty.String = field(doc="Its name.")
'''
STATION_HEADER = """\
#pragma once
namespace toy {
class StationNode : public tvm::ffi::Object {
 public:
  /*! \\brief How large it is. */
  enum Kind {
    kSmall, /*!< A stop. */
    kLarge,
  } kind = kSmall;
  tvm::ffi::String name;

  static constexpr int32_t _type_index = 120;
  static constexpr bool _type_final = true;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC("toy.Station", StationNode, tvm::ffi::Object);
};
}  // namespace toy
"""
POINT = """\
#pragma once
namespace toy {
class PointNode : public tvm::ffi::Object { public: int64_t x = 1; int Odd() const { return x % 2; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.Point", PointNode, tvm::ffi::Object); };
}  // namespace toy
"""
HIDDEN = """\
#include "../include/point.h"
namespace toy {
class HiddenNode : public tvm::ffi::Object {
 public:
  int64_t point;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.Hidden", HiddenNode, tvm::ffi::Object);
};
}  // namespace toy
"""


@pytest.fixture
def base(project: Project) -> Project:
    """Put a code base of two classes in the place of the project."""
    for path in (project.root / "schema").rglob("*.py"):
        path.unlink()
    for path in (project.root / "include").rglob("*.h"):
        path.unlink()
    files = {
        "tschema.toml": CONFIG,
        "schema/shape.py": SCHEMA,
        "include/point.h": POINT,
        "src/hidden.cc": HIDDEN,
    }
    for name, text in files.items():
        (project.root / name).parent.mkdir(parents=True, exist_ok=True)
        (project.root / name).write_text(text)
    return project


def test_both_are_adopted_by_markers_alone(base: Project) -> None:
    done = base.run("gen", "--adopt")
    assert (done.status, done.err) == (0, ""), done.err
    header = (base.root / "include/point.h").read_text()
    assert "// tschema: custom-begin\nclass PointNode" in header
    assert "}; // tschema" not in header
    for name, text in (("include/point.h", POINT), ("src/hidden.cc", HIDDEN)):
        lines = (base.root / name).read_text().splitlines(keepends=True)
        assert "".join(line for line in lines if "// tschema: " not in line) == text
        assert len(lines) == text.count("\n") + 4
    # Generated code includes no source.
    sidecar = "".join(path.read_text() for path in (base.root / "src/tschema").rglob("*.*"))
    assert "sizeof(PointNode)" in sidecar
    assert "HiddenNode" not in sidecar
    assert base.run("gen", "--adopt").out == ""
    assert base.run("gen", "--check").status == 0
    assert base.run("unadopt", "PointNode", "HiddenNode").status == 0
    assert (base.root / "include/point.h").read_text() == POINT
    assert (base.root / "src/hidden.cc").read_text() == HIDDEN


def test_a_field_that_a_whole_class_lacks_is_told(base: Project) -> None:
    base.run("gen", "--adopt")
    schema = base.root / "schema/shape.py"
    schema.write_text(
        schema.read_text().replace("    x: ty.int64_t", "    x: ty.int64_t\n    y: ty.int64_t = 0")
    )
    refused = base.run("gen")
    assert refused.status == 2
    what = "custom region of `PointNode` holds the whole class, which has no member `y`"
    assert f"error[TS153]: the {what}" in refused.err
    header = base.root / "include/point.h"
    header.write_text(header.read_text().replace("int64_t x = 1;", "int64_t x = 1, y = 0;"))
    assert base.run("gen").status == 0


def test_reasons_for_which_they_stay(base: Project) -> None:
    schema = base.root / "schema/shape.py"
    schema.write_text(
        schema.read_text()
        .replace("x: ty.int64_t", "x: ty.int32_t")
        .replace(
            '    type_key = "toy.Hidden"\n    register = "hand"\n', '    type_key = "toy.Hidden"\n'
        )
    )
    done = base.run("gen", "--adopt")
    assert done.status == 0
    assert "`PointNode` stays by hand: it differs from" in done.err
    assert "`HiddenNode` stays by hand: generated code, which would register it, cannot" in done.err
    config = base.root / "tschema.toml"
    config.write_text(CONFIG.replace(', "src/*.cc"', ""))
    done = base.run("gen", "--adopt")
    assert "`HiddenNode` stays by hand: no pattern of `files` in tschema.toml has" in done.err


def test_a_header_of_the_project_is_included_by_its_place(base: Project) -> None:
    schema = base.root / "schema/shape.py"
    described = (
        "\n\n@declare\nclass OddNode(Object):\n"
        '    """An odd one."""\n\n    type_key = "toy.Odd"\n    extern = "point.h"\n'
        "    ref = None\n    y: ty.int64_t\n"
    )
    schema.write_text(schema.read_text() + described)
    assert base.run("gen", "--adopt").status == 0
    header = (base.root / "src/tschema/shape.h").read_text()
    assert '#include "../../include/point.h"' in header
    assert "#include <point.h>" not in header


def test_a_field_behind_the_body_of_its_enum_and_a_static_type_index(base: Project) -> None:
    (base.root / "schema/station.py").write_text(STATION)
    header = base.root / "include/station.h"
    header.write_text(STATION_HEADER)
    done = base.run("gen", "--adopt")
    assert (done.status, done.err) == (0, ""), done.err
    lines = header.read_text().splitlines(keepends=True)
    assert "".join(line for line in lines if "// tschema: " not in line) == STATION_HEADER
    assert len(lines) == STATION_HEADER.count("\n") + 4
    assert base.run("gen", "--check").status == 0

    # Another key, or another type of the field, contradicts the schema as before.
    for old, new, reason in (
        ('"toy.Station"', '"toy.Halt"', "it differs from `TVM_FFI_"),
        ("enum Kind", "enum Size", "it differs from `Kind kind"),
    ):
        header.write_text(STATION_HEADER.replace(old, new))
        refused = base.run("gen", "--adopt", "--dry-run", "--strict")
        assert refused.status == 1
        assert f"`StationNode` stays by hand: {reason}" in refused.err
