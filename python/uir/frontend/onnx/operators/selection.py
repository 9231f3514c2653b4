"""Operators that select elements, whose number is known only when they run."""

from __future__ import annotations

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...selection import counter, first_rows, places, rows_along, runs, scattered, sorted_order
from ...tensors import dims, dtype_of, number, product, rank
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS"]


def nonzero(node: Node) -> RelayExpr:
    """Return the indices of elements that are not 0, a column for each; a scalar has no axis."""
    elements, x = node.known(0), node.input(0)
    if elements is not None and elements.dtype != object:
        found = np.argwhere(np.atleast_1d(elements)).T[: elements.ndim]
        return relay.const(np.ascontiguousarray(found, np.int64))
    if rank(x) == 0:
        rows = first_rows(node.bind, relay.nonzero(relay.reshape(x, [1])))
        return relay.strided_slice(relay.transpose(rows, [1, 0]), begin=[0], end=[0], axes=[0])
    return relay.transpose(first_rows(node.bind, relay.nonzero(x)), [1, 0])


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
        chosen = places(node.bind, condition)
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
    return first_rows(node.bind, selected)


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
    order = node.bind(sorted_order(slices))
    found = runs(node.bind, slices, order, are_nan_equal=axis is None)
    first, size = found.first, dims(found.first)[0]
    inverse = found.inverse() if node.has_output(2) else None
    counts = found.counts() if node.has_output(3) else None
    if not node.flag("sorted", True):
        by_place = node.bind(relay.topk(first, k=size, axis=0, largest=False))
        first, chosen = by_place[0], node.bind(by_place[1])
        counts = None if counts is None else relay.take(counts, chosen, 0)
        if inverse is not None:
            inverse = relay.take(scattered(chosen, counter(size), size), inverse, 0)
    values = relay.take(x, first, 0 if axis is None else axis)
    return [values, first, inverse, counts][: node.output_count]


CONVERTERS: dict[str, Converter] = {
    "Compress": compress,
    "NonMaxSuppression": non_max_suppression,
    "NonZero": nonzero,
    "Unique": unique,
}
