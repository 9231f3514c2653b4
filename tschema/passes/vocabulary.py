"""The names that schema files take from `tschema`, `typing` and Python itself.

In: absolute dotted names.  Out: their kinds of types.  Adding a type is one line here.
"""

from __future__ import annotations

from collections.abc import Mapping

from tschema.ir.model import TypeKind

_TY: dict[str, TypeKind] = {
    "bool": "bool",
    "int8_t": "int8",
    "int16_t": "int16",
    "int32_t": "int32",
    "int64_t": "int64",
    "uint8_t": "uint8",
    "uint16_t": "uint16",
    "uint32_t": "uint32",
    "uint64_t": "uint64",
    "float32": "float32",
    "float64": "float64",
    "double": "float64",
    "DataType": "DataType",
    "Device": "Device",
    "String": "String",
    "Bytes": "Bytes",
    "Any": "Any",
    "Object": "Object",
    "Function": "Function",
    "Tensor": "Tensor",
    "Shape": "Shape",
    "Module": "Module",
}

_TY_CONSTRUCTORS: dict[str, TypeKind] = {
    "Optional": "Optional",
    "Array": "Array",
    "Map": "Map",
    "List": "List",
    "Dict": "Dict",
    "Tuple": "Tuple",
    "Union": "Union",
}

SCALARS: Mapping[str, TypeKind] = {
    **{f"tschema.ty.{name}": kind for name, kind in _TY.items()},
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
    **{f"tschema.ty.{name}": kind for name, kind in _TY_CONSTRUCTORS.items()},
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

ROOT_BASES = frozenset({"tschema.Object", "tschema.ty.Object"})
"""Bases of a class that has no declared parent."""

ENUM_BASES = frozenset({"tschema.ty.IntEnum", "enum.IntEnum"})
"""Bases that make a class an enum."""

DECORATORS = frozenset(
    f"tschema.{name}"
    for name in ("declare", "dialect", "field", "function", "method", "operand", "operator")
)
"""What a schema file may import besides types."""

KNOWN_NAMES = frozenset(
    {*SCALARS, *CONSTRUCTORS, *ROOT_BASES, *ENUM_BASES, *DECORATORS, "tschema.ty"}
)
"""Every absolute name that does not come from a schema file."""

KINDS = (
    "elementwise", "broadcast", "injective", "view", "reduction", "row", "contraction", "window",
    "opaque",
)  # fmt: skip
"""How elements of an operator's result depend on elements of its operands."""

EFFECTS = ("annotation", "pure", "read_state", "update_state")
"""What a call of an operator does besides computing a value."""
