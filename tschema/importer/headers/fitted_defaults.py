"""Defaults as the type of their field takes them.

In: a default as its expression reads, the type of the field, and which classes are nullable.  Out:
the default, whose literal is one of that type; unset where no literal makes the value.
"""

from __future__ import annotations

import re

from msgspec import UNSET
from msgspec.structs import replace

from tschema.importer.headers.defaults import Value
from tschema.importer.headers.symbols import Scope
from tschema.importer.headers.type_refs import TypeTable
from tschema.importer.records import FoundDefault
from tschema.ir.kinds import INTEGER_RANGES
from tschema.ir.model import TypeRef

_EMPTY = re.compile(r"((?:\w+::)*\w+)\s*(?:<.*>)?\s*(?:\(\s*\)|\{\s*\})$", re.DOTALL)
_NULL_VALUE = re.compile(r"(?:\w+::)*NullValue<(.*)>\(\)$", re.DOTALL)
_OBJECTS = {"node", "Object", "Function", "Tensor", "Shape", "Module"}


def fitted(
    default: FoundDefault, ref: TypeRef | None, types: TypeTable, scope: Scope
) -> FoundDefault:
    """Return a default as a field of the type takes it, written in a scope."""
    if not default.is_said:
        text = default.cpp or ""
        if _is_null(text, types, scope):
            return replace(default, value=None)
        return replace(default, member=_enum_member(text, ref, types, scope))
    return replace(default, value=literal_of_type(default.value, ref))


def _enum_member(
    text: str, ref: TypeRef | None, types: TypeTable, scope: Scope
) -> tuple[str, str] | None:
    """Return the enum's member that an expression is, for a field of the enum or an integer."""
    match = _MEMBER.match(text)
    if match is None or ref is None:
        return None
    full = types.full_name(match[1].removesuffix("::"), scope)
    enum = types.enums.get(full)
    if enum is None or not (enum.is_declarable and enum.has_values):
        return None
    if ref.kind not in INTEGER_RANGES and (ref.kind, ref.key) != ("enum", enum.key):
        return None
    types.used_enums.add(full)
    return enum.key, match[2]


_MEMBER = re.compile(
    r"(?:(?:static_cast<[^<>()]*>|u?int\d*(?:_t)?)\s*\(\s*)?((?:\w+::)+)(\w+)\s*\)?$"
)


def unsaid_default(name: str) -> str:
    """Return the note on a default that is omitted because it is not a literal."""
    return f"the default of `{name}`, which no literal makes"


def literal_of_type(value: Value, ref: TypeRef | None) -> Value:
    """Return a literal as one of a type: C++ takes an integer for a boolean, and the reverse."""
    if ref is None or value is None or value is UNSET:
        return value
    if ref.kind in _OBJECTS:
        # What C++ converts to an object is not a literal of a schema.
        return UNSET
    if ref.kind == "bool" and isinstance(value, int):
        return bool(value)
    if isinstance(value, bool) and ref.kind in INTEGER_RANGES:
        return int(value)
    if isinstance(value, int) and ref.kind in ("float32", "float64"):
        return float(value)
    return value


def _is_null(text: str, types: TypeTable, scope: Scope) -> bool:
    """Return whether an expression makes a reference to nothing: `Span()`, `NullValue<Span>()`."""
    null = _NULL_VALUE.match(text)
    if null is not None:
        value = types.value(null[1], scope)
        return value is not None and value.kind in _OBJECTS
    made = _EMPTY.match(text)
    if made is None:
        return False
    full = types.full_name(made[1], scope)
    return full in types.nullable or full == "tvm::ffi::Optional"
