"""Operators that select elements, whose number is known only when they run.

Relay computes as many rows as there may be, and their number; `first_rows` cuts the others off, and
binds a variable to it.
"""

from __future__ import annotations

import numpy as np

from uir_nodes.ir import RelayExpr
from uir_nodes.relay import Block, Tuple, Var, While

from .... import relay, tir
from ...errors import Refused
from ...tensors import Dim, dims, dtype_of, number, product, rank, size_tensor
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS"]


def first_rows(node: Node, rows_and_count: RelayExpr) -> RelayExpr:
    """Return the rows that count of a tuple of rows and their number."""
    both = node.bind(rows_and_count)
    return node.bind(relay.first_rows(both[0], both[1], size=tir.SizeVar("found")))


def places(node: Node, flags: RelayExpr) -> RelayExpr:
    """Return the places in a tensor of rank 1 whose elements are not 0, of shape `(found,)`."""
    rows = first_rows(node, relay.nonzero(flags))
    return relay.reshape(rows, dims(rows)[:1])


def nonzero(node: Node) -> RelayExpr:
    """Return the indices of elements that are not 0, a column for each; a scalar has no axis."""
    elements, x = node.known(0), node.input(0)
    if elements is not None and elements.dtype != object:
        found = np.argwhere(np.atleast_1d(elements)).T[: elements.ndim]
        return relay.const(np.ascontiguousarray(found, np.int64))
    if rank(x) == 0:
        rows = first_rows(node, relay.nonzero(relay.reshape(x, [1])))
        return relay.strided_slice(relay.transpose(rows, [1, 0]), begin=[0], end=[0], axes=[0])
    return relay.transpose(first_rows(node, relay.nonzero(x)), [1, 0])


def compress(node: Node) -> RelayExpr:
    """Return the slices along an axis for which a condition holds.

    Raises
    ------
    Refused
        If the condition has more elements than the axis, or another rank than 1.
    """
    x, axis = node.input(0), node.attribute("axis")
    if axis is None:
        x, axis = relay.reshape(x, [product(dims(x))]), 0
    if not -rank(x) <= axis < rank(x):
        raise Refused(f"axis {axis} of an operand of rank {rank(x)}")
    condition = node.input(1)
    if rank(condition) != 1:
        raise Refused(f"a condition of rank {rank(condition)}, which must be 1")
    [count], size = dims(condition), dims(x)[axis]
    if isinstance(count, int) and isinstance(size, int) and count > size:
        raise Refused(f"a condition of {count} elements for an axis of {size}")
    elements = node.known(1)
    if elements is not None and elements.dtype != object:
        chosen: RelayExpr = relay.const(np.flatnonzero(elements).astype(np.int64))
    else:
        chosen = places(node, condition)
    return relay.take(x, chosen, axis)


def non_max_suppression(node: Node) -> RelayExpr:
    """Return boxes of high scores of which no two overlap much."""
    boxes, scores = node.input(0), node.input(1)
    most = 0 if node.optional(2) is None else max(node.integer(2), 0)
    threshold = node.optional(3)
    if threshold is None:
        threshold = number(0, dtype_of(boxes))
    least = node.optional(4)
    selected = relay.non_max_suppression(
        boxes,
        scores,
        relay.reshape(threshold, []),
        None if least is None else relay.reshape(least, []),
        max_output=most,
        center_point_box=node.flag("center_point_box"),
    )
    return first_rows(node, selected)


