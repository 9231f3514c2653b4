"""Operators that select elements, whose number is known only when they run."""

from __future__ import annotations

from collections.abc import Sequence

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...selection import (
    Runs,
    bound_size,
    counter,
    first_rows,
    places,
    rows_along,
    runs,
    scattered,
    sorted_order,
)
from ...tensors import Dim, common_shape, dims, in_type, number, product, rank, scalar
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS", "OTHERS"]


def nonzero(node: Node) -> RelayExpr:
    """Return the indices of elements that are not 0, a row for each; a scalar has no axis."""
    x = node.tensor()
    rows = first_rows(
        node.bind, relay.nonzero(x if rank(x) else relay.reshape(x, [1])), node.found_size()
    )
    return rows if rank(x) else relay.strided_slice(rows, [0], [0], axes=[1])


def nonzero_static(node: Node) -> RelayExpr:
    """Return a given number of indices of elements that are not 0, and a number behind them."""
    x, size = node.tensor(), node.get("size")
    fill = number(node.get("fill_value"), "int64")
    both = node.bind(relay.nonzero(x if rank(x) else relay.reshape(x, [1])))
    missing = relay.full(fill, [size, rank(x)])
    if not rank(x):
        return missing
    place = relay.expand_dims(counter(size), [1])
    rows = relay.concatenate([both[0], missing], 0)
    rows = relay.strided_slice(rows, [0], [size], axes=[0])
    return relay.where(relay.less(place, both[1]), rows, fill)


def masked_select(node: Node) -> RelayExpr:
    """Return the elements where a mask is true; both are broadcast against each other."""
    x, mask = node.tensor(), node.tensor("mask")
    shape = common_shape([dims(x), dims(mask)])
    flat, chosen = (
        relay.reshape(relay.broadcast_to(one, shape), [product(shape)]) for one in (x, mask)
    )
    return relay.take(flat, places(node.bind, chosen, node.found_size()), 0)


def repeat_interleave(node: Node) -> RelayExpr:
    """Return each place of the numbers as often as its number says, which must not be negative."""
    repeats = node.bind(in_type(node.tensor("repeats"), "int64"))
    total = relay.sum(repeats)
    size = bound_size(node.bind, unless_negative(repeats, total), node.found_size())
    # The places where the elements behind each one begin; those at the end begin none.
    ends = relay.cumsum(repeats, axis=0)
    begins = scattered(ends, relay.full(number(1, "int64"), dims(repeats)), size + 1, "add")
    found = relay.strided_slice(relay.cumsum(begins, axis=0), [0], [size], axes=[0])
    wanted = node.get("output_size")
    # Calls check that the sizes are equal.
    found = found if wanted is None else relay.reshape(found, [wanted], allowzero=True)
    return in_type(found, node.dtype)


def unless_negative(numbers: RelayExpr, count: RelayExpr) -> RelayExpr:
    """Return a count, or -1, which is the number of no rows, if one of some numbers is negative."""
    least = relay.min(relay.concatenate([numbers, number_row(0)], 0))
    return relay.where(relay.less(least, number(0, "int64")), number(-1, "int64"), count)


def number_row(value: int) -> RelayExpr:
    """Return a number as an int64 tensor of shape (1,)."""
    return relay.reshape(number(value, "int64"), [1])


def bincount(node: Node) -> RelayExpr:
    """Return how often each number from 0 on occurs, or the sums of the weights of each."""
    x = node.bind(in_type(node.tensor(), "int64"))
    least = number_row(node.get("minlength") - 1)
    greatest = relay.max(relay.concatenate([x, least], 0))
    count = unless_negative(x, relay.add(greatest, number(1, "int64")))
    size = bound_size(node.bind, count, node.found_size())
    weights = node.optional("weights")
    if weights is None:
        weights = relay.full(number(1, "int64"), dims(x))
    return scattered(x, in_type(weights, node.dtype), size, "add")


