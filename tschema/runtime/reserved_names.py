"""How Python spells classes, attributes and members of enums whose names it reserves.

In: a name of a schema.  Out: the name that generated classes have too, so that a program is the
same whether types are generated or declared.
"""

from __future__ import annotations

import keyword

CLASSES = frozenset(
    {"MISSING", "bool", "bytes", "float", "int", "object", "property", "str", "tschema", "tvm_ffi"}
)
"""What generated modules use themselves."""
MEMBERS = frozenset(
    {"as_integer_ratio", "bit_count", "bit_length", "conjugate", "denominator", "from_bytes"}
    | {"imag", "is_integer", "mro", "name", "numerator", "real", "to_bytes", "value"}
)
"""What enums have already."""
ATTRIBUTES = frozenset({"bytes", "id_", "is_", "object", "property", "same_as", "self", "str"})
"""What objects have already, or the annotations beside a field."""


def class_name(name: str) -> str:
    """Return the name of a class or an enum: `None_` for `None`."""
    return f"{name}_" if name in CLASSES or keyword.iskeyword(name) else name


def member_name(name: str) -> str:
    """Return the name of a member of an enum: `value_` for `value`."""
    return f"{name}_" if name in MEMBERS or keyword.iskeyword(name) else name


def attribute_name(name: str) -> str:
    """Return the attribute of a field: `from_` for `from`, `dict_` for `__dict__`."""
    plain = name.strip("_") if name.startswith("__") else name
    is_reserved = plain != name or plain in ATTRIBUTES or keyword.iskeyword(plain)
    return f"{plain}_" if is_reserved else name
