"""Slices, whose bounds may depend on symbolic dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from uir_nodes.arith import Analyzer
from uir_nodes.ir import PrimExpr, RelayExpr
from uir_nodes.tir import PrimExprVisitor, SizeVar

from .... import relay, tir
from ...errors import Refused
from ...tensors import Dim, dims, rank
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


class Cut(NamedTuple):
    """The slice of one axis."""

    place: int
    axis: int
    begin: Dim
    end: Dim
    stride: int


def slice_(node: Node) -> RelayExpr:
    """Slice the axes whose first place follows from the shape; then those of another place."""
    x = node.input(0)
    every = cuts(node)
    shape = dims(x)
    here = [cut for cut in every if is_bound(cut.begin, shape)]
    if here:
        x = relay.strided_slice(
            x,
            [from_front(cut.begin, shape[cut.axis]) for cut in here],
            [from_front(cut.end, shape[cut.axis]) for cut in here],
            axes=[cut.axis for cut in here],
            strides=[cut.stride for cut in here],
        )
    for cut in every:
        if cut not in here:
            x = taken(node, node.bind(x), cut)
    return x


def cuts(node: Node) -> list[Cut]:
    begin, end = node.dimensions(1, "starts"), node.dimensions(2, "ends")
    if begin is None or end is None:
        raise Refused("the bounds are missing")
    axes, strides = node.integers(3, "axes"), node.integers(4)
    ranks = rank(node.input(0))
    return [
        Cut(place, axis % ranks, first, last, stride)
        for place, (axis, first, last, stride) in enumerate(
            zip(axes or range(len(begin)), begin, end, strides or [1] * len(begin), strict=True)
        )
    ]


class VariableFinder(PrimExprVisitor):
    """Finds the variables of an expression."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[SizeVar] = []

    def visit_size_var(self, node: SizeVar, /) -> None:
        self.found.append(node)


def variables(x: Dim) -> list[SizeVar]:
    if not isinstance(x, PrimExpr):
        return []
    finder = VariableFinder()
    finder.visit(x)
    return finder.found


def is_bound(x: Dim, shape: Sequence[Dim]) -> bool:
    """Return whether an expression depends on dimensions of a shape only."""
    return all(any(one.same_as(dim) for dim in shape) for one in variables(x))


def from_front(bound: Dim, dim: Dim) -> Dim:
    """Return a bound that counts from the front, also where its sign depends on sizes."""
    if not isinstance(bound, PrimExpr) or Analyzer().can_prove(bound >= 0):
        return bound
    # One or two before the end: where that is before the front, so is the sum with the dimension.
    if Analyzer().can_prove(bound >= dim - 2):
        return bound
    return bound + dim * tir.min(tir.max(-bound, 0), 1)


def taken(node: Node, x: RelayExpr, cut: Cut) -> RelayExpr:
    """Take the places of a slice, which are counted from a number of the running program."""
    if cut.stride < 0:
        raise Refused("a negative step from a symbolic place")
    dim = dims(x)[cut.axis]
    first, last = (
        tir.min(tir.max(from_front(bound, dim), 0), dim) for bound in (cut.begin, cut.end)
    )
    reach = tir.max(last - first, 0)
    count = Analyzer().simplify((reach + (cut.stride - 1)) // cut.stride)
    size = relay.shape_of(x, start=cut.axis, end=cut.axis + 1)
    given = relay.cast(node.input(1)[cut.place : cut.place + 1], "int64")
    zero = relay.const(np.array([0]))
    place = relay.where(relay.less(given, zero), relay.add(given, size), given)
    begin = relay.minimum(relay.maximum(place, zero), size)
    counter = relay.arange(0, count, step=1, dtype="int64")
    if cut.stride != 1:
        counter = relay.multiply(counter, relay.const(np.array(cut.stride)))
    return relay.take(x, relay.add(counter, begin), cut.axis)


CONVERTERS: dict[str, Converter] = {"Slice": slice_}
