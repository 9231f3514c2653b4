"""`tschema stub`: what it writes where, and that the result is clean, builds and loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ..conftest import Project, replace

CONFIG = """\
package = "toy"
schema = ["schema"]

[cpp]
include = "generated/include"
source = "generated/src"

[python]
dir = "generated/python"
"""
SCHEMA = '''\
"""Points."""

from tschema import Object, declare, field, function, method, ty


@declare
class PointNode(Object):
    """A point."""

    type_key = "toy.ir.Point"
    x: ty.int64_t = field(default=0, doc="Its place.")

    @method
    def moved(self, dx: ty.int64_t, names: ty.Array[ty.String], by: float = 1.0) -> "PointNode":
        """Move it."""
        ...


@declare
class LabelNode(Object):
    """A label."""

    type_key = "toy.ir.Label"
    default_sequal_reduce = False
    default_shash_reduce = False
    text: ty.String = field(doc="What it says.")


@declare
class PathNode(Object):
    """A path."""

    type_key = "toy.ir.Path"
    post_init = True
    points: ty.Array[PointNode] = field(doc="Its points.")


@function
def origin(scale: ty.Optional[float] = None) -> PointNode:
    """Return the origin."""
    ...


@function
def template(label: LabelNode) -> None:
    """Have a name that C++ reserves."""
    ...
'''


@pytest.fixture
def points(project: Project) -> Project:
    """Return a generated project without a hand-written body."""
    (project.root / "tschema.toml").write_text(CONFIG)
    project.schema.write_text(SCHEMA)
    assert project.run("gen").status == 0
    assert project.run("verify").status == 1
    return project


def test_a_new_file_has_every_body(points: Project) -> None:
    done = points.run("stub")
    assert done.status == 0
    assert "wrote method `moved` of `PointNode`\n" in done.out
    assert "wrote `SHashReduce` of `LabelNode`\n" in done.out
    assert done.err == "tschema: `ir/shape.cc` is new: the project's build has to compile it\n"
    assert (points.root / "ir" / "shape.cc").read_text() == NEW_FILE
    header = (points.root / "generated/include/toy/ir/shape.h").read_text()
    assert REGION in header
    assert points.run("verify").err == ""
    assert points.run("gen", "--check").status == 0
    again = points.run("stub")
    assert (again.status, again.out) == (0, "no body is missing\n")


NEW_FILE = """\
// Hand-written bodies.
#include <toy/ir/shape.h>

namespace toy::ir {

Point PointNode::Moved(int64_t dx, ffi::Array<ffi::String> names, double by) const {
  TVM_FFI_THROW(NotImplementedError) << "method `moved` of `PointNode` has no body yet";
}

void PathNode::PostInit() {
  TVM_FFI_THROW(NotImplementedError) << "`PostInit` of `PathNode` has no body yet";
}

Point origin(ffi::Optional<double> scale) {
  TVM_FFI_THROW(NotImplementedError) << "function `origin` has no body yet";
}

void template_(Label label) {
  TVM_FFI_THROW(NotImplementedError) << "function `template` has no body yet";
}

}  // namespace toy::ir
"""
REGION = """\
  // tschema: custom-begin
  bool SEqualReduce(const LabelNode* other, tschema::SEqualReducer equal) const {
    TVM_FFI_THROW(NotImplementedError) << "`SEqualReduce` of `LabelNode` has no body yet";
  }
  void SHashReduce(tschema::SHashReducer hash_reduce) const {
    TVM_FFI_THROW(NotImplementedError) << "`SHashReduce` of `LabelNode` has no body yet";
  }
  // tschema: custom-end
"""


def test_bodies_go_to_the_file_that_has_the_others(points: Project) -> None:
    mine = points.root / "cpp" / "points.cc"
    mine.parent.mkdir()
    mine.write_bytes(MINE.replace("\n", "\r\n").encode())
    done = points.run("stub")
    assert (done.status, done.err) == (0, "")
    text = mine.read_bytes().decode()
    assert text.count("\r\n") == text.count("\n")
    text = text.replace("\r\n", "\n")
    start, end = MINE.removesuffix("}  // namespace toy::ir\n"), "}  // namespace toy::ir\n"
    assert text.startswith(start) and text.endswith(end) and text.count(end) == 1
    assert "void PathNode::PostInit() {\n" in text
    assert points.run("verify").err == ""


MINE = """\
// Mine; nothing here changes.
#include "toy/ir/shape.h"
#include <toy/ir/shape.h>

