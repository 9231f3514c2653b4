"""Reductions, scans and selections along axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from uir_nodes.ir import RelayExpr

from .... import relay
from ...tensors import dims, dtype_of, in_type, rank, scalar, widened
from ..node import Converter, Node, Outputs
from ..scalars import of_any_rank

__all__ = ["CONVERTERS"]


class Reduction(Protocol):
    """A function of relay that reduces axes."""

    def __call__(
        self, x: RelayExpr, axis: list[int] | None = None, *, keepdims: bool = False
    ) -> RelayExpr: ...


def axes_of(node: Node) -> list[int] | None:
    """Return the axes; None for all."""
    axes = node.integers(1, "axes")
    if axes:
        return axes
    return [] if node.flag("noop_with_empty_axes") else None


def reduction(
    function: Reduction,
    before: Callable[[RelayExpr], RelayExpr] = lambda x: x,
    after: Callable[[RelayExpr], RelayExpr] = lambda x: x,
) -> Converter:
    """Return the converter of a reduction, with functions of its operand and its result.

    All parts of halves are computed in `float32`, and rounded once.
    """

    def convert(node: Node) -> RelayExpr:
        x = node.input(0)
        reduced = function(before(widened(x)), axes_of(node), keepdims=node.flag("keepdims", True))
        return in_type(after(reduced), dtype_of(x))

    return convert


def square(x: RelayExpr) -> RelayExpr:
    """Return `x * x`."""
    return relay.multiply(x, x)


def log_sum_exp(node: Node) -> RelayExpr:
    """Subtract the greatest element first, so that powers do not overflow."""
    x, axes = widened(node.input(0)), axes_of(node)
    greatest = relay.max(x, axes, keepdims=True)
    finite = relay.where(relay.isinf(greatest), scalar(0, x), greatest)
    total = relay.sum(relay.exp(relay.subtract(x, finite)), axes, keepdims=True)
    result = relay.add(relay.log(total), finite)
    result = in_type(result, dtype_of(node.input(0)))
    return result if node.flag("keepdims", True) else relay.sum(result, axes)


def arg(function: Callable[..., RelayExpr]) -> Converter:
    """Return the converter of a function of places."""
    return lambda node: function(
        node.input(0),
        node.attribute("axis", 0),
        keepdims=node.flag("keepdims", True),
        select_last=node.flag("select_last_index"),
    )


def scan(function: Callable[..., RelayExpr]) -> Converter:
    """Return the converter of a cumulative function."""
    return lambda node: function(
        node.input(0),
        axis=node.integer(1),
        exclusive=node.flag("exclusive"),
        reverse=node.flag("reverse"),
    )


def topk(node: Node) -> Outputs:
    """Return the largest or smallest `k` elements along an axis, and their int64 indices."""
    k = node.attribute("k")  # An input since opset 10.
    both = relay.topk(
        node.input(0),
        k=node.dimension(1) if k is None else k,
        axis=node.attribute("axis", -1),
        largest=node.flag("largest", True),
        sorted=node.flag("sorted", True),
    )
    return list(node.bind(both))


def hardmax(node: Node) -> RelayExpr:
    """Return 1 at the first greatest element along an axis, else 0."""
    x = node.input(0)
    axis = node.attribute("axis", -1) % rank(x)
    size = dims(x)[axis]
    greatest = relay.argmax(x, axis, keepdims=True)
    counter = relay.arange(0, size, dtype="int64")
    along = relay.reshape(counter, [size if place == axis else 1 for place in range(rank(x))])
    return relay.cast(relay.equal(greatest, along), dtype_of(x))


CONVERTERS: dict[str, Converter] = {
    "ArgMax": of_any_rank(arg(relay.argmax)),
    "ArgMin": of_any_rank(arg(relay.argmin)),
    "CumProd": scan(relay.cumprod),
    "CumSum": scan(relay.cumsum),
    "Hardmax": of_any_rank(hardmax),
    "ReduceL1": reduction(relay.sum, relay.abs),
    "ReduceL2": reduction(relay.sum, square, relay.sqrt),
    "ReduceLogSum": reduction(relay.sum, after=relay.log),
    "ReduceLogSumExp": log_sum_exp,
    "ReduceMax": reduction(relay.max),
    "ReduceMean": reduction(relay.mean),
    "ReduceMin": reduction(relay.min),
    "ReduceProd": reduction(relay.prod),
    "ReduceSum": reduction(relay.sum),
    "ReduceSumSquare": reduction(relay.sum, square),
    "TopK": topk,
}
