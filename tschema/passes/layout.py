"""Computation of the layout of types, which tschema defines and compilers only check.

In: a node whose parent's layout is known.  Out: its fields with offsets, and its `Layout`.  All
figures are bytes.
"""

from __future__ import annotations

from collections.abc import Iterable

from tschema.ir.kinds import HEADER_SIZE, OBJECT_KINDS, TABLE_POINTER
from tschema.ir.model import Field, Layout, Options
from tschema.passes.resolved import Node

_WORD = 8

_PLAIN: dict[str, tuple[int, int]] = {
    **{f"{sign}int{8 * size}": (size, size) for sign in ("", "u") for size in (1, 2, 4, 8)},
    "bool": (1, 1),
    "float32": (4, 4),
    "float64": (8, 8),
    "DataType": (4, 2),
    "Device": (8, 4),
    "enum": (4, 4),
}


def size_and_align(field: Field) -> tuple[int, int]:
    """Return size and alignment of a field, which states those of a foreign type itself."""
    ref = field.type
    if ref.kind == "foreign":
        return field.size, field.align
    if ref.kind in OBJECT_KINDS:
        return (8, 8)
    if ref.kind == "Optional" and ref.args[0].kind in OBJECT_KINDS:
        return (8, 8)
    return _PLAIN.get(ref.kind, (16, 8))


def lay_out(
    node: Node, parent: Layout | None, slots: int, is_padded: bool
) -> tuple[tuple[Field, ...], Layout]:
    """Return a type's own fields with their places, and the layout of the whole.

    Parameters
    ----------
    parent
        The parent's layout; None for a root.
    slots
        The type's child slots.
    is_padded
        Whether the ancestors leave tail padding, see `leaves_padding`.
    """
    above = node.parent.options if node.parent else None
    # Below a class whose layout is not known, there is none either.
    start = parent.size - _table_pointer(above) if parent and parent.size else HEADER_SIZE
    end = start
    placed = []
    for info in node.fields:
        size, align = size_and_align(info.model)
        offset = _round_up(end, align)
        end = offset + size
        placed.append(info.model.placed(offset, size, align))
    size = _round_up(end, _WORD) + _table_pointer(node.options)
    layout = Layout(
        size=0 if node.is_opaque else node.extern_size or size,
        offset=start,
        depth=parent.depth + 1 if parent else 1,
        child_slots=slots,
        padded=is_padded,
    )
    return tuple(placed), layout


def end_of(fields: Iterable[Field], start: int) -> int:
    """Return where fields end that begin at `start`."""
    for field in fields:
        size, align = size_and_align(field)
        start = _round_up(start, align) + size
    return start


def _table_pointer(options: Options | None) -> int:
    return TABLE_POINTER if options is not None and options.polymorphic else 0


def leaves_padding(lineage: Iterable[tuple[Field, ...]]) -> bool:
    """Return whether the last field of a lineage, root first, ends off an 8-byte boundary."""
    ends = [fields[-1].offset + fields[-1].size for fields in lineage if fields]
    return bool(ends) and ends[-1] % _WORD != 0


def _round_up(offset: int, align: int) -> int:
    return -(-offset // align) * align
