"""Python spellings: annotations, defaults and imports."""

from __future__ import annotations

import pytest

from tschema.backends.python.names import (
    Imports,
    default_text,
    given_type,
    quoted,
    read_type,
    sorted_names,
)
from tschema.ir.model import Default, TypeKind, TypeRef

INT = TypeRef(kind="int64")
NODE = TypeRef(kind="node", key="toy.Shape")
KIND = TypeRef(kind="enum", key="toy.Kind")


def of(kind: TypeKind, *args: TypeRef) -> TypeRef:
    return TypeRef(kind=kind, args=args)


def last_part(key: str) -> str:
    return key.rpartition(".")[2]


@pytest.mark.parametrize("type_ref, read, given", [
    (INT, "int", "int"),
    (of("DataType"), "DataType", "DataType | str"),
    (of("Function"), "Function", "Callable[..., Any]"),
    (NODE, "Shape", "Shape"),
    (of("Optional", NODE), "Shape | None", "Shape | None"),
    (of("Array", INT), "Array[int]", "Sequence[int]"),
    (of("Map", of("String"), NODE), "Map[str, Shape]", "Mapping[str, Shape]"),
    (of("Tuple", INT, of("Bytes")), "Array[int | bytes]", "tuple[int, bytes]"),
    (of("Union", INT, of("uint8"), NODE), "int | Shape", "int | Shape"),
    # An element of a container is an integer when it is read, whatever enum it is of.
    (of("Array", KIND), "Array[int]", "Sequence[Kind]"),
    (of("Optional", KIND), "Kind | None", "Kind | None"),
])  # fmt: skip
def test_a_type_is_spelled_as_it_is_read_and_as_it_is_given(
    type_ref: TypeRef, read: str, given: str
) -> None:
    assert read_type(type_ref, last_part, Imports()) == read
    assert given_type(type_ref, last_part, Imports()) == given


@pytest.mark.parametrize("default, type_ref, text", [
    (Default(factory="list"), of("Array", INT), "()"),
    (Default(factory="dict"), of("Map", INT, INT), "None"),
    (Default(value=None), of("Optional", INT), "None"),
    (Default(value=3), of("Optional", INT), "3"),
    (Default(value="ROUND"), KIND, "Kind.ROUND"),
    (Default(value="\xff\0"), of("Bytes"), r"b'\xff\x00'"),
    (Default(value="a'b"), of("String"), '"a\'b"'),
    (Default(value=True), of("bool"), "True"),
])  # fmt: skip
def test_a_default_is_a_literal(default: Default, type_ref: TypeRef, text: str) -> None:
    assert default_text(default, type_ref, last_part) == text


def test_a_library_gives_its_name_to_a_class_of_the_schema() -> None:
    imports = Imports(frozenset({"Array"}))
    assert read_type(of("Array", of("Device")), last_part, imports) == "tvm_ffi.Array[Device]"
    assert imports.lines() == ("import tvm_ffi", "from tvm_ffi import Device")


def test_imports_are_grouped_and_sorted() -> None:
    imports = Imports()
    for module, name in [
        (".span", "Span"), ("..ir", "expr as _ir_expr"), ("tvm_ffi", "Object"), ("typing", "Any"),
        (".", "_ffi_api"),
    ]:  # fmt: skip
        imports.add(module, name)
    assert imports.lines() == (
        "from typing import Any",
        "",
        "from tvm_ffi import Object",
        "",
        "from ..ir import expr as _ir_expr",
        "from . import _ffi_api",
        "from .span import Span",
    )


def test_names_are_sorted_as_linters_sort_them() -> None:
    names = ["walk", "Int16", "Int8", "MAX", "Add"]
    assert sorted_names(names) == ("MAX", "Add", "Int8", "Int16", "walk")
    assert quoted(names[:2]) == '"Int16", "walk"'
