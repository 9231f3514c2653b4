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

# Names of `typing` cannot have a docstring here; `schema-language.md` has these texts too.
_TYPING = {
    "Any": "Any value: an object, a number, a text or None.",
    "Optional": "A value or None: `ty.Optional[T]`, also written `T | None`.",
    "Tuple": "Immutable sequence of a fixed length: `ty.Tuple[A, B]`.",
    "Union": "A value of one of several types: `ty.Union[A, B]`, also written `A | B`.",
}


class Object:
    """Any object; as a base class, the parent of a node without another parent.

    Its attributes are the options of a class.
    """

    type_key: str
    """Unique name of the class, dotted: package, namespace and reference class. A bare name gets
    the package."""
    default_visit_attrs: bool
    """Whether `VisitAttrs` is generated; if not, you write it in the custom region."""
    default_sequal_reduce: bool
    """Whether structural equality compares field by field; if not, you write `SEqualReduce` in
    the custom region."""
    default_shash_reduce: bool
    """Whether the structural hash is that of the fields; if not, you write `SHashReduce` in the
    custom region."""
    structural: Literal["tree", "dag", "var", "const_tree", "unique"] | None
    """The role of an object in structural equality: `"tree"` a value, `"dag"` a value with
    significant sharing, `"var"` a variable, equal if bound at the same position, `"const_tree"` a
    value without variables, `"unique"` equal only to itself; None for a class that cannot be
    compared. Inherited; the default is `"tree"`."""
    abstract: bool
    """Whether no object of the class itself can be constructed, in any language."""
    final: bool
    """Whether no class may derive from it; by default, a class without children is final."""
    dispatch: bool
    """Whether the class roots a family of functors: `Functor`, `Visitor` and `Mutator` of it and of
    the classes below it."""
    mutable: bool
    """Whether fields can be written after construction."""
    renamed_from: str | Sequence[str]
    """The former class name or type key, or a list of these, the last one first: its block and its
    custom region move along, and files with the old key load."""
    removed_fields: Sequence[str]
    """Names of former fields, which files may still hold."""
    post_init: bool
    """Whether the constructor ends by calling the hand-written `void PostInit()`, which checks
    arguments and sets derived fields, in every language."""
    reserve: int
    """Child slots kept free for classes of other packages."""
    cpp_namespace: str
    """The C++ namespace of the class, if it differs from that of its type key."""
    cpp_base: str
    """A C++ class between the parent and this one, which adds no data and no type."""
    script: str
    """The form in script, with fields in braces: `"toy.clamp({value}, low={low})"`. A statement may
    bind a variable, `"{var} = toy.load({address})"`, or have a suite, the field that is left out:
    `"for {var} in toy.steps({extent})"`, `"with toy.region({name})"`."""
    ref_name: str
    """The reference class, if it is not the last part of the type key."""
    default_constructible: bool
    """Whether C++ can make an object without arguments and fill it in later."""
    polymorphic: bool
    """Whether the class has virtual functions, so that a table pointer precedes its fields."""
    ref: Literal["default", "nullable", "hand"] | None
    """The reference class: `"default"`, `"nullable"` if a reference may hold no object, `"hand"`
    if you write it by hand; None for a class without one."""
    ref_init: Literal["fields", "hand"] | None
    """The constructor of the reference class: `"fields"` takes the fields, you write `"hand"` in
    the custom region; None for a reference that only casts make."""
    cow: bool
    """Whether the reference class has `CopyOnWrite()`."""
    register: bool | Literal["hand"]
    """Whether the type key is registered; if not, only C++ knows the class. `"hand"` leaves it to
    the class's own `ObjectDef` chain."""
    extern: str | Literal[True]
    """The header of a class that another library defines, or True if it is unknown. Nothing is
    emitted for it, except for accessors of an opaque class without a header."""
    size: int
    """Bytes of the C++ class, with `extern`: the offset of the first field of a child. Without it
    the class is opaque: its layout is unknown, and its fields are read through the registry."""


def foreign(cpp: str, *, size: int = ..., align: int = ...) -> Any:
    """
    Write the type of a member that only C++ has; other languages see bytes of unknown content.

    Parameters
    ----------
    cpp
        The type in C++: `"std::vector<int>"`.
    size, align
        The `sizeof` and `alignof`, in bytes. Well-known types of the standard library need
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
"""True or False; 1 byte. An integer argument is True unless it is 0; a default is a boolean."""
int8_t = int
"""Signed integer of 8 bits; values are range-checked."""
int16_t = int
"""Signed integer of 16 bits; values are range-checked."""
int32_t = int
"""Signed integer of 32 bits; values are range-checked."""
int64_t = int
"""Signed integer of 64 bits; values are range-checked."""
uint8_t = int
"""Unsigned integer of 8 bits; values are range-checked."""
uint16_t = int
"""Unsigned integer of 16 bits; values are range-checked."""
uint32_t = int
"""Unsigned integer of 32 bits; values are range-checked."""
uint64_t = int
"""Unsigned integer of 64 bits, but the ABI carries only 0 to 2^63-1."""
float32 = float
"""Floating-point number of 32 bits. Values are rounded to the nearest; a default
that is an integer must be exact."""
float64 = float
"""Floating-point number of 64 bits. Integers are rounded to the nearest; a
default that is an integer must be exact."""
double = float
"""The same as `float64`."""
String = str
"""Immutable text in UTF-8."""
DataType = str
"""Data type of elements: `"float32"`, `"int8x4"`; 4 bytes."""
Bytes = bytes
"""Immutable bytes."""
Function = Callable[..., Any]
"""A function that any language can call."""
Array = Sequence
"""Immutable sequence: `ty.Array[T]`; a change makes a copy."""
List = list
"""Mutable sequence, shared by all its holders: `ty.List[T]`."""
Map = Mapping
"""Immutable mapping: `ty.Map[K, V]`; a change makes a copy."""
Dict = dict
"""Mutable mapping, shared by all its holders: `ty.Dict[K, V]`."""
IntEnum = enum.IntEnum
"""Base of an enum, whose members are integers of 32 bits: `class ForKind(ty.IntEnum)`."""
