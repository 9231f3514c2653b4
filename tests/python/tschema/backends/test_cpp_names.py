"""C++ spellings: names, types, literals and docs."""

from __future__ import annotations

import pytest

from tschema.backends.cpp.names import (
    cpp_default,
    cpp_type,
    doxygen,
    members_test,
    string_literal,
    type_text,
)
from tschema.backends.cpp.scope import Scope
from tschema.ir.model import Default, Enum, EnumMember, Namespace, Schema, TypeKind, TypeRef

INT = TypeRef(kind="int64")
NODE = TypeRef(kind="node", key="toy.ir.Shape")
KIND = TypeRef(kind="enum", key="toy.ir.Kind")


SCHEMA = Schema(
    version=1,
    package="toy",
    namespaces=(
        Namespace(
            name="toy.mapped",
            file="shape",
            source="schema/mapped/shape.py",
            cpp_namespace="acme::shapes",
            enums=(Enum(name="Axis", key="toy.mapped.Axis"),),
        ),
    ),
)
SCOPE = Scope(SCHEMA, "toy::ir")


def of(kind: TypeKind, *args: TypeRef) -> TypeRef:
    return TypeRef(kind=kind, args=args)


@pytest.mark.parametrize("namespace, spelled", [
    ("toy::ir", "Shape"),
    ("toy::tir", "ir::Shape"),
    ("other", "::toy::ir::Shape"),
    ("", "::toy::ir::Shape"),
])  # fmt: skip
def test_a_name_is_as_short_as_its_namespace_lets_it_be(namespace: str, spelled: str) -> None:
    assert Scope(SCHEMA, namespace).name("toy.ir.Shape") == spelled


def test_a_name_of_the_root_namespace_is_named_through_it() -> None:
    assert SCOPE.name("toy.Shape") == "toy::Shape"


@pytest.mark.parametrize("namespace, spelled", [
    ("acme::shapes", "Axis"),
    # A namespace of the user's may hide a part of a shorter name.
    ("acme::ir", "::acme::shapes::Axis"),
    ("toy::mapped", "::acme::shapes::Axis"),
])  # fmt: skip
def test_a_name_of_a_mapped_namespace_is_spelled_in_full(namespace: str, spelled: str) -> None:
    assert Scope(SCHEMA, namespace).name("toy.mapped.Axis") == spelled


@pytest.mark.parametrize("type_ref, spelled, text", [
    (INT, "int64_t", '"int64"'),
    (KIND, "Kind", '"enum toy.ir.Kind"'),
    (of("Optional", NODE), "ffi::Optional<Shape>", '"Optional[toy.ir.Shape]"'),
    (of("Union", INT, of("String")), "ffi::Variant<int64_t, ffi::String>",
     '"Union[int64, String]"'),
    (of("Object"), "ffi::ObjectRef", '"Object"'),
    (of("None"), "void", '"None"'),
])  # fmt: skip
def test_a_type_is_spelled_in_code_and_in_tables(
    type_ref: TypeRef, spelled: str, text: str
) -> None:
    assert cpp_type(type_ref, SCOPE) == spelled
    assert type_text(type_ref) == text


@pytest.mark.parametrize("text, literal", [
    ('a"b\\c', r'"a\"b\\c"'),
    ("\0001\n\x7f", r'"\0001\n\177"'),
    # `??/` is a trigraph of a backslash.
    ("what??/", '"what?" "?/"'),
    ("ä", '"ä"'),
])  # fmt: skip
def test_a_literal_is_escaped(text: str, literal: str) -> None:
    assert string_literal(text) == literal


def test_a_long_literal_is_broken() -> None:
    pieces = string_literal("x" * 4001).split(" ")
    assert len(pieces) == 51
    assert pieces[0] == f'"{"x" * 80}"'


@pytest.mark.parametrize("default, type_ref, text", [
    (Default(factory="list"), of("Optional", of("Array", INT)), "ffi::Array<int64_t>()"),
    (Default(value=None), of("Optional", INT), "std::nullopt"),
    (Default(value=None), of("Any"), "nullptr"),
    (Default(value="ROUND"), KIND, "Kind::kRound"),
    (Default(value="int32"), of("DataType"), 'ffi::StringToDLDataType("int32")'),
    (Default(value=True), of("bool"), "true"),
    (Default(value=-(2**63)), INT, "INT64_MIN"),
    (Default(value=2**31), INT, "INT64_C(2147483648)"),
    (Default(value=300), of("Union", of("uint8"), of("int16")), "int16_t{300}"),
    (Default(value="\0\xe4"), of("Bytes"), r'ffi::Bytes("\000\344", 2)'),
    (Default(value="ä"), of("String"), 'ffi::String("ä")'),
    (Default(value="a\0b"), of("String"), 'ffi::String("a\\000b", 3)'),
    (Default(value=0.5), of("float64"), "0.5"),
])  # fmt: skip
def test_a_default_is_an_expression(default: Default, type_ref: TypeRef, text: str) -> None:
    assert cpp_default(default, type_ref, SCOPE) == text


@pytest.mark.parametrize("values, test", [
    ((0, 1, 2), "0 <= value && value <= 2"),
    ((4, 1), "value == 1 || value == 4"),
])  # fmt: skip
def test_members_of_an_enum_are_told_by_a_range_where_there_is_one(
    values: tuple[int, ...], test: str
) -> None:
    members = tuple(EnumMember(name=f"M{value}", value=value) for value in values)
    assert members_test(Enum(name="Kind", key="toy.Kind", members=members)) == test


def test_commands_follow_a_lone_brief() -> None:
    assert doxygen("One.", r"\sa A") == "\\brief One.\n\\sa A"
    assert doxygen("One.\n\nTwo.", r"\sa A") == "\\brief One.\n\nTwo.\n\n\\sa A"
    assert doxygen("", r"\sa A") == r"\sa A"