namespace toy::ir {

Point origin(ffi::Optional<double> scale) { return Point(); }   // Kept.

}  // namespace toy::ir
"""


def test_a_file_that_qualifies_names_gets_a_part_of_the_namespace(points: Project) -> None:
    mine = points.root / "points.cc"
    head = "toy::ir::Point toy::ir::origin(tvm::ffi::Optional<double>) { return Point(); }\n"
    mine.write_text(head)
    points.run("stub")
    text = mine.read_text()
    assert text.startswith(
        f"#include <toy/ir/shape.h>\n\n{head}\nnamespace toy::ir {{\n\nPoint Poi"
    )


def test_a_diff_and_a_dry_run_write_nothing(points: Project) -> None:
    shown = points.run("stub", "--diff")
    assert shown.status == 1
    assert "+++ b/ir/shape.cc\n" in shown.out
    listed = points.run("stub", "--dry-run")
    assert listed.out == ("would write generated/include/toy/ir/shape.h\nwould write ir/shape.cc\n")
    assert not (points.root / "ir").exists()


def test_a_project_without_cpp(project: Project) -> None:
    assert project.run("stub").out == "no body is missing\n"


def test_in_place_a_new_file_stands_beside_the_header(project: Project) -> None:
    (project.root / "tschema.toml").write_text(
        'package = "toy"\nschema = ["schema"]\n\n[cpp]\nmode = "in_place"\n'
        'files = ["cpp/*.h"]\nsidecar = "cpp/_tschema"\n'
    )
    replace(project.schema, "    x: ty.int64_t\n", "    post_init = True\n    x: ty.int64_t\n")
    header = project.root / "cpp" / "shape.h"
    header.parent.mkdir()
    blocks = "".join(
        f"// tschema: {name}\n// tschema: end\n"
        for name in ("PointNode", "Point", "LabelNode", "Label")
    )
    header.write_text(f"#pragma once\nnamespace toy::ir {{\n{blocks}}}\n")
    project.run("fix")
    assert project.run("gen").status == 0
    project.run("stub")
    text = (project.root / "cpp" / "shape.cc").read_text()
    assert text.startswith('// Hand-written bodies.\n#include "./shape.h"\n')
    assert project.run("verify").err == ""


OPERATORS = '''\
"""Operators on cloth."""

from tschema import dialect, operand, operator, ty
from uir.schema.ir.attrs import AttrsNode
from uir.schema.ir.expr import RelayExprNode


@dialect
class Weave:
    """Operators on cloth."""

    operand = RelayExprNode
    make = "uir.relay.make_call"
    attributes = AttrsNode
    shapes = True


@operator(kind="elementwise", relation="same", scalar="x * 2")
def double(x: RelayExprNode = operand(dtype="T: number")) -> RelayExprNode:
    """Double."""
    ...


@operator(kind="opaque", relation="(n), (n)? -> (n)")
def fold(
    x: RelayExprNode = operand(dtype="T: number"),
    by: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
) -> RelayExprNode:
    """Fold cloth."""
    ...
'''


def test_lowerings_of_operators_that_no_data_computes(project: Project) -> None:
    config = project.root / "tschema.toml"
    config.write_text('package = "toy"\nschema = ["schema"]\nimports = ["uir"]\n')
    project.schema.write_text(OPERATORS)
    assert project.run("stub").out == "no body is missing\n"
    done = project.run("stub", "--lowerings")
    assert (done.status, done.out) == (0, "wrote the lowering of `toy.ir.fold`\n")
    assert (project.root / "lowerings.py").read_text() == LOWERINGS
    assert project.run("stub", "--lowerings").out == "no body is missing\n"
    replace(project.schema, 'scalar="x * 2"', 'onnx="Double@1"')
    project.run("stub", "--lowerings")
    text = (project.root / "lowerings.py").read_text()
    assert text.startswith(LOWERINGS + '\n\n@transform.register_lowering("toy.ir.double")\n')


LOWERINGS = '''\
"""What operators compute."""

from __future__ import annotations

from uir import relay, te, transform


@transform.register_lowering("toy.ir.fold")
def lower_fold(call: relay.Call, x: te.Tensor, by: te.Tensor | None) -> te.Tensor:
    """Compute `toy.ir.fold`; the attributes are those of `call.attrs`."""
    raise NotImplementedError("the lowering of `toy.ir.fold` has no body yet")
'''


def test_lowerings_in_cpp_beside_the_others(project: Project) -> None:
    config = project.root / "tschema.toml"
    config.write_text('package = "toy"\nschema = ["schema"]\nimports = ["uir"]\n')
    project.schema.write_text(OPERATORS)
    other = project.root / "src" / "lower_ops" / "other.cc"
    other.parent.mkdir(parents=True)
    other.write_text('UIR_TRANSFORM_REGISTER_LOWERING("toy.ir.other", LowerOther);\n')
    project.run("stub", "--lowerings")
    text = (other.parent / "shape.cc").read_text()
    assert "Values LowerFold(const OperatorCall& call) {\n" in text
    assert 'UIR_TRANSFORM_REGISTER_LOWERING("toy.ir.fold", LowerFold);\n' in text


def test_the_library_builds_and_loads(points: Project) -> None:
    points.run("stub")
    built = points.run("build", "--source", "ir", "-o", "build/libtoy.so")
    assert built.status == 0, built.err
    schema = built.out.rstrip("\n").rpartition(" ")[2]
    script = (
        "import sys, tvm_ffi\n"
        "from tschema.runtime import load_types\n"
        "load_types(sys.argv[1])\n"
        "tvm_ffi.get_global_func('toy.ir.origin')(None)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, schema],
        cwd=points.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "NotImplementedError: function `origin` has no body yet" in done.stderr
