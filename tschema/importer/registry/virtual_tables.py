"""Which types of a registry have virtual functions, as far as sizes and offsets prove it.

In: probed types.  Out: their keys.  `Object` has no virtual function, so that the table pointer of
a class that has one comes before the `Object`.  Offsets count from there and do not show it; the
class is 8 bytes larger than its members are.  A child's first member shows the difference, since it
follows the parent's last member closely.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tschema.importer.registry.ask import ProbedType

_POINTER = 8
"""Bytes."""


def polymorphic_keys(types: Iterable[ProbedType]) -> frozenset[str]:
    """Return the keys of types that surely have virtual functions, and of all types below them."""
    by_key = {one.key: one for one in types}
    proved: set[str] = set()
    for one in by_key.values():
        proved.update(_proved(one, by_key))
    return frozenset(key for key in by_key if not proved.isdisjoint(_line(key, by_key)))


def _proved(child: ProbedType, by_key: Mapping[str, ProbedType]) -> Iterable[str]:
    """Yield ancestors of a type that its first member, or its size, proves to be polymorphic."""
    for parent in _ancestors(child, by_key):
        if not parent.size:
            return
        if not _starts_before_end(child, parent.size):
            return
        yield parent.key
        child = parent


def _starts_before_end(child: ProbedType, parent_size: int) -> bool:
    """Return whether a child's own members begin where the parent's pointer is the only reason.

    A member may begin in the padding at the parent's end, which is shorter than a pointer.
    """
    if not child.fields:
        return False
    first = min(field.offset for field in child.fields)
    return parent_size - 2 * _POINTER < first <= parent_size - _POINTER


def _ancestors(one: ProbedType, by_key: Mapping[str, ProbedType]) -> Iterable[ProbedType]:
    parent = by_key.get(one.parent or "")
    while parent is not None:
        yield parent
        parent = by_key.get(parent.parent or "")


def _line(key: str, by_key: Mapping[str, ProbedType]) -> Iterable[str]:
    yield key
    yield from (one.key for one in _ancestors(by_key[key], by_key))
