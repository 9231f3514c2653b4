"""Slices, whose bounds may depend on symbolic dimensions."""

from __future__ import annotations

from uir_nodes.arith import Analyzer
from uir_nodes.ir import PrimExpr, RelayExpr

from .... import relay, tir
from ...errors import Refused
from ...tensors import Dim, dims
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def slice_(node: Node) -> RelayExpr:
    """Cut axes from `starts` to `ends` by `steps`, with bounds as ONNX clamps them."""
    x, begin, end = node.input(0), node.dimensions(1, "starts"), node.dimensions(2, "ends")
    if begin is None or end is None:
        raise Refused("the bounds are missing")
    axes, strides = node.integers(3, "axes"), node.integers(4)
    steps = [1] * len(begin) if strides is None else strides
    chosen = list(range(len(begin))) if axes is None else axes
    if not len(begin) == len(end) == len(chosen) == len(steps):
        raise Refused("`starts`, `ends`, `axes` and `steps` of different lengths")
    shape = dims(x)
    # An axis that is out of range is for the operator to refuse.
    sliced = [shape[axis] if -len(shape) <= axis < len(shape) else 0 for axis in chosen]
    return relay.strided_slice(
        x,
        [first_place(*one) for one in zip(begin, sliced, steps, strict=True)],
        [from_front(*one) for one in zip(end, sliced, steps, strict=True)],
        axes=axes,
        strides=strides,
    )


def from_front(bound: Dim, dim: Dim, step: int) -> Dim:
    """Return a bound that counts from the front, also where its sign depends on sizes."""
    if not isinstance(bound, PrimExpr) or Analyzer().can_prove(bound >= 0):
        return bound
    # A bound that is negative here counts from the end as the front, to which it is clamped anyway.
    if Analyzer().can_prove(bound >= dim - (2 if step > 0 else 1)):
        return bound
    return bound + dim * tir.min(tir.max(-bound, 0), 1)


def first_place(bound: Dim, dim: Dim, step: int) -> Dim:
    """Return where a slice begins: backwards, ONNX begins at the first element if before it.

    NumPy and the reference of ONNX begin before the first element, and find none.
    """
    place = from_front(bound, dim, step)
    if step > 0:
        return place
    if isinstance(place, PrimExpr):
        return tir.max(place, 0)
    if place >= -1:
        return place
    return tir.max(dim + place, 0) if isinstance(dim, PrimExpr) else max(place, -max(dim, 1))


CONVERTERS: dict[str, Converter] = {"Slice": slice_}
