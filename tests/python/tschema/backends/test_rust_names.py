"""Rust spellings: types as fields, values and parameters, and arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from tschema.backends.rust.layout import use_lines
from tschema.backends.rust.names import Scope, builder_name, has_odd_style
from tschema.ir.model import TypeKind, TypeRef

from ...support.schemas import ROOT_TYPE, build

INT = TypeRef(kind="int64")
NODE = TypeRef(kind="node", key="toy.Root")


def of(kind: TypeKind, *args: TypeRef) -> TypeRef:
    return TypeRef(kind=kind, args=args)


@pytest.fixture
def scope(tmp_path: Path) -> Scope:
    schema = build(tmp_path, {"nodes.py": ROOT_TYPE})
    return Scope(schema, schema.namespaces[0])


@pytest.mark.parametrize("type_ref, field, parameter, argument", [
    (INT, "i64", "i64", "x"),
    (of("uint8"), "u8", "u8", "x"),
    (NODE, "Root", "impl Into<Root>", "x.into()"),
    (of("Any"), "ffi::Any", "impl Into<ffi::Any>", "x.into()"),
    (of("Optional", NODE), "Option<Root>", "Option<Root>", "x"),
    # tvm-ffi lays out an optional value as its own type.
    (of("Optional", INT), "ffi::Optional<i64>", "Option<i64>", "x"),
    (of("Optional", of("Any")), "ffi::Any", "impl Into<ffi::Any>", "x.into()"),
    (of("Map", of("String"), NODE), "ffi::Map<ffi::String, Root>",
     "impl tschema::IntoFfi<ffi::Map<ffi::String, Root>>", "x.into_ffi()"),
    (of("Tuple", INT), "tschema::Tuple<(i64,)>", "impl Into<tschema::Tuple<(i64,)>>", "x.into()"),
    (of("Union", INT, NODE), "tschema::Union<(i64, Root)>",
     "impl Into<tschema::Union<(i64, Root)>>", "x.into()"),
    (of("Tuple", *[INT] * 9), "ffi::Array<ffi::Any>", "impl Into<ffi::Array<ffi::Any>>",
     "x.into()"),
    (of("Union", *[INT] * 9), "ffi::Any", "impl Into<ffi::Any>", "x.into()"),
])  # fmt: skip
def test_a_type_as_a_field_a_parameter_and_an_argument(
    scope: Scope, type_ref: TypeRef, field: str, parameter: str, argument: str
) -> None:
    assert scope.field(type_ref) == field
    assert scope.parameter(type_ref) == parameter
    assert scope.argument(type_ref, "x") == argument


def test_a_second_class_of_a_name_is_spelled_by_its_path(tmp_path: Path) -> None:
    files = {
        f"{name}/nodes.py": ROOT_TYPE.replace("toy.Root", f"toy.{name}.Root") for name in ("a", "b")
    }
    schema = build(tmp_path, {**files, "c/own.py": ROOT_TYPE.replace("toy.Root", "toy.c.Leaf")})
    scope = Scope(schema, schema.home("toy.c.Leaf"), "crate")
    assert scope.reference("toy.a.Root") == "Root"
    assert scope.reference("toy.b.Root") == "crate::b::Root"
    assert scope.reference("toy.c.Leaf") == "Leaf"
    assert use_lines(scope.used) == ("use crate::a::Root;",)


def test_a_builder_gives_its_name_to_a_class(scope: Scope) -> None:
    root = scope.schema.type("toy.Root")
    assert builder_name(root, {"Root"}) == "RootBuilder"
    assert builder_name(root, {"RootBuilder"}) == "RootBuilderBuilder"


def test_names_in_the_style_of_another_language_are_noticed(tmp_path: Path) -> None:
    assert not has_odd_style(build(tmp_path / "plain", {"nodes.py": ROOT_TYPE}))
    assert has_odd_style(build(tmp_path, {"nodes.py": ROOT_TYPE + "    myField: ty.int64_t\n"}))
