"""Whether a value of one type is always a value of another.

In: the types of a field in two versions.  Out: whether files with old values still load.
"""

from __future__ import annotations

from tschema.ir.kinds import OBJECT_KINDS
from tschema.ir.model import Schema, TypeRef

_BITS = {"int8": 8, "int16": 16, "enum": 32, "int32": 32, "int64": 64}
_UNSIGNED_BITS = {"uint8": 8, "uint16": 16, "uint32": 32, "uint64": 63}
"""The ABI carries 63 bits of a `uint64`."""
_DIGITS = {"float32": 24, "float64": 53}
"""Bits of the integers that are exact as floating-point numbers."""
_COVARIANT = ("Array", "List", "Map", "Dict", "Tuple")


def is_wider(old: TypeRef, new: TypeRef, schema: Schema) -> bool:
    """Return whether each value of the old type is one of the new type, as files hold it.

    Parameters
    ----------
    old, new
        Two types, which differ.
    schema
        The new declarations, which say what derives from what.
    """
    if old == new or new.kind == "Any":
        return True
    if old.kind == "Union":
        return all(is_wider(one, new, schema) for one in old.args)
    if new.kind == "Union":
        return any(is_wider(old, one, schema) for one in new.args)
    if new.kind == "Optional":
        inner = old.args[0] if old.kind == "Optional" else old
        return is_wider(inner, new.args[0], schema)
    if old.kind == new.kind and old.kind in _COVARIANT and len(old.args) == len(new.args):
        return all(map(is_wider, old.args, new.args, [schema] * len(old.args)))
    return _is_wider_number(old.kind, new.kind) or _is_parent(old, new, schema)


def _is_wider_number(old: str, new: str) -> bool:
    if new == "enum":
        return False
    bits = _BITS.get(old) or _UNSIGNED_BITS.get(old)
    if bits is not None and new in _DIGITS:
        return bits - (old in _BITS) <= _DIGITS[new]
    if old in _BITS:
        return _BITS.get(new, 0) >= _BITS[old]
    if old in _UNSIGNED_BITS:
        return max(_UNSIGNED_BITS.get(new, 0), _BITS.get(new, 0) - 1) >= _UNSIGNED_BITS[old]
    return (old, new) == ("float32", "float64")


def _is_parent(old: TypeRef, new: TypeRef, schema: Schema) -> bool:
    """Return whether the new type is an ancestor of the old one."""
    if new.kind == "Object":
        return old.kind in OBJECT_KINDS
    if old.kind != "node" or new.kind != "node":
        return False
    try:
        line = schema.ancestry(schema.type(old.key or ""))
    except KeyError:
        return False
    return any(ancestor.key == new.key for ancestor in line)
