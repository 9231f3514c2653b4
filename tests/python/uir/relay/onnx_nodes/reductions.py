"""ONNX's reductions, scans and products of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from uir.relay import reference as relay

from .node import Array, Node, Run, scalar


class Reduction(Protocol):
    def __call__(
        self, x: Array, axis: list[int] | None = None, *, keepdims: bool = False
    ) -> Array: ...


def reduction(function: Reduction, before: Callable[[Array], Array] = lambda x: x) -> Run:
    """Return what runs a reduction; `before` is applied to the elements."""

    def run(node: Node) -> Array:
        x, axes = before(node.input(0)), node.integers(1, "axes")
        if not axes:
            axes = [] if node.attribute("noop_with_empty_axes", 0) else None
        return function(x, axes, keepdims=bool(node.attribute("keepdims", 1)))

    return run


def after(run: Run, function: Callable[[Array], Array]) -> Run:
    def both(node: Node) -> Array:
        reduced = run(node)
        assert isinstance(reduced, np.ndarray)
        return function(reduced)

    return both


def square(x: Array) -> Array:
    return relay.multiply(x, x)


def log_sum_exp(node: Node) -> Array:
    """Subtract the greatest element first, so that powers do not overflow."""
    x, axes = node.input(0), node.integers(1, "axes") or None
    if axes is None and node.attribute("noop_with_empty_axes", 0):
        axes = []
    greatest = relay.max(x, axes, keepdims=True)
    finite = relay.where(relay.isinf(greatest), scalar(0, x), greatest)
    total = relay.sum(relay.exp(relay.subtract(x, finite)), axes, keepdims=True)
    result = relay.add(relay.log(total), finite)
    return result if node.attribute("keepdims", 1) else relay.sum(result, axes)


def arg(function: Callable[..., Array]) -> Run:
    return lambda node: function(
        node.input(0),
        node.attribute("axis", 0),
        keepdims=bool(node.attribute("keepdims", 1)),
        select_last=bool(node.attribute("select_last_index", 0)),
    )


def scan(function: Callable[..., Array]) -> Run:
    return lambda node: function(
        node.input(0),
        axis=node.input(1).item(),
        exclusive=bool(node.attribute("exclusive", 0)),
        reverse=bool(node.attribute("reverse", 0)),
    )


def topk(node: Node) -> tuple[Array, Array]:
    return relay.topk(
        node.input(0),
        k=node.input(1).item(),
        axis=node.attribute("axis", -1),
        largest=bool(node.attribute("largest", 1)),
        sorted=bool(node.attribute("sorted", 1)),
    )


def hardmax(node: Node) -> Array:
    x, axis = node.input(0), node.attribute("axis", -1)
    greatest = relay.argmax(x, axis, keepdims=True)
    dims = [1] * x.ndim
    dims[axis] = x.shape[axis]
    counter = relay.reshape(relay.arange(0, x.shape[axis], dtype="int64"), shape=dims)
    return relay.cast(relay.equal(greatest, counter), dtype=str(x.dtype))


def matmul(node: Node) -> Array:
    a, b = node.input(0), node.input(1)
    dropped = [*([-2] if a.ndim == 1 else []), *([-1] if b.ndim == 1 else [])]
    rows = relay.expand_dims(a, axes=[0]) if a.ndim == 1 else a
    columns = relay.expand_dims(b, axes=[1]) if b.ndim == 1 else b
    return relay.squeeze(relay.matmul(rows, columns), dropped)


def gemm(node: Node) -> Array:
    a, b, c = node.input(0), node.input(1), node.optional(2)
    left = relay.transpose(a) if node.attribute("transA", 0) else a
    right = relay.transpose(b) if node.attribute("transB", 0) else b
    alpha, beta = node.attribute("alpha", 1.0), node.attribute("beta", 1.0)
    product = relay.multiply(relay.matmul(left, right), scalar(alpha, a))
    return product if c is None else relay.add(product, relay.multiply(c, scalar(beta, c)))


def einsum(node: Node) -> Array:
    operands = [node.input(place) for place in range(len(node.inputs))]
    return relay.einsum(operands, node.attribute("equation"))


NODES: dict[str, Run] = {
    "ArgMax": arg(relay.argmax),
    "ArgMin": arg(relay.argmin),
    "CumProd": scan(relay.cumprod),
    "CumSum": scan(relay.cumsum),
    "Einsum": einsum,
    "Gemm": gemm,
    "Hardmax": hardmax,
    "MatMul": matmul,
    "ReduceL1": reduction(relay.sum, relay.abs),
    "ReduceL2": after(reduction(relay.sum, square), relay.sqrt),
    "ReduceLogSum": after(reduction(relay.sum), relay.log),
    "ReduceLogSumExp": log_sum_exp,
    "ReduceMax": reduction(relay.max),
    "ReduceMean": reduction(relay.mean),
    "ReduceMin": reduction(relay.min),
    "ReduceProd": reduction(relay.prod),
    "ReduceSum": reduction(relay.sum),
    "ReduceSumSquare": reduction(relay.sum, square),
    "TopK": topk,
}
