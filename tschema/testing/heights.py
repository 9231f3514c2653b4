"""How many levels the smallest object of each type needs.

In: a schema.  Out: heights by type key; a type that is missing there cannot be made from the
schema alone, because it needs a function, a tensor, or itself.
"""

from __future__ import annotations

from tschema.ir.model import Schema, Type, TypeRef
from tschema.testing.values import PLAIN

_MAY_BE_EMPTY = ("Optional", "Array", "List", "Map", "Dict", "enum")


def heights(schema: Schema) -> dict[str, int]:
    """Return the height of each type's smallest object; 0 for one that needs no other object."""
    types = [type_ for space in schema.all_namespaces() for type_ in space.types]
    known: dict[str, int] = {}
    changed = True
    while changed:
        changed = False
        for type_ in types:
            height = _height(schema, type_, known) if type_.is_constructed else None
            if height is None:
                continue
            for ancestor in schema.ancestry(type_):
                if height < known.get(ancestor.key, height + 1):
                    known[ancestor.key] = height
                    changed = True
    return known


def _height(schema: Schema, type_: Type, known: dict[str, int]) -> int | None:
    required = [field.type for field in schema.arguments(type_) if field.default is None]
    below = [_level(ref, known) for ref in required]
    if None in below:
        return None
    return max((level for level in below if level is not None), default=0)


def _level(ref: TypeRef, known: dict[str, int]) -> int | None:
    """Return the level that a value of a type takes: one more than its node's height."""
    if ref.kind == "node":
        height = known.get(str(ref.key))
        return None if height is None else height + 1
    if ref.kind in _MAY_BE_EMPTY or ref.kind in PLAIN:
        return 0
    levels = [_level(arg, known) for arg in ref.args]
    found = [level for level in levels if level is not None]
    if ref.kind == "Union":
        return min(found, default=None)
    return max(found, default=0) if ref.kind == "Tuple" and len(found) == len(levels) else None
