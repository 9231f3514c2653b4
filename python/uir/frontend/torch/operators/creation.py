"""Operators that make tensors."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from uir_nodes.ir import PrimExpr, RelayExpr

from .... import relay
from ....runtime import numpy_dtype
from ...errors import Refused
from ...tensors import dims, number
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def full(node: Node) -> RelayExpr:
    """Fill a tensor of the given size with one value."""
    return relay.full(node.converted("fill_value"), node.get("size"))


def full_like(node: Node) -> RelayExpr:
    """Fill a tensor of the operand's shape with one value."""
    return relay.full(node.converted("fill_value"), dims(node.tensor()))


def filled(value: int) -> Converter:
    """Return the converter of a tensor of zeros or ones."""

    def convert(node: Node) -> RelayExpr:
        size = node.get("size")
        shape = dims(node.tensor()) if size is None else size
        return relay.full(number(value, node.dtype), shape)

    return convert


def arange(node: Node) -> RelayExpr:
    """Count from `start` to `end`, which is excluded; steps of floats make a constant."""
    given = zip(("start", "end", "step"), (0, None, 1), strict=True)
    bounds: list[Any] = [
        default if node.get(name) is None else node.get(name) for name, default in given
    ]
    is_symbolic = any(isinstance(one, PrimExpr) for one in bounds)
    start, stop, step = [whole(one) for one in bounds] if is_symbolic else bounds
    if all(not isinstance(one, float) for one in (start, stop, step)):
        return relay.arange(start, stop, step, dtype=node.dtype)
    if is_symbolic:
        raise Refused("a fraction beside a symbolic size")
    return relay.const(np.arange(start, stop, step).astype(numpy_dtype(node.dtype)))


def spaced_integers(node: Node) -> RelayExpr:
    """Return evenly spaced integers as a constant, by PyTorch's kernel, which fuses products."""
    torch = importlib.import_module("torch")
    start, end, steps = (node.get(name) for name in ("start", "end", "steps"))
    if any(isinstance(one, PrimExpr) for one in (start, end, steps)):
        raise Refused("integers with a symbolic bound or number of steps")
    numbers = torch.linspace(start, end, steps, dtype=getattr(torch, node.dtype))
    return relay.const(numbers.numpy())


def whole(number: Any) -> Any:
    """Return a float without a fraction as an integer, and anything else as it is."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def fill(node: Node) -> RelayExpr:
    """Return the operand's shape, filled with one value."""
    return relay.full(node.converted("value"), dims(node.tensor()))


def triangle(indices: Callable[[int, int, int], tuple[Any, Any]]) -> Converter:
    """Return the converter of the places in a triangle of a matrix."""

    def convert(node: Node) -> RelayExpr:
        rows, columns, offset = node.get("row"), node.get("col"), node.get("offset")
        if not isinstance(rows, int) or not isinstance(columns, int):
            raise Refused("a triangle of symbolic size")
        return relay.const(np.stack(indices(rows, offset, columns)).astype(node.dtype))

    return convert


def scalar_tensor(node: Node) -> RelayExpr:
    """Return a number as a tensor of shape ()."""
    return node.converted("s")


# Tensors whose elements are undefined have zeros.
UNDEFINED = ("empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided")

CONVERTERS: dict[str, Converter] = {
    "arange.default": arange,
    "arange.start": arange,
    "arange.start_step": arange,
    **{f"{name}.default": filled(0) for name in UNDEFINED},
    "empty.memory_format": filled(0),
    "fill.Scalar": fill,
    "fill.Tensor": fill,
    "full.default": full,
    "full_like.default": full_like,
    "linspace.default": spaced_integers,
    "new_full.default": full,
    "new_ones.default": filled(1),
    "new_zeros.default": filled(0),
    "ones.default": filled(1),
    "ones_like.default": filled(1),
    "scalar_tensor.default": scalar_tensor,
    "tril_indices.default": triangle(np.tril_indices),
    "triu_indices.default": triangle(np.triu_indices),
    "zeros.default": filled(0),
    "zeros_like.default": filled(0),
}
