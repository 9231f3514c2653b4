"""Operators that change shapes, and move or repeat elements."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .tensors import Array, normalize_axes

__all__ = [
    "broadcast_to",
    "expand_dims",
    "reshape",
    "shape_of",
    "squeeze",
    "tile",
    "transpose",
]


def reshape(x: Array, shape: Sequence[int], *, allowzero: bool = False) -> Array:
    """Return the elements in the same order in another shape.

    A -1 is the rest that the axes without copies leave, even if a copied axis has no elements.
    """
    dims, copied = list(shape), set[int]()
    if not allowzero:
        copied = {axis for axis, dim in enumerate(dims) if dim == 0}
        if any(dim == 0 and axis >= x.ndim for axis, dim in enumerate(dims)):
            raise ValueError(f"`shape` {dims} copies a dimension that rank {x.ndim} lacks")
        dims = [x.shape[axis] if dim == 0 else dim for axis, dim in enumerate(dims)]
    if dims.count(-1) > 1:
        raise ValueError(f"`shape` {list(shape)} has more than one -1")
    if -1 in dims and 0 in (x.shape[axis] for axis in copied):
        size = math.prod(dim for axis, dim in enumerate(x.shape) if axis not in copied)
        rest = math.prod(dim for axis, dim in enumerate(dims) if axis not in copied and dim != -1)
        if rest and size % rest == 0:
            dims[dims.index(-1)] = size // rest
    return x.reshape(tuple(dims))


def transpose(x: Array, axes: Sequence[int] | None = None) -> Array:
    """Return a tensor whose axis `i` is axis `axes[i]` of `x`; by default in reverse order."""
    order = tuple(reversed(range(x.ndim))) if axes is None else normalize_axes(axes, x.ndim)
    if len(order) != x.ndim:
        raise ValueError(f"`axes` has {len(order)} axes, expected {x.ndim}")
    return np.transpose(x, order)


def squeeze(x: Array, axes: Sequence[int] | None = None) -> Array:
    """Drop axes of dimension 1; by default all."""
    if axes is None:
        return x.reshape(tuple(dim for dim in x.shape if dim != 1))
    dropped = normalize_axes(axes, x.ndim)
    for axis in dropped:
        if x.shape[axis] != 1:
            raise ValueError(f"axis {axis} has dimension {x.shape[axis]}, expected 1")
    return x.reshape(tuple(dim for axis, dim in enumerate(x.shape) if axis not in dropped))


def expand_dims(x: Array, axes: Sequence[int]) -> Array:
    """Insert axes of dimension 1 at places of the result."""
    inserted = normalize_axes(axes, x.ndim + len(axes))
    old = iter(x.shape)
    rank = x.ndim + len(axes)
    return x.reshape(tuple(1 if axis in inserted else next(old) for axis in range(rank)))


def broadcast_to(x: Array, shape: Sequence[int]) -> Array:
    """Repeat `x` along new leading axes and along axes of dimension 1."""
    return np.broadcast_to(x, tuple(shape)).copy()


def tile(x: Array, repeats: Sequence[int]) -> Array:
    """Repeat the whole tensor along each axis."""
    return np.tile(x, tuple(repeats))


def shape_of(x: Array, *, start: int = 0, end: int | None = None) -> Array:
    """Return the dimensions from one axis to before another, as a tensor of rank 1."""
    return np.array(x.shape[start:end], dtype=np.int64)
