"""Reductions, scans along an axis, and the order of elements along it.

Float16 is summed in float32.  Over no elements a reduction gives its identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod as product_of_dims

import numpy as np

from .arithmetic import divide
from .tensors import Array, check, kind_of, normalize_axes, normalize_axis, tensor, wide

__all__ = [
    "argmax",
    "argmin",
    "cumprod",
    "cumsum",
    "max",
    "mean",
    "min",
    "prod",
    "sum",
    "topk",
]

quiet = np.errstate(all="ignore")


@quiet
def sum(x: Array, axis: Sequence[int] | None = None, *, keepdims: bool = False) -> Array:
    """Return sums over axes; integers wrap around."""
    check("number", x=x)
    over = normalize_axes(axis, x.ndim)
    values = wide(x)
    return tensor(np.sum(values, axis=over, keepdims=keepdims, dtype=values.dtype), x)


@quiet
def prod(x: Array, axis: Sequence[int] | None = None, *, keepdims: bool = False) -> Array:
    """Return products over axes; integers wrap around."""
    check("number", x=x)
    over = normalize_axes(axis, x.ndim)
    values = wide(x)
    return tensor(np.prod(values, axis=over, keepdims=keepdims, dtype=values.dtype), x)


@quiet
def mean(x: Array, axis: Sequence[int] | None = None, *, keepdims: bool = False) -> Array:
    """Return arithmetic means over axes: NaN over no elements; truncated for integers."""
    check("number", x=x)
    over = normalize_axes(axis, x.ndim)
    count = product_of_dims(x.shape[one] for one in over)
    if kind_of(x) != "f":
        total = np.asarray(np.sum(x, axis=over, keepdims=keepdims, dtype=x.dtype.kind + "8"))
        # There is no mean of no integers, and nothing may be divided by 0 for it.
        return tensor(divide(total, np.asarray(count or 1, total.dtype)), x)
    total = np.sum(wide(x), axis=over, keepdims=keepdims)
    return tensor(np.divide(total, total.dtype.type(count)), x)


def max(x: Array, axis: Sequence[int] | None = None, *, keepdims: bool = False) -> Array:
    """Return the greatest elements over axes; NaN if one is NaN."""
    check("any", x=x)
    over = normalize_axes(axis, x.ndim)
    lowest = _extremes(x)[0]
    return tensor(np.max(x, axis=over, keepdims=keepdims, initial=lowest), x)


def min(x: Array, axis: Sequence[int] | None = None, *, keepdims: bool = False) -> Array:
    """Return the smallest elements over axes; NaN if one is NaN."""
    check("any", x=x)
    over = normalize_axes(axis, x.ndim)
    highest = _extremes(x)[1]
    return tensor(np.min(x, axis=over, keepdims=keepdims, initial=highest), x)


def _extremes(x: Array) -> tuple[float, float]:
    """Return the least and the greatest value of a data type."""
    if kind_of(x) == "f":
        return -np.inf, np.inf
    if x.dtype.kind == "b":
        return False, True
    limits = np.iinfo(x.dtype)
    return limits.min, limits.max


def argmax(
    x: Array, axis: int | None = None, *, keepdims: bool = False, select_last: bool = False
) -> Array:
    """Return the index of the first, or last, greatest element along an axis."""
    check("number", x=x)
    return _arg_extreme(x, axis, keepdims, select_last, greatest=True)


def argmin(
    x: Array, axis: int | None = None, *, keepdims: bool = False, select_last: bool = False
) -> Array:
    """Return the index of the first, or last, smallest element along an axis."""
    check("number", x=x)
    return _arg_extreme(x, axis, keepdims, select_last, greatest=False)


def _arg_extreme(
    x: Array, axis: int | None, keepdims: bool, select_last: bool, *, greatest: bool
) -> Array:
    rank = x.ndim
    if axis is None:
        x, axis = x.reshape(-1), 0
        kept = (1,) * rank
    else:
        axis = normalize_axis(axis, rank)
        kept = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    dim = x.shape[axis]
    if dim == 0:
        raise ValueError(f"axis {axis} has no elements")
    searched = np.flip(x, axis) if select_last else x
    found = np.argmax(searched, axis) if greatest else np.argmin(searched, axis)
    index = np.asarray(dim - 1 - found if select_last else found, dtype=np.int64)
    return index.reshape(kept) if keepdims else index


@quiet
def cumsum(x: Array, axis: int, *, exclusive: bool = False, reverse: bool = False) -> Array:
    """Return the sums of the elements up to each place along an axis."""
    check("number", x=x)
    values = wide(x)
    return tensor(_scan(np.add, values, axis, exclusive, reverse), x)


@quiet
def cumprod(x: Array, axis: int, *, exclusive: bool = False, reverse: bool = False) -> Array:
    """Return the products of the elements up to each place along an axis."""
    check("number", x=x)
    values = wide(x)
    return tensor(_scan(np.multiply, values, axis, exclusive, reverse), x)


def _scan(combine: np.ufunc, x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
    axis = normalize_axis(axis, x.ndim)
    ordered = np.flip(x, axis) if reverse else x
    if exclusive:
        shape = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
        identity = np.full(shape, combine.identity, x.dtype)
        before_last = np.take(ordered, range(x.shape[axis] - 1), axis=axis)
        ordered = np.concatenate([identity, before_last], axis) if x.shape[axis] else ordered
    scanned = combine.accumulate(ordered, axis, dtype=x.dtype)
    return np.asarray(np.flip(scanned, axis) if reverse else scanned)


def topk(
    x: Array, k: int, *, axis: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Array, Array]:
    """Return the `k` greatest, or smallest, elements along an axis, and their indices.

    Of equal elements the one of the lower index comes first; NaN is greater than all others.
    Unless `sorted`, any order is allowed; this one sorts always.
    """
    check("number", x=x)
    axis = normalize_axis(axis, x.ndim)
    dim = x.shape[axis]
    if not 0 <= k <= dim:
        raise ValueError(f"`k` is {k}, expected 0 to {dim}")
    # NumPy sorts NaN of bfloat16 as if equal to all numbers.
    keys = x.astype(np.float32) if x.dtype.kind == "V" else x
    order = np.argsort(np.flip(keys, axis) if largest else keys, axis=axis, kind="stable")
    if largest:
        order = dim - 1 - np.flip(order, axis)
    indices = np.take(order, range(k), axis=axis).astype(np.int64)
    return np.take_along_axis(x, indices, axis), indices