def unique(node: Node) -> Outputs:
    """Return the distinct elements, or slices along an axis, and where they are.

    Equal elements are neighbors once they are sorted: the first one of each run is a result.

    Raises
    ------
    Refused
        If the axis is out of range.
    """
    x, axis = node.input(0), node.attribute("axis")
    if axis is None:
        x = node.bind(relay.reshape(x, [product(dims(x))]))
    elif not -rank(x) <= axis < rank(x):
        raise Refused(f"axis {axis} of an operand of rank {rank(x)}")
    slices = x if axis is None or rank(x) == 1 else node.bind(rows_along(x, axis))
    size = dims(slices)[0]
    order = node.bind(sorted_order(slices))
    begins = node.bind(run_begins(node, relay.take(slices, order, 0), axis is None))
    # The runs, by their first elements; equal elements are in order, so these are the first ones.
    first = node.bind(relay.take(order, places(node, begins), 0))
    run = relay.subtract(relay.cumsum(relay.cast(begins, "int64"), axis=0), number(1, "int64"))
    run = node.bind(run)
    found = dims(first)[0]
    inverse = scattered(order, run, size) if node.has_output(2) else None
    counts = scattered(run, ones(size), found, "add") if node.has_output(3) else None
    if not node.flag("sorted", True):
        by_place = node.bind(relay.topk(first, k=found, axis=0, largest=False))
        first, chosen = by_place[0], node.bind(by_place[1])
        counts = None if counts is None else relay.take(counts, chosen, 0)
        if inverse is not None:
            inverse = relay.take(scattered(chosen, counter(found), found), inverse, 0)
    values = relay.take(x, first, 0 if axis is None else axis)
    return [values, first, inverse, counts][: node.output_count]


def rows_along(x: RelayExpr, axis: int) -> RelayExpr:
    """Return the slices along an axis as rows of a matrix."""
    order = list(range(rank(x)))
    order.insert(0, order.pop(axis))
    moved = relay.transpose(x, order)
    return relay.reshape(moved, [dims(moved)[0], product(dims(moved)[1:])])


def sorted_order(slices: RelayExpr) -> RelayExpr:
    """Return the places of sorted elements, or of rows sorted by their first differing elements.

    Rows are sorted by one column after another, the last one first; each sort is stable.
    """
    size = dims(slices)[0]
    slices = relay.cast(slices, "uint8") if dtype_of(slices) == "bool" else slices
    if rank(slices) == 1:
        return relay.topk(slices, k=size, axis=0, largest=False)[1]
    zero, one = number(0, "int64"), number(1, "int64")
    column = Var("column", relay.Tensor((), "int64"))
    order = Var("order", relay.Tensor([size], "int64"))
    last = relay.subtract(column, one)
    keys = relay.take(relay.take(slices, last, 1), order, 0)
    chosen = relay.topk(keys, k=size, axis=0, largest=False)[1]
    step = Tuple([relay.less(zero, last), last, relay.take(order, chosen, 0)])
    width = size_tensor(dims(slices)[1])
    loop = While([column, order], relay.less(zero, width), [width, counter(size)], Block([], step))
    return loop[1]


def run_begins(node: Node, ordered: RelayExpr, are_nan_equal: bool) -> RelayExpr:
    """Return whether each of some sorted elements or rows differs from the one before it."""
    ordered = node.bind(ordered)
    place = node.bind(counter(dims(ordered)[0]))
    before = relay.maximum(relay.subtract(place, number(1, "int64")), number(0, "int64"))
    previous = node.bind(relay.take(ordered, before, 0))
    differs = relay.not_equal(ordered, previous)
    if are_nan_equal and dtype_of(ordered) in ("float16", "bfloat16", "float32", "float64"):
        are_nan = relay.logical_and(relay.isnan(ordered), relay.isnan(previous))
        differs = relay.logical_and(differs, relay.logical_not(are_nan))
    if rank(differs) == 2:
        differs = relay.max(differs, [1])
    return relay.logical_or(relay.equal(place, number(0, "int64")), differs)


def counter(size: Dim) -> RelayExpr:
    """Return the numbers from 0 to a size."""
    return relay.arange(0, size, dtype="int64")


def ones(size: Dim) -> RelayExpr:
    """Return as many times 1."""
    return relay.full(number(1, "int64"), [size])


def scattered(at: RelayExpr, numbers: RelayExpr, size: Dim, reduction: str = "none") -> RelayExpr:
    """Return numbers at given places of a tensor of a size, which is 0 elsewhere."""
    zeros = relay.full(number(0, "int64"), [size])
    return relay.scatter_elements(zeros, at, numbers, axis=0, reduction=reduction)


CONVERTERS: dict[str, Converter] = {
    "Compress": compress,
    "NonMaxSuppression": non_max_suppression,
    "NonZero": nonzero,
    "Unique": unique,
}
