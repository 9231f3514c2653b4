"""Operators that read or write elements at places that a tensor of integers names.

An index from `-dim` to `dim - 1` is in range; a negative one counts from the end.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from .tensors import Array, check, check_one_of, normalize_axis, tensor

__all__ = ["gather_nd", "scatter_elements", "scatter_nd", "take", "take_along_axis"]


def take(x: Array, indices: Array, axis: int | None = 0, *, mode: str = "raise") -> Array:
    """Return slices of `x` along one axis, or elements of the flat tensor if `axis` is None."""
    check("int", indices=indices)
    check_one_of("mode", mode, ("raise", "clip", "wrap"))
    if axis is None:
        x, axis = x.reshape(-1), 0
    axis = normalize_axis(axis, x.ndim)
    dim = x.shape[axis]
    wanted = indices.astype(np.int64)
    if mode == "wrap":
        wanted = np.mod(wanted, dim)
    elif mode == "clip":
        wanted = np.clip(np.where(wanted < 0, wanted + dim, wanted), 0, dim - 1)
    return np.asarray(np.take(x, _in_range(wanted, dim), axis=axis))


def take_along_axis(x: Array, indices: Array, axis: int) -> Array:
    """Return for each place of `indices` the element of `x` there, with its index along `axis`."""
    check("int", indices=indices)
    axis = normalize_axis(axis, x.ndim)
    return x[_places_along(x, indices, axis)]


def gather_nd(x: Array, indices: Array, *, batch_dims: int = 0) -> Array:
    """Return the slices of `x` whose first indices the rows of `indices` are."""
    check("int", indices=indices)
    depth = indices.shape[-1]
    if x.shape[:batch_dims] != indices.shape[:batch_dims]:
        raise ValueError("the batch dimensions of `x` and `indices` differ")
    if batch_dims + depth > x.ndim:
        raise ValueError(f"the rows of `indices` have {depth} indices, more than `x` has axes")
    batch = x.shape[:batch_dims]
    flat_x = x.reshape((prod(batch), *x.shape[batch_dims:]))
    flat_indices = indices.reshape((prod(batch), *indices.shape[batch_dims:]))
    slices = [
        values[_rows(values, rows)] for values, rows in zip(flat_x, flat_indices, strict=True)
    ]
    shape = batch + indices.shape[batch_dims:-1] + x.shape[batch_dims + depth :]
    return np.asarray(slices, dtype=x.dtype).reshape(shape)


def scatter_nd(x: Array, indices: Array, updates: Array, *, reduction: str = "none") -> Array:
    """Return `x` with `updates` at the slices whose first indices the rows of `indices` are."""
    check("int", indices=indices)
    check("any", x=x, updates=updates)
    expected = indices.shape[:-1] + x.shape[indices.shape[-1] :]
    if updates.shape != expected:
        raise ValueError(f"`updates` has shape {updates.shape}, expected {expected}")
    result = x.copy()
    _write(result, _rows(x, indices), updates, reduction)
    return result


def scatter_elements(
    x: Array, indices: Array, updates: Array, *, axis: int = 0, reduction: str = "none"
) -> Array:
    """Return `x` with `updates` at the places of `indices`, with its index along `axis`."""
    check("int", indices=indices)
    check("any", x=x, updates=updates)
    if updates.shape != indices.shape:
        raise ValueError(f"`updates` has shape {updates.shape}, expected {indices.shape}")
    result = x.copy()
    axis = normalize_axis(axis, x.ndim)
    _write(result, _places_along(x, indices, axis), updates, reduction)
    return result


def _in_range(indices: Array, dim: int) -> Array:
    """Return indices counted from the front."""
    outside = indices[(indices < -dim) | (indices >= dim)]
    if outside.size:
        raise IndexError(f"index {outside[0]} is out of range for dimension {dim}")
    return tensor(np.where(indices < 0, indices + dim, indices), indices)


def _places_along(x: Array, indices: Array, axis: int) -> tuple[Array, ...]:
    """Return the index of each place of `indices`, replaced by its element along one axis."""
    if indices.ndim != x.ndim:
        raise ValueError(f"`indices` has rank {indices.ndim}, expected {x.ndim}")
    for other, (count, dim) in enumerate(zip(indices.shape, x.shape, strict=True)):
        if other != axis and count > dim:
            raise ValueError(f"`indices` has dimension {count} along axis {other}, more than {dim}")
    places = list(np.indices(indices.shape, sparse=True))
    places[axis] = _in_range(indices.astype(np.int64), x.shape[axis])
    return tuple(np.broadcast_arrays(*places))


def _rows(x: Array, indices: Array) -> tuple[Array, ...]:
    """Return the columns of `indices` as an index of the first axes of `x`."""
    columns = np.moveaxis(indices.astype(np.int64), -1, 0)
    return tuple(_in_range(column, dim) for column, dim in zip(columns, x.shape, strict=False))


_ACCUMULATE: dict[str, Callable[[Array, tuple[Array, ...], Array], None]] = {
    "add": np.add.at,
    "mul": np.multiply.at,
    "min": np.minimum.at,
    "max": np.maximum.at,
}


def _write(result: Array, places: tuple[Array, ...], updates: Array, reduction: str) -> None:
    check_one_of("reduction", reduction, ("none", *_ACCUMULATE))
    if reduction == "none":
        result[places] = updates
    else:
        _ACCUMULATE[reduction](result, places, updates)
