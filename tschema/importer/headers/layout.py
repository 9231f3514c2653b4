"""Places of the members in memory, as the Itanium C++ ABI lays classes out.

In: classes whose members have sizes.  Out: the same with offsets and sizes, as far as every size
before is known.  Offsets count from the object's header, which comes after a table pointer of
virtual functions; a child's members fill the padding at the end of its parent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from tschema.importer.headers.library_types import ROOT_SIZES
from tschema.importer.records import FoundClass

_WORD = 8


class _End(Struct, frozen=True):
    """Where the members of a class end, and its alignment; bytes."""

    offset: int
    align: int


def lay_out(found: Iterable[FoundClass]) -> None:
    """Fill in the offsets of fields and the sizes of classes."""
    classes = {one.key: one for one in found if one.key is not None}
    ends: dict[str, _End | None] = {
        key: _End(size, _WORD) for key, size in ROOT_SIZES.items() if key not in classes
    }
    for key in classes:
        line = [key]
        while line[-1] not in ends and (parent := _parent(classes, line[-1])) not in (None, *line):
            line.append(str(parent))
        for at in reversed(line):
            if at not in ends:
                ends[at] = _place(classes[at], ends) if at in classes else None


def _parent(classes: Mapping[str, FoundClass], key: str) -> str | None:
    return classes[key].parent if key in classes else None


def _place(found: FoundClass, ends: Mapping[str, _End | None]) -> _End | None:
    """Place the fields of one class behind its parent's."""
    at = ends.get(found.parent or "")
    for field in found.fields:
        if at is None or field.size is None or field.align is None:
            at = None
            continue
        field.offset = -(-at.offset // field.align) * field.align
        at = _End(field.offset + field.size, max(at.align, field.align))
    if at is not None:
        whole = at.offset + (_WORD if found.polymorphic else 0)
        found.size = -(-whole // at.align) * at.align
    return at
