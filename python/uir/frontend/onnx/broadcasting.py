"""Operands whose unknown dimensions broadcast only when the program runs.

Two dimensions `n` and `m` of inputs may be equal, or one of them 1. The operands are broadcast to
the greater one, which calls check: relay's elementwise operators would require that they are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from uir_nodes.ir import PrimExpr
from uir_nodes.tir import SizeVar

from ... import relay, tir
from ..tensors import Dim, dims
from .node import Node
from .symbolic import equal
from .value import Value

__all__ = ["common_shape", "with_common_shape"]

# The elementwise operators with several operands.
BROADCASTING = {
    *("Add", "And", "BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Div", "Equal", "Greater"),
    *("GreaterOrEqual", "Less", "LessOrEqual", "Max", "Mean", "Min", "Mod", "Mul", "Or", "PRelu"),
    *("Pow", "Sub", "Sum", "Where", "Xor"),
}


def with_common_shape(node: Node) -> Node:
    """Return a node whose operands have one shape where their dimensions are not known to fit."""
    values = [value for value in node.values if value is not None]
    if node.operator not in BROADCASTING or node.opset < 7 or len(values) < 2:
        return node
    shapes = [dims(value.expr) for value in values]
    if not any(may_be_one(dim) for shape in shapes for dim in shape):
        return node
    common = [reduce(assumed_dim, column) for column in columns_of(shapes)]
    return node.with_operands([broadcast(value, common) for value in values])


def may_be_one(dim: Dim) -> bool:
    """Return whether a dimension is one of the inputs that are unknown, or the greatest of some.

    Others, such as `n // 2 + 1`, are computed: where they meet, they are assumed to be equal, which
    calls check, as the parts of a network that meet have one size.
    """
    return isinstance(dim, SizeVar) or (
        isinstance(dim, tir.Max) and may_be_one(dim.a) and may_be_one(dim.b)
    )


def assumed_dim(a: Dim, b: Dim) -> Dim:
    """Return the dimension that two broadcast to, or the first of two that must be equal."""
    is_computed = [isinstance(dim, PrimExpr) and not may_be_one(dim) for dim in (a, b)]
    if any(is_computed) and not same(a, 1) and not same(b, 1):
        return a if is_computed[0] else b
    return common_dim(a, b)


def columns_of(shapes: Sequence[Sequence[Dim]]) -> list[tuple[Dim, ...]]:
    """Return the dimensions of each axis; missing ones are 1."""
    rank = max(map(len, shapes))
    padded = [[*[1] * (rank - len(shape)), *shape] for shape in shapes]
    return list(zip(*padded, strict=True))


def common_shape(shapes: Sequence[Sequence[Dim]]) -> list[Dim]:
    """Return the shape to which shapes broadcast."""
    return [reduce(common_dim, column) for column in columns_of(shapes)]


def same(a: Dim, b: Dim) -> bool:
    """Return whether two dimensions are known to be equal."""
    if isinstance(a, PrimExpr) and isinstance(b, PrimExpr) and a.same_as(b):
        return True
    return equal(a, b) is True


def common_dim(a: Dim, b: Dim) -> Dim:
    """Return the dimension that two broadcast to."""
    if same(a, 1) or same(a, b):
        return b
    if same(b, 1):
        return a
    # A number other than 1 is the dimension of the result.
    if isinstance(a, int) or isinstance(b, int):
        return a if isinstance(a, int) else b
    return tir.max(a, b)


def broadcast(value: Value, common: Sequence[Dim]) -> Value:
    """Return an operand with the common dimensions in place of those that may be 1 or these."""
    shape = dims(value.expr)
    wanted = [
        other if may_be_one(dim) and is_plain(other) else dim
        for dim, other in zip(shape, common[len(common) - len(shape) :], strict=True)
    ]
    if all(same(dim, other) for dim, other in zip(shape, wanted, strict=True)):
        return value
    return Value(relay.broadcast_to(value.expr, wanted), value.elements, value.inputs)


def is_plain(dim: Dim) -> bool:
    """Return whether a dimension is a number, or may turn out to be 1."""
    return isinstance(dim, int) or may_be_one(dim)
