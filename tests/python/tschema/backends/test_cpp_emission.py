"""What the C++ backend emits for small schemas: one property a test."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from tschema.backends.cpp.backend import emit
from tschema.emit.render import Renderer
from tschema.project.config import CppTarget

from ...support.schemas import ROOT_TYPE, build

TARGET = CppTarget("files", PurePosixPath("include"), PurePosixPath("src"))
FUNCTION = '''

@function
def grow(by: ty.int64_t = 1) -> ty.int64_t:
    """Return it."""
'''


def emit_all(folder: Path, **files: str) -> dict[str, str]:
    paths = {f"{name.replace('__', '/')}.py": text for name, text in files.items()}
    schema = build(folder, paths)
    return {str(file.path): file.text for file in emit(schema, TARGET, Renderer())}


def header(folder: Path, text: str) -> str:
    return emit_all(folder, nodes=text)["include/toy/nodes.h"]


def test_structural_methods_leave_out_ignored_fields(tmp_path: Path) -> None:
    fields = """    a: ty.int64_t
    b: ty.int64_t = field(structural="ignore")
    c: ty.Object = field(structural="def")
"""
    text = header(tmp_path, ROOT_TYPE + fields)
    assert 'v->Visit("b", &b);' in text
    assert "return equal(a, other->a) && equal.DefEqual(c, other->c);" in text
    assert "hash_reduce(a);\n    hash_reduce.DefHash(c);\n" in text


def test_no_parameter_hides_a_field(tmp_path: Path) -> None:
    text = header(tmp_path, ROOT_TYPE + "    other: ty.int64_t\n")
    assert "return equal(other, other_->other);" in text


def test_a_type_without_fields_names_no_parameter(tmp_path: Path) -> None:
    text = header(tmp_path, ROOT_TYPE)
    assert "void VisitAttrs(tschema::AttrVisitor*) {" in text
    assert "bool SEqualReduce(const RootNode*, tschema::SEqualReducer) const {" in text
    assert "void SHashReduce(tschema::SHashReducer) const {" in text


def test_only_fields_that_hold_nodes_are_released(tmp_path: Path) -> None:
    fields = "    a: ty.String\n    b: ty.Array[ty.Object]\n    c: ty.Any\n"
    text = header(tmp_path, ROOT_TYPE + fields)
    assert "~RootNode() { tschema::Release(b, c); }" in text
    assert "Release(" not in header(tmp_path / "plain", ROOT_TYPE + "    a: ty.String\n")


def test_units_are_declared_once_a_namespace_and_registered_in_order(tmp_path: Path) -> None:
    inner = ROOT_TYPE.replace("toy.Root", "toy.ir.Root")
    files = emit_all(tmp_path, a=FUNCTION, b=FUNCTION.replace("grow", "shrink"), ir__c=inner)
    text = files["src/registry.cc"]
    assert (
        "namespace toy {\nextern const tschema::Unit kAUnit;\nextern const tschema::Unit kBUnit;\n"
        "}  // namespace toy\n\nnamespace toy::ir {\n" in text
    )
    assert text.index("&toy::kAUnit") < text.index("&toy::kBUnit") < text.index("&toy::ir::kCUnit")


def test_a_source_includes_what_it_uses(tmp_path: Path) -> None:
    files = emit_all(tmp_path, types=ROOT_TYPE, functions=FUNCTION)
    assert "#include <cstddef>" in files["src/types.cc"]
    assert "#include <cstddef>" not in files["src/functions.cc"]
