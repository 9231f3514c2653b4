"""The names that schema files take from `tschema`, `typing` and Python itself.

In: absolute dotted names.  Out: their kinds of types.  Adding a type is one word here.
"""

from __future__ import annotations

from collections.abc import Mapping

from tschema.ir.declarations import LANGUAGE_NAMES
from tschema.ir.model import TypeKind

_INTEGERS: tuple[TypeKind, ...] = (
    *("int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64"),
)
_PLAIN: tuple[TypeKind, ...] = (
    *("bool", "float32", "float64", "DataType", "Device", "String", "Bytes", "Any"),
    *("Object", "Function", "Tensor", "Shape", "Module"),
)
_GENERIC: tuple[TypeKind, ...] = ("Optional", "Array", "Map", "List", "Dict", "Tuple", "Union")

SCALARS: Mapping[str, TypeKind] = {
    **{f"tschema.ty.{kind}_t": kind for kind in _INTEGERS},
    **{f"tschema.ty.{kind}": kind for kind in _PLAIN},
    "tschema.ty.double": "float64",
    "tschema.Object": "Object",
    "typing.Any": "Any",
    "bool": "bool",
    "int": "int64",
    "float": "float64",
    "str": "String",
    "bytes": "Bytes",
    "object": "Object",
}
"""Types without arguments, by absolute name."""

CONSTRUCTORS: Mapping[str, TypeKind] = {
    **{f"tschema.ty.{kind}": kind for kind in _GENERIC},
    "typing.Optional": "Optional",
    "typing.Union": "Union",
    "typing.List": "Array",
    "typing.Dict": "Map",
    "typing.Tuple": "Tuple",
    "list": "Array",
    "dict": "Map",
    "tuple": "Tuple",
}
"""Types with arguments, by absolute name."""

FOREIGN = "tschema.ty.foreign"
"""What makes a type of a text of C++, for a member that no other language sees."""

ROOT_BASES = frozenset({"tschema.Object", "tschema.ty.Object"})
"""Bases of a class that has no declared parent."""

ENUM_BASES = frozenset({"tschema.ty.IntEnum", "enum.IntEnum"})
"""Bases that make a class an enum."""

DECORATORS = frozenset(f"tschema.{name}" for name in LANGUAGE_NAMES) - {
    "tschema.Object",
    "tschema.ty",
}
"""The names that a schema file may import besides types."""

KNOWN_NAMES = frozenset(
    {*SCALARS, *CONSTRUCTORS, *ROOT_BASES, *ENUM_BASES, *DECORATORS, FOREIGN, "tschema.ty"}
)
"""Every absolute name that does not come from a schema file."""

KINDS = (
    "elementwise", "broadcast", "injective", "view", "reduction", "row", "contraction", "window",
    "opaque",
)  # fmt: skip
"""How elements of an operator's result depend on elements of its operands."""

EFFECTS = ("annotation", "pure", "read_state", "update_state")
"""The effects of a call of an operator besides computing a value."""
