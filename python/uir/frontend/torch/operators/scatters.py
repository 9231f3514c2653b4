"""Operators that write elements or slices at indices along an axis, and reduce them there."""

from __future__ import annotations

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ....runtime import numpy_dtype
from ...tensors import common_shape, dims, dtype_of, product, rank, scalar
from ..node import Converter, Node
from .indexing import from_front, is_empty, with_axis

__all__ = ["CONVERTERS"]


def scatter(reduction: str) -> Converter:
    """Return the converter of a scatter whose operator names the reduction of elements."""
    return lambda node: scattered(node, reduction)


def scattered(node: Node, reduction: str) -> RelayExpr:
    """Write or reduce elements at indices along an axis; without an index nothing changes."""
    x, places = node.tensor(), node.tensor("index")
    if is_empty(places):
        return x
    return write_along(x, from_front(places), updates_of(node), node, reduction)


def updates_of(node: Node) -> RelayExpr:
    """Return an element for each index: of a source as many as there are indices, or a number."""
    shape = dims(with_axis(node.tensor("index")))
    if node.get("src") is None:
        return relay.full(node.converted("value"), shape)
    source = with_axis(node.tensor("src"))
    return relay.strided_slice(source, [0] * len(shape), shape)


def write_along(
    x: RelayExpr, places: RelayExpr, updates: RelayExpr, node: Node, reduction: str
) -> RelayExpr:
    """Write elements at indices along an axis; truth values are added as integers."""
    if dtype_of(x) == "bool" and reduction != "none":
        whole = write_along(
            relay.cast(x, "int32"), places, relay.cast(updates, "int32"), node, reduction
        )
        return relay.cast(whole, "bool")
    written = relay.scatter_elements(
        with_axis(x), with_axis(places), updates, axis=node.get("dim"), reduction=reduction
    )
    return written if rank(x) else relay.squeeze(written, [0])


REDUCTIONS = {
    "sum": "add",
    "add": "add",
    "prod": "mul",
    "multiply": "mul",
    "mean": "add",
    "amax": "max",
    "amin": "min",
}


def scatter_named(node: Node) -> RelayExpr:
    """Write elements as the argument `reduce` says."""
    return scattered(node, REDUCTIONS[node.get("reduce")])


def scatter_reduce(node: Node) -> RelayExpr:
    """Reduce elements of a source into those at indices, as the argument `reduce` says."""
    places = node.tensor("index")
    if is_empty(places):
        return node.tensor()
    return reduced(node, from_front(places), updates_of(node))


def index_reduce(node: Node) -> RelayExpr:
    """Reduce slices of a source into those at the indices along an axis."""
    x, places, source = node.tensor(), node.tensor("index"), with_axis(node.tensor("source"))
    if is_empty(source):
        return x
    places = places_of_slices(x, from_front(places), source, node.get("dim"))
    return reduced(node, places, source)


def places_of_slices(x: RelayExpr, places: RelayExpr, source: RelayExpr, axis: int) -> RelayExpr:
    """Return the place along an axis of each element of slices that go to places."""
    behind = rank(x) - 1 - axis % rank(x) if rank(x) else 0
    column = with_axis(places)
    column = relay.expand_dims(column, list(range(1, behind + 1))) if behind else column
    return relay.broadcast_to(column, dims(source))


def write_slices(reduction: str) -> Converter:
    """Return the converter of an operator that writes slices of a source along an axis."""

    def convert(node: Node) -> RelayExpr:
        x, source = node.tensor(), with_axis(node.tensor("source"))
        if node.get("alpha") not in (None, 1):
            multiply = relay.logical_and if dtype_of(x) == "bool" else relay.multiply
            source = multiply(source, node.converted("alpha"))
        index = from_front(node.tensor("index"))
        places = places_of_slices(x, index, source, node.get("dim"))
        return x if is_empty(source) else write_along(x, places, source, node, reduction)

    return convert


def index_fill(node: Node) -> RelayExpr:
    """Write a number over slices; negative indices count from the end here."""
    x, index = node.tensor(), with_axis(node.tensor("index"))
    shape = dims(with_axis(x))
    shape[node.get("dim")] = dims(index)[0]
    source = relay.full(relay.reshape(node.converted("value"), []), shape)
    places = places_of_slices(x, index, source, node.get("dim"))
    return x if is_empty(source) else write_along(x, places, source, node, "none")


def reduced(node: Node, places: RelayExpr, updates: RelayExpr) -> RelayExpr:
    """Reduce elements into those at places along an axis, as the argument `reduce` says."""
    x, reduce = node.tensor(), node.get("reduce")
    reduction = REDUCTIONS[reduce]
    is_counted = bool(node.get("include_self"))
    start = x
    if not is_counted:
        # Elements that receive values begin with the neutral element of the reduction.
        neutral = relay.full(neutral_element(reduction, x), dims(updates))
        start = write_along(x, places, neutral, node, "none")
    total = write_along(start, places, updates, node, reduction)
    if reduce != "mean":
        return total
    ones = [relay.full(scalar(1, x), dims(one)) for one in (x, updates)]
    if not is_counted:
        ones[0] = write_along(
            ones[0], places, relay.full(scalar(0, x), dims(updates)), node, "none"
        )
    count = write_along(ones[0], places, ones[1], node, "add")
    if "float" in dtype_of(x):
        return relay.divide(total, count)
    return relay.floor_divide(total, count)


def neutral_element(reduction: str, like: RelayExpr) -> RelayExpr:
    """Return the number that a reduction leaves unchanged, in the type of `like`."""
    dtype = numpy_dtype(dtype_of(like))
    if reduction in ("add", "mul"):
        return scalar(int(reduction == "mul"), like)
    if dtype == "bool":
        return scalar(int(reduction == "min"), like)
    limits = np.iinfo(dtype) if dtype.kind in "iu" else None
    least, most = (limits.min, limits.max) if limits else (float("-inf"), float("inf"))
    return scalar(least if reduction == "max" else most, like)


def masked_scatter(node: Node) -> RelayExpr:
    """Write the elements of a source, in their order, where a mask is true."""
    x, mask = node.tensor(), node.tensor("mask")
    shape = common_shape([dims(x), dims(mask)])
    wide = relay.cast(relay.broadcast_to(mask, shape), "int64")
    flat = relay.reshape(wide, [product(shape)], allowzero=True)
    counted = relay.cumsum(flat, axis=0)
    source = relay.reshape(node.tensor("source"), [-1])
    # The index before the first true place is -1, the last element, which is not chosen.
    taken = relay.take(source, relay.subtract(counted, scalar(1, counted)), 0)
    return relay.where(mask, relay.reshape(taken, shape, allowzero=True), x)


CONVERTERS: dict[str, Converter] = {
    "index_add.default": write_slices("add"),
    "index_copy.default": write_slices("none"),
    "index_fill.int_Scalar": index_fill,
    "index_fill.int_Tensor": index_fill,
    "index_reduce.default": index_reduce,
    "masked_scatter.default": masked_scatter,
    "scatter.reduce": scatter_named,
    "scatter.src": scatter("none"),
    "scatter.value": scatter("none"),
    "scatter.value_reduce": scatter_named,
    "scatter_add.default": scatter("add"),
    "scatter_reduce.two": scatter_reduce,
}