def unique(node: Node) -> Outputs:
    """Return the distinct elements in order, which of them each one is, and how many each is."""
    x = node.tensor()
    flat = node.bind(relay.reshape(x, [product(dims(x))]))
    found = found_runs(node, flat, node.bind(sorted_order(flat)))
    return results_of(node, flat, 0, found, dims(x))


def unique_consecutive(node: Node) -> Outputs:
    """Return an element, or a slice along an axis, of each run of equal ones."""
    x, axis = node.tensor(), node.get("dim") or 0
    shape = dims(x)
    if node.get("dim") is None:
        x = node.bind(relay.reshape(x, [product(shape)]))
    slices = slices_along(node, x, axis)
    order = node.bind(counter(dims(slices)[0]))
    places_shape = shape if node.get("dim") is None else dims(order)
    return results_of(node, x, axis, found_runs(node, slices, order), places_shape)


def unique_dim(node: Node) -> Outputs:
    """Return the distinct slices along an axis in order."""
    x, axis = node.tensor(), node.get("dim")
    slices = slices_along(node, x, axis)
    found = found_runs(node, slices, node.bind(sorted_order(slices)))
    return results_of(node, x, axis, found, dims(slices)[:1])


def slices_along(node: Node, x: RelayExpr, axis: int) -> RelayExpr:
    """Return the slices along an axis: elements, or rows of a matrix."""
    if not rank(x):
        raise Refused("slices of a tensor of rank 0")
    return x if rank(x) == 1 else node.bind(rows_along(x, axis % rank(x)))


def found_runs(node: Node, slices: RelayExpr, order: RelayExpr) -> Runs:
    """Return the runs of equal slices in an order; NaN differs from NaN."""
    return runs(node.bind, slices, order, are_nan_equal=False, size=node.found_size())


def results_of(node: Node, x: RelayExpr, axis: int, found: Runs, shape: Sequence[Dim]) -> Outputs:
    """Return the slices of runs, and the numbers of runs, in a shape, and counts on demand."""
    inverse = None
    if node.get("return_inverse"):
        inverse = relay.reshape(found.inverse(), list(shape), allowzero=True)
    counts = found.counts() if node.get("return_counts") else None
    return [relay.take(x, found.first, axis), inverse, counts]


def non_max_suppression(node: Node) -> RelayExpr:
    """Return the places of boxes of high scores of which no two overlap much, by falling scores.

    Boxes are `(x1, y1, x2, y2)`. Those that end before they begin overlap none.
    """
    boxes, scores = node.bind(node.tensor("dets")), node.tensor("scores")
    threshold = node.get("iou_threshold")
    if not isinstance(threshold, float) or threshold < 0:
        raise Refused("a threshold that is negative or computed")
    low = node.bind(relay.strided_slice(boxes, [0], [2], axes=[1]))
    high = relay.maximum(low, relay.strided_slice(boxes, [2], [4], axes=[1]))
    ordered = relay.expand_dims(relay.concatenate([low, high], 1), [0])
    count: Dim = dims(boxes)[0]
    selected = relay.non_max_suppression(
        ordered,
        relay.expand_dims(scores, [0, 1]),
        scalar(threshold, boxes),
        max_output=count if isinstance(count, int) else MOST_BOXES,
    )
    rows = first_rows(node.bind, selected, node.found_size())
    return relay.squeeze(relay.strided_slice(rows, [2], [3], axes=[1]), [1])


MOST_BOXES = 2**31 - 1

CONVERTERS: dict[str, Converter] = {
    "_unique2.default": unique,
    "bincount.default": bincount,
    "masked_select.default": masked_select,
    "nonzero.default": nonzero,
    "nonzero_static.default": nonzero_static,
    "repeat_interleave.Tensor": repeat_interleave,
    "unique_consecutive.default": unique_consecutive,
    "unique_dim.default": unique_dim,
}

# Operators of other packages.
OTHERS: dict[str, Converter] = {"torchvision.nms.default": non_max_suppression}
