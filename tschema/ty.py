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
    """Any object; as a base class, the parent of a node that has no other.

    Its attributes are the options of a class.
    """

    type_key: str
    """Unique name of the class, dotted: package, namespace and reference class. A bare name gets
    the package."""
    default_visit_attrs: bool
    """Whether `VisitAttrs` is generated; if not, it is written in the custom region."""
    default_sequal_reduce: bool
    """Whether structural equality compares field by field; if not, `SEqualReduce` is written in the
    custom region."""
    default_shash_reduce: bool
    """Whether the structural hash is that of the fields; if not, `SHashReduce` is written in the
    custom region."""
    structural: Literal["tree", "dag", "var", "const_tree", "unique"] | None
    """What structural equality takes an object for: `"tree"` a value, `"dag"` a value whose sharing
    counts, `"var"` a variable, equal where it is bound at the same place, `"const_tree"` a value
    that holds no variable, `"unique"` itself alone; None for a class that cannot be compared.
    Inherited; at first a tree."""
    abstract: bool
    """Whether no object of the class itself can be constructed, in any language."""
    final: bool
    """Whether no class may derive from it; a class without children is final unless it says
    otherwise."""
    dispatch: bool
    """Whether the class roots a family of functors: `Functor`, `Visitor` and `Mutator` of it and of
    the classes below it."""
    mutable: bool
    """Whether fields can be written after construction."""
    renamed_from: str | Sequence[str]
    """The class name or type key that it had, or a list of these, the last one first: its block and
    its custom region move along, and files that hold the old key load."""
    removed_fields: Sequence[str]
    """Names of fields that it had, which files may still hold."""
    post_init: bool
    """Whether the constructor ends by calling the hand-written `void PostInit()`, which checks
    arguments and sets derived fields, in whichever language the object is constructed."""
    reserve: int
    """Child slots kept free for classes of other packages."""
    cpp_namespace: str
    """The C++ namespace of the class, where it is not the one that its type key gives."""
    cpp_base: str
    """A C++ class between the parent and this one, which adds no data and no type."""
    ref_name: str
    """The reference class, where it is not the last part of the type key."""
    default_constructible: bool
    """Whether C++ can make an object without arguments and fill it in later."""
    polymorphic: bool
    """Whether the class has virtual functions, so that a table pointer stands before its fields."""
    ref: Literal["default", "nullable", "hand"] | None
    """The reference class: `"default"`, `"nullable"` where a reference may hold no object, `"hand"`
    where it is written by hand; None for a class that has none."""
    ref_init: Literal["fields", "hand"] | None
    """The constructor of the reference class: `"fields"` takes the fields, `"hand"` is written in
    the custom region; None for a reference that only casts make."""
    cow: bool
    """Whether the reference class has `CopyOnWrite()`."""
    register: bool | Literal["hand"]
    """Whether the type key is registered; if not, C++ alone knows the class. `"hand"` leaves it to
    the `ObjectDef` chain that the class has."""
    extern: str | Literal[True]
    """The header of a class that another library defines, or True where that is not known.
    Nothing is emitted for it, but for accessors of an opaque class without a header."""
    size: int
    """Bytes of the C++ class, with `extern`: where the fields of a child begin. Without it the
    class is opaque: its layout is not known, and its fields are read through the registry."""


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
"""True or False; 1 byte. Of an integer that enters, all but 0 is True; a default is a boolean."""
int8_t = int
"""Signed integer of 8 bits; values are checked where they enter."""
int16_t = int
"""Signed integer of 16 bits; values are checked where they enter."""
int32_t = int
"""Signed integer of 32 bits; values are checked where they enter."""
int64_t = int
"""Signed integer of 64 bits; values are checked where they enter."""
uint8_t = int
"""Unsigned integer of 8 bits; values are checked where they enter."""
uint16_t = int
"""Unsigned integer of 16 bits; values are checked where they enter."""
uint32_t = int
"""Unsigned integer of 32 bits; values are checked where they enter."""
uint64_t = int
"""Unsigned integer of 64 bits, of which the ABI carries 0 to 2^63-1."""
float32 = float
"""Floating-point number of 32 bits. A value that enters is rounded to the nearest; a default
that is an integer must be exact."""
float64 = float
"""Floating-point number of 64 bits. An integer that enters is rounded to the nearest; a
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
"""Mutable sequence, shared by all that hold it: `ty.List[T]`."""
Map = Mapping
"""Immutable mapping: `ty.Map[K, V]`; a change makes a copy."""
Dict = dict
"""Mutable mapping, shared by all that hold it: `ty.Dict[K, V]`."""
IntEnum = enum.IntEnum
"""Base of an enum, whose members are integers of 32 bits: `class ForKind(ty.IntEnum)`."""
