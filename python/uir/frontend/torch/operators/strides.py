"""Views by strides: `as_strided`, diagonals and windows.

A tensor of relay has no strides. The strides that the program propagates say which elements a view
of memory has.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Dim, dims, greatest, least, product, rank, scalar, size_tensor
from ..node import Converter, Node
from ..refusals import PARTLY_REFUSED
from .indexing import inverse, transposed

__all__ = ["CONVERTERS", "memory_order"]


class Part(NamedTuple):
    """Indices along an axis of the operand: the first one, and a step of each axis of the view."""

    first: int
    steps: dict[int, int]

    def fits(self, size: Any, sizes: Sequence[Any]) -> bool:
        """Return whether the greatest index is known to be less than the size of the axis."""
        if not self.first and not self.steps:
            return True  # An axis has an element, since the view has one.
        last = self.first + sum((sizes[place] - 1) * step for place, step in self.steps.items())
        return bool((size - 1 - last).expand().is_nonnegative)


class Layout(NamedTuple):
    """Sizes, strides and the offset of the first element, as expressions of SymPy."""

    sizes: list[Any]
    strides: list[Any]
    offset: Any

    def outer_first(self) -> list[int]:
        """Return the axes of more than one element, those of great strides first."""
        ordered: list[int] = []
        for axis in (axis for axis, size in enumerate(self.sizes) if size != 1):
            place = 0
            while place < len(ordered) and self._holds(ordered[place], axis):
                place += 1
            ordered.insert(place, axis)
        return ordered

    def _holds(self, outer: int, inner: int) -> bool:
        """Return whether one step along an axis is known to pass all elements of another one."""
        extent = self.strides[inner] * self.sizes[inner]
        difference = (self.strides[outer] - extent).expand()
        multiple = sympy().cancel(self.strides[outer] / extent)
        return bool(difference.is_nonnegative) or bool(multiple.is_integer and multiple.is_positive)

    def is_dense(self, ordered: Sequence[int]) -> bool:
        """Return whether no elements of others lie between those of this tensor."""
        expected = [*[self.strides[axis] * self.sizes[axis] for axis in ordered[1:]], 1]
        pairs = zip(ordered, expected, strict=False)
        return all((self.strides[axis] - one).expand() == 0 for axis, one in pairs)


def sympy() -> Any:
    """Return the module `sympy`, which PyTorch brings along."""
    return importlib.import_module("sympy")


def expression(size: Any) -> Any:
    """Return a size, an integer or a `torch.SymInt`, as an expression of SymPy."""
    return sympy().Integer(size) if isinstance(size, int) else size.node.expr


def layout_of(tensor: Any) -> Layout:
    """Return sizes, strides and offset of a tensor, in elements, as expressions of SymPy."""
    return Layout(
        [expression(size) for size in tensor.shape],
        [expression(stride) for stride in tensor.stride()],
        expression(tensor.storage_offset()),
    )


def memory_order(tensor: Any) -> list[int]:
    """Return the axes of a tensor as its memory has them, the outermost first.

    Parameters
    ----------
    tensor
        A tensor, as a program describes it.

    Returns
    -------
    order
        The axes in their own order if the memory has gaps, or an element several times.
    """
    layout = layout_of(tensor)
    own = list(range(len(layout.sizes)))
    if any(one == 0 for one in (*layout.sizes, *layout.strides)):
        return own
    ordered = layout.outer_first()
    if ordered == sorted(ordered) or not layout.is_dense(ordered):
        return own
    return [*(axis for axis in own if axis not in ordered), *ordered]


def as_strided(node: Node) -> RelayExpr:
    """Take the elements at the places in memory that sizes, strides and an offset name."""
    x, own = node.tensor(), layout_of(node.described("self"))
    offset = node.described("storage_offset")
    view = Layout(
        [expression(size) for size in node.described("size")],
        [expression(stride) for stride in node.described("stride")],
        sympy().Integer(0) if offset is None else (expression(offset) - own.offset).expand(),
    )
    if any(size == 0 for size in view.sizes):
        return relay.full(scalar(0, x), node.get("size"))
    ordered = own.outer_first()
    parts = parts_of(own, ordered, view)
    if parts is not None:
        return selected(x, parts, node.get("size"))
    if not view.offset.is_Integer or view.offset < 0 or not own.is_dense(ordered):
        raise Refused(PARTLY_REFUSED["as_strided"])
    return from_memory(x, ordered, int(view.offset), node)


def parts_of(own: Layout, ordered: Sequence[int], view: Layout) -> dict[int, Part] | None:
    """Return a part of each axis, the product of which is a view; None if there are no such."""
    parts = {axis: Part(0, {}) for axis in range(len(own.sizes))}
    rest = view.offset
    for axis in ordered:
        first = quotient(rest, own.strides[axis])
        parts[axis] = Part(first, {})
        rest = (rest - first * own.strides[axis]).expand()
    if rest != 0:
        return None
    for place, (size, stride) in enumerate(zip(view.sizes, view.strides, strict=True)):
        if size == 1 or stride == 0:
            continue
        for axis in ordered:
            step = sympy().cancel(stride / own.strides[axis])
            if step.is_Integer and step > 0:
                longer = Part(parts[axis].first, {**parts[axis].steps, place: int(step)})
                if longer.fits(own.sizes[axis], view.sizes):
                    parts[axis] = longer
                    break
        else:
            return None
    sizes = ((parts[axis], own.sizes[axis]) for axis in ordered)
    return parts if all(part.fits(size, view.sizes) for part, size in sizes) else None


def quotient(value: Any, by: Any) -> int:
    """Return how often a stride fits into a number of elements, as far as it is known."""
    if value.is_Integer and by.is_Integer:
        return max(0, int(value) // int(by))
    whole = sympy().cancel(value / by)
    return int(whole) if whole.is_Integer and whole > 0 else 0


def selected(x: RelayExpr, parts: dict[int, Part], sizes: Sequence[Dim]) -> RelayExpr:
    """Return the product of parts of axes, with the axes of the view in their order."""
    places: list[int] = []
    for axis in reversed(range(rank(x))):
        x = along(x, axis, parts[axis], sizes)
        places = [*parts[axis].steps, *places]
    x = transposed(x, sorted(range(len(places)), key=places.__getitem__))
    new = [place for place in range(len(sizes)) if place not in places]
    return relay.broadcast_to(relay.expand_dims(x, new), sizes) if new else x


def along(x: RelayExpr, axis: int, part: Part, sizes: Sequence[Dim]) -> RelayExpr:
    """Return a part of an axis, which has as many axes as there are steps."""
    lengths, steps = [sizes[place] for place in part.steps], list(part.steps.values())
    if len(steps) > 1:
        return relay.take(x, window_places(part.first, lengths, steps), axis)
    length, step = (lengths[0], steps[0]) if steps else (1, 1)
    end = part.first + (length - 1) * step + 1
    x = relay.strided_slice(x, [part.first], [end], axes=[axis], strides=[step])
    return x if steps else relay.squeeze(x, [axis])


def window_places(first: int, lengths: Sequence[Dim], steps: Sequence[Dim]) -> RelayExpr:
    """Return the sum of a number and of a counter along each axis, by its step."""
    places = size_tensor(first)
    for behind, (length, step) in enumerate(zip(reversed(lengths), reversed(steps), strict=True)):
        counter = relay.multiply(relay.arange(0, length, dtype="int64"), size_tensor(step))
        column = relay.expand_dims(counter, list(range(1, behind + 1))) if behind else counter
        places = relay.add(column, places)
    return places


def from_memory(x: RelayExpr, ordered: Sequence[int], first: int, node: Node) -> RelayExpr:
    """Take elements of a tensor without gaps; those beyond its last one stop the program."""
    others = [axis for axis in range(rank(x)) if axis not in ordered]
    flat = relay.reshape(transposed(x, [*others, *ordered]), [-1])
    sizes, strides = node.get("size"), node.get("stride")
    count = product(dims(x))
    if all(isinstance(size, int) for size in [count, *sizes, *strides]):
        last = first + sum((a - 1) * b for a, b in zip(sizes, strides, strict=True))
        if last >= count:
            raise Refused("elements beyond those of the operand")
    return relay.take(flat, window_places(first, sizes, strides), 0)


def diagonal(node: Node) -> RelayExpr:
    """Take the elements of matrices whose column is the row and an offset."""
    x = node.tensor()
    matrices = transposed(x, matrices_first(node))
    taken = relay.gather_nd(matrices, diagonal_places(matrices, node.get("offset")))
    return transposed(taken, [*range(1, rank(taken)), 0])


def diagonal_scatter(node: Node) -> RelayExpr:
    """Write a tensor over the diagonal of matrices."""
    x, source, order = node.tensor(), node.tensor("src"), matrices_first(node)
    matrices = transposed(x, order)
    places = diagonal_places(matrices, node.get("offset"))
    last = rank(source) - 1
    written = relay.scatter_nd(matrices, places, transposed(source, [last, *range(last)]))
    return transposed(written, inverse(order))


def matrices_first(node: Node) -> list[int]:
    """Return the axes of rows and columns, then the others."""
    count = rank(node.tensor())
    matrix = [node.get("dim1") % count, node.get("dim2") % count]
    return [*matrix, *[axis for axis in range(count) if axis not in matrix]]


def diagonal_places(matrices: RelayExpr, offset: int) -> RelayExpr:
    """Return the int64 rows and columns of a diagonal, of shape (length, 2)."""
    rows, columns = dims(matrices)[:2]
    counter = relay.arange(0, length_of_diagonal(rows, columns, offset), dtype="int64")
    pair = [
        relay.add(counter, scalar(first, counter)) for first in (max(0, -offset), max(0, offset))
    ]
    return relay.concatenate([relay.expand_dims(one, [1]) for one in pair], 1)


def length_of_diagonal(rows: Dim, columns: Dim, offset: int) -> Dim:
    """Return the number of elements of a diagonal, 0 if it is outside the matrix."""
    lengths = [rows if offset >= 0 else rows + offset, columns if offset <= 0 else columns - offset]
    return greatest(0, least(lengths[0], lengths[1]))


def unfold(node: Node) -> RelayExpr:
    """Take windows of an axis; the last axis of the result goes through a window."""
    x, size, step = node.tensor(), node.get("size"), node.get("step")
    if not rank(x):
        return relay.strided_slice(relay.expand_dims(x, [0]), [0], [size])
    axis = node.get("dimension") % rank(x)
    count = (dims(x)[axis] - size) // step + 1
    taken = relay.take(x, window_places(0, [count, size], [step, 1]), axis)
    axes = [other for other in range(rank(taken)) if other != axis + 1]
    return transposed(taken, [*axes, axis + 1])


CONVERTERS: dict[str, Converter] = {
    "as_strided.default": as_strided,
    "as_strided_copy.default": as_strided,
    "diagonal.default": diagonal,
    "diagonal_scatter.default": diagonal_scatter,
    "unfold.default": unfold,
}
