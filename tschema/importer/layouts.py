"""Places of members in memory: those that a schema gives them, against those that were found.

In: a found class, and where its members begin.  Out: its members with their places, and why a
schema cannot give it the layout that it has.  All figures are bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tschema.importer.records import FoundClass, FoundField
from tschema.ir.kinds import HEADER_SIZE
from tschema.ir.model import Field, TypeRef
from tschema.passes.foreign import size_of
from tschema.passes.layout import size_and_align

__all__ = [
    "HEADER_SIZE",
    "TABLE_POINTER",
    "Placed",
    "end_of_members",
    "place",
    "with_remaining_size",
]

TABLE_POINTER = 8
"""The bytes that virtual functions add to a class, before its `Object`."""
_WORD = 8


class Placed(Struct, frozen=True):
    """A class whose members have places."""

    fields: tuple[FoundField, ...]
    end: int
    """Where a child's members begin."""
    reasons: tuple[str, ...]
    """Why a schema gives it another layout; empty if it gives the same."""
    is_checked: bool
    """Whether the size of the whole was found, which the layout was held against."""


def place(found: FoundClass, start: int) -> Placed:
    """
    Place the members of a class as a schema does.

    Parameters
    ----------
    start
        Where its own members begin.
    """
    reasons: list[str] = []
    fields: list[FoundField] = []
    end = start
    for at, field in enumerate(found.fields):
        field = _sized(field, end, found.fields[at + 1 :])
        offset = _round_up(end, field.align or 1)
        if field.size is None:
            reasons.append(f"the size of `{field.name}` is not known")
        elif (expected := _said_size(field)) not in (None, field.size):
            reasons.append(f"`{field.name}` takes {field.size} bytes, and {expected} in a schema")
        if field.offset is not None and field.offset != offset:
            reasons.append(_misplaced(field.name, field.offset, offset, end, start))
            offset = field.offset
        fields.append(replace(field, offset=offset))
        end = offset + (field.size or 0)
    end = max(_round_up(end, _WORD), start)
    if found.size and not reasons and found.size != end + _table(found):
        reasons.append(_wrong_size(found, end))
    return Placed(tuple(fields), end_of_members(found) or end, tuple(reasons), bool(found.size))


def end_of_members(found: FoundClass) -> int | None:
    """Return where a child's members begin, as far as the size of the class tells."""
    return found.size - _table(found) if found.size else None


def with_remaining_size(
    fields: Sequence[FoundField], start: int, end: int | None
) -> list[FoundField]:
    """
    Give the only member of unknown size the bytes that the others leave.

    Parameters
    ----------
    fields
        The members of a class in the order of memory.
    end
        Where they end; None if nothing tells.
    """
    unknown = [at for at, field in enumerate(fields) if field.size is None]
    if len(unknown) != 1 or end is None:
        return list(fields)
    at = unknown[0]
    begin = _round_up(_end(fields[:at], start), _WORD)
    rest = _end(fields[at + 1 :], 0)
    size = (end - rest) // _WORD * _WORD - begin
    if size <= 0 or _round_up(rest, _WORD) + begin + size != end:
        return list(fields)
    return [*fields[:at], replace(fields[at], size=size, align=_WORD), *fields[at + 1 :]]


def _end(fields: Sequence[FoundField], start: int) -> int:
    """Return where members of known sizes end."""
    end = start
    for field in fields:
        end = _round_up(end, field.align or 1) + (field.size or 0)
    return end


def _table(found: FoundClass) -> int:
    return TABLE_POINTER if found.polymorphic else 0


def _sized(field: FoundField, end: int, rest: Iterable[FoundField]) -> FoundField:
    """Give a member the size and alignment of its type; if unknown, the remaining bytes."""
    if field.type is not None:
        known = _known_size(field.name, field.type)
        if known is not None:
            return replace(field, size=field.size or known[0], align=field.align or known[1])
    if field.size is not None:
        return replace(field, align=field.align or min(field.size & -field.size, _WORD))
    following = next(iter(rest), None)
    if following is None or following.offset is None:
        return field
    begin = _round_up(end, _WORD)
    return replace(field, size=following.offset - begin, align=_WORD)


def _said_size(field: FoundField) -> int | None:
    """Return the size that a schema gives a member, as far as its type tells."""
    known = _known_size(field.name, field.type) if field.type is not None else None
    is_stated = field.type is not None and field.type.kind == "foreign"
    return known[0] if known is not None and not is_stated else None


def _known_size(name: str, ref: TypeRef) -> tuple[int, int] | None:
    """Return size and alignment of a type, as far as the schema language knows them."""
    if ref.kind == "foreign":
        return size_of(ref.key or "")
    return size_and_align(Field(name=name, type=ref))


def _misplaced(name: str, found: int, placed: int, end: int, start: int) -> str:
    if found < start:
        return f"`{name}` stands at byte {found}, among the members of the parent"
    if found < end:
        return f"`{name}` stands at byte {found}, inside the member before it"
    return f"{found - placed} bytes before `{name}` belong to members that are not registered"


def _wrong_size(found: FoundClass, end: int) -> str:
    size = found.size or 0
    rest = size - end - _table(found)
    if rest < 0:
        return f"it is {size} bytes long, but its members end at byte {end}"
    if rest == TABLE_POINTER and not found.polymorphic:
        return (
            f"the last {rest} bytes belong to a table of virtual functions, or to a member "
            "that is not registered"
        )
    return f"the last {rest} bytes belong to members that are not registered"


def _round_up(offset: int, align: int) -> int:
    return -(-offset // align) * align
