"""How Python spells the classes and the members of enums whose names it reserves.

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


def class_name(name: str) -> str:
    """Return the name of a class or an enum: `None_` for `None`."""
    return f"{name}_" if name in CLASSES or keyword.iskeyword(name) else name


def field_name(name: str) -> str:
    """Return the name of a field of a class: `from_` for `from`, `dict_` for `__dict__`."""
    is_special = len(name) > 4 and name.startswith("__") and name.endswith("__")
    return f"{name.strip('_')}_" if is_special or keyword.iskeyword(name) else name


def member_name(name: str) -> str:
    """Return the name of a member of an enum: `value_` for `value`."""
    return f"{name}_" if name in MEMBERS or keyword.iskeyword(name) else name
