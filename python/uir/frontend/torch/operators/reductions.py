"""Reductions, scans and selections along axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...tensors import Dim, dims, dtype_of, rank, scalar
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS", "first_place"]


class Reduction(Protocol):
    """A function of relay that reduces axes."""

    def __call__(
        self, x: RelayExpr, axis: list[int] | None = None, *, keepdims: bool = False
    ) -> RelayExpr: ...


def axes_of(node: Node) -> list[int] | None:
    """Return the axes; a tensor of rank 0 has none."""
    return node.axes() if rank(node.tensor()) else None


def first_place() -> RelayExpr:
    """Return the place of the only element of a tensor of rank 0."""
    return relay.const(np.array(0, np.int64))


def reduction(function: Reduction) -> Converter:
    """Return the converter of a reduction, in the data type of the result."""
    return lambda node: function(
        node.converted("self"), axes_of(node), keepdims=bool(node.get("keepdim"))
    )


def truth(function: Reduction) -> Converter:
    """Return the converter of `any` or `all`, which are False and True over no elements."""

    def convert(node: Node) -> RelayExpr:
        x = relay.cast(node.converted("self", "bool"), "int32")
        # Over no elements an extremum is the least or the greatest integer.
        found = function(x, axes_of(node), keepdims=bool(node.get("keepdim")))
        return relay.greater(found, scalar(0, x))

    return convert


def with_places(values: Reduction, places: Callable[..., RelayExpr]) -> Converter:
    """Return the converter of a reduction of one axis that returns values and their places."""

    def convert(node: Node) -> Outputs:
        x, axis, keepdims = node.tensor(), node.get("dim"), bool(node.get("keepdim"))
        if not rank(x):
            return [x, first_place()]
        ordered = relay.cast(x, "uint8") if dtype_of(x) == "bool" else x
        return [values(x, [axis], keepdims=keepdims), places(ordered, axis, keepdims=keepdims)]

    return convert


def arg(function: Callable[..., RelayExpr]) -> Converter:
    """Return the converter of the int64 place of an extremum; without `dim` in all elements."""

    def convert(node: Node) -> RelayExpr:
        x, axis = node.tensor(), node.get("dim")
        if not rank(x):
            return first_place()
        if axis is None:
            return function(relay.reshape(x, [-1]), 0)
        return function(x, axis, keepdims=bool(node.get("keepdim")))

    return convert


def scan(function: Callable[..., RelayExpr]) -> Converter:
    """Return the converter of a running sum or product; a tensor of rank 0 stays as it is."""

    def convert(node: Node) -> RelayExpr:
        x = node.converted("self")
        return function(x, axis=node.get("dim")) if rank(x) else x

    return convert


def topk(node: Node) -> Outputs:
    """Return the `k` largest or smallest elements along an axis, and their int64 places."""
    if not rank(node.tensor()):
        return [node.tensor(), first_place()]
    both = node.bind(
        relay.topk(
            node.tensor(),
            node.get("k"),
            axis=node.get("dim"),
            largest=bool(node.get("largest")),
            sorted=bool(node.get("sorted")),
        )
    )
    return [both[0], both[1]]


def sort(node: Node) -> Outputs:
    """Sort along an axis; of equal elements the first one stays first."""
    x, axis, descending = node.tensor(), node.get("dim"), bool(node.get("descending"))
    if not rank(x):
        return [x, first_place()]
    number = relay.cast(x, "uint8") if dtype_of(x) == "bool" else x
    both = node.bind(relay.topk(number, dims(x)[axis], axis=axis, largest=descending))
    return [relay.cast(both[0], "bool") if dtype_of(x) == "bool" else both[0], both[1]]


def kth_value(node: Node) -> list[RelayExpr]:
    """Return the k-th smallest elements along an axis, and their places."""
    return smallest(node, node.tensor(), node.get("k"))


def smallest(node: Node, x: RelayExpr, k: Dim) -> list[RelayExpr]:
    """Return the `k`-th smallest elements of `x` along the axis, and their places."""
    axis = (node.get("dim") or 0) % max(1, rank(x))
    if not rank(x):
        return [x, first_place()]
    both = node.bind(relay.topk(x, k, axis=axis, largest=False))
    last = [relay.strided_slice(one, [k - 1], [k], axes=[axis]) for one in (both[0], both[1])]
    return last if node.get("keepdim") else [relay.squeeze(one, [axis]) for one in last]


def median(node: Node) -> Outputs:
    """Return the lower one of the elements in the middle along an axis; NaN if there is one."""
    x, axis = node.tensor(), node.get("dim")
    if axis is None:
        x = relay.reshape(x, [-1])
    size = dims(x)[axis or 0] if rank(x) else 1
    values, places = smallest(node, x, (size - 1) // 2 + 1)
    if "float" in dtype_of(x) and rank(x):
        unordered = relay.cast(relay.isnan(x), "int32")
        keepdims = bool(node.get("keepdim"))
        first = relay.argmax(unordered, axis or 0, keepdims=keepdims)
        found = relay.cast(relay.max(unordered, [axis or 0], keepdims=keepdims), "bool")
        values = relay.where(found, scalar(float("nan"), x), values)
        places = relay.where(found, first, places)
    return values if axis is None else [values, places]


def softmax(function: Callable[..., RelayExpr]) -> Converter:
    """Return the converter of softmax or its logarithm, computed in float32 on demand."""

    def convert(node: Node) -> RelayExpr:
        x = node.tensor()
        wide = relay.cast(x, "float32") if node.get("half_to_float") else x
        return function(wide, node.get("dim"))

    return convert


def safe_softmax(node: Node) -> RelayExpr:
    """Return 0 in rows of negative infinities alone."""
    x, axis = node.tensor(), node.get("dim")
    greatest = relay.max(x, [axis], keepdims=True)
    empty = relay.equal(greatest, scalar(float("-inf"), x))
    return relay.where(empty, scalar(0, x), relay.softmax(x, axis))


def search(node: Node) -> RelayExpr:
    """Return the places of values in a sorted sequence, by the elements that come before them.

    NaN is greater than all others.
    """
    sequence, value = node.common(SEQUENCES[node.operator], "self")
    if node.get("sorter") is not None:
        sequence = relay.take_along_axis(sequence, node.tensor("sorter"), -1)
    is_right = node.get("side") == "right" or bool(node.get("right"))
    behind = relay.greater if is_right else relay.greater_equal
    is_before = relay.logical_not(
        behind(relay.expand_dims(sequence, [-2]), relay.expand_dims(value, [-1]))
        if rank(sequence) > 1
        else behind(sequence, relay.expand_dims(value, [-1]))
    )
    return relay.sum(relay.cast(is_before, node.dtype), [-1])


SEQUENCES = {
    "aten.bucketize.Scalar": "boundaries",
    "aten.bucketize.Tensor": "boundaries",
    "aten.searchsorted.Scalar": "sorted_sequence",
    "aten.searchsorted.Tensor": "sorted_sequence",
}

CONVERTERS: dict[str, Converter] = {
    "_log_softmax.default": softmax(relay.log_softmax),
    "_safe_softmax.default": safe_softmax,
    "_softmax.default": softmax(relay.softmax),
    "all.default": truth(relay.min),
    "all.dim": truth(relay.min),
    "amax.default": reduction(relay.max),
    "amin.default": reduction(relay.min),
    "any.default": truth(relay.max),
    "any.dim": truth(relay.max),
    "any.dims": truth(relay.max),
    **{name.removeprefix("aten."): search for name in SEQUENCES},
    "argmax.default": arg(relay.argmax),
    "argmin.default": arg(relay.argmin),
    "cumprod.default": scan(relay.cumprod),
    "cumsum.default": scan(relay.cumsum),
    "kthvalue.default": kth_value,
    "max.default": reduction(relay.max),
    "max.dim": with_places(relay.max, relay.argmax),
    "mean.default": reduction(relay.mean),
    "mean.dim": reduction(relay.mean),
    "median.default": median,
    "median.dim": median,
    "min.default": reduction(relay.min),
    "min.dim": with_places(relay.min, relay.argmin),
    "prod.default": reduction(relay.prod),
    "prod.dim_int": reduction(relay.prod),
    "sort.default": sort,
    "sort.stable": sort,
    "sum.default": reduction(relay.sum),
    "sum.dim_IntList": reduction(relay.sum),
    "topk.default": topk,
}
