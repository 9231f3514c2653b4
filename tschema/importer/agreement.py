"""Whether the layouts that a schema computes are those that were found.

In: the JSON IR, and found classes.  Out: for each class, whether they agree, or how they differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from tschema.importer.records import FoundClass
from tschema.ir.model import Schema, Type


class Agreement(Struct, frozen=True):
    """The layouts of declared classes against those that were found."""

    exact: tuple[str, ...]
    """Keys of classes with the same fields at the same offsets, of the same sizes, and the same
    size of the whole."""
    unchecked: tuple[str, ...]
    """Keys of classes whose size nothing tells."""
    different: Mapping[str, tuple[str, ...]]
    """By key, what differs."""


def agreement(schema: Schema, found: Iterable[FoundClass]) -> Agreement:
    """
    Hold the layouts of a schema against those that were found.

    Parameters
    ----------
    found
        The declared classes as they were found.
    """
    exact, unchecked, different = [], [], {}
    classes = [one for one in found if one.key and _has_layout(schema.type(one.key))]
    proved = {one.parent for one in classes if one.size and _starts_at_parent(one, schema)}
    for one in classes:
        key = one.key or ""
        differences = tuple(_differences(schema.type(key), one))
        if differences:
            different[key] = (*differences, *one.unsaid)
        elif one.size or key in proved:
            exact.append(key)
        else:
            unchecked.append(key)
    return Agreement(tuple(exact), tuple(unchecked), different)


def _has_layout(type_: Type) -> bool:
    """Return whether a schema lists the members of a class."""
    return type_.options.extern is None or bool(type_.fields)


def _starts_at_parent(found: FoundClass, schema: Schema) -> bool:
    """Return whether a class's first member begins where its parent's layout ends.

    That tells how long a parent is which has no size of its own in the registry.
    """
    own = [field for field in found.fields if field.offset is not None]
    type_ = schema.type(found.key or "")
    return bool(own) and own[0].offset == type_.layout.offset and found.size == type_.layout.size


def _differences(type_: Type, found: FoundClass) -> Iterable[str]:
    declared = {field.name: field for field in type_.members}
    for field in found.fields:
        own = declared.get(field.name)
        if own is None:
            yield f"`{field.name}` is not declared"
            continue
        for what, expected, actual in (
            ("offset", field.offset, own.offset),
            ("size", field.size, own.size),
            ("alignment", field.align, own.align),
        ):
            if expected is not None and expected != actual:
                yield f"`{field.name}` has {what} {expected}, and {actual} in the schema"
    if found.size and found.size != type_.layout.size:
        yield f"it is {found.size} bytes long, and {type_.layout.size} in the schema"
