"""The field types of schema files, one name for each row of the type table.

They exist for editors and type checkers: tschema parses schema files and never executes them.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Optional, Tuple, Union  # noqa: UP035

__all__ = [
    "Any",
    "Array",
    "Bytes",
    "DataType",
    "Device",
    "Dict",
    "Function",
    "IntEnum",
    "List",
    "Map",
    "Module",
    "Object",
    "Optional",
    "Shape",
    "String",
    "Tensor",
    "Tuple",
    "Union",
    "bool",
    "double",
    "float32",
    "float64",
    "foreign",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
]


class Object:
    """Any object; as a base class, the parent of a node that has no other."""

    type_key: str
    default_visit_attrs: bool
    default_sequal_reduce: bool
    default_shash_reduce: bool
    structural: Literal["tree", "dag", "var", "const_tree", "unique"] | None
    abstract: bool
    final: bool
    dispatch: bool
    mutable: bool
    renamed_from: str | Sequence[str]
    removed_fields: Sequence[str]
    post_init: bool
    reserve: int
    cpp_namespace: str
    cpp_base: str
    ref_name: str
    default_constructible: bool
    polymorphic: bool
    ref: Literal["default", "nullable", "hand"] | None
    ref_init: Literal["fields", "hand"] | None
    cow: bool
    register: bool
    extern: str | Literal[True]


def foreign(cpp: str, *, size: int = ..., align: int = ...) -> Any:
    """
    Write the type of a member that only C++ has; other languages see bytes of unknown content.

    Parameters
    ----------
    cpp
        The type in C++: `"std::vector<int>"`.
    size, align
        What `sizeof` and `alignof` are, in bytes. Well-known types of the standard library need
        neither.
    """


class Device:
    """A device type and an ordinal; 8 bytes."""


class Tensor:
    """A tensor of tvm-ffi."""


class Shape:
    """An immutable tuple of dimensions."""


class Module:
    """A compiled module of tvm-ffi."""


bool = bool
int8_t = int
int16_t = int
int32_t = int
int64_t = int
uint8_t = int
uint16_t = int
uint32_t = int
uint64_t = int
float32 = float
float64 = float
double = float
String = str
DataType = str
Bytes = bytes
Function = Callable[..., Any]
Array = Sequence
List = list
Map = Mapping
Dict = dict
IntEnum = enum.IntEnum
