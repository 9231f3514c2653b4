"""Interpolation between elements, along any axes.

Each axis is resized by itself: a matrix of weights maps its elements to the new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor
from typing import NamedTuple

import numpy as np

from .tensors import Array, check, check_one_of, kind_of, normalize_axes

__all__ = ["resize"]


def resize(
    x: Array,
    *,
    sizes: Sequence[int] | None = None,
    scales: Sequence[float] | None = None,
    axes: Sequence[int] | None = None,
    roi: Sequence[float] | None = None,
    mode: str = "nearest",
    coordinate_transformation_mode: str = "half_pixel",
    nearest_mode: str = "round_prefer_floor",
    cubic_coeff_a: float = -0.75,
    exclude_outside: bool = False,
    antialias: bool = False,
    extrapolation_value: float = 0.0,
) -> Array:
    """Resize axes to sizes, or by scales; with both, the scales only place the coordinates."""
    check("number", x=x)
    check_one_of("mode", mode, ("nearest", "linear", "cubic"))
    kernel = _linear if mode == "linear" else _cubic(cubic_coeff_a)
    result = x
    crops = coordinate_transformation_mode == "tf_crop_and_resize"
    outside = np.zeros((1,) * x.ndim, np.bool_)
    for line in _lines(x, normalize_axes(axes, x.ndim), sizes, scales, roi):
        if line.dim == 0 < line.new_dim:
            raise ValueError(f"axis {line.axis} has no elements to make {line.new_dim} of")
        if mode == "nearest" and scales is None and not crops:
            places = _exact(line, coordinate_transformation_mode, nearest_mode)
            result = np.take(result, np.clip(places, 0, line.dim - 1), axis=line.axis)
            continue
        source = _source(line, coordinate_transformation_mode)
        if crops:
            beyond = (source < 0) | (source > line.dim - 1)
            outside = outside | beyond.reshape((-1,) + (1,) * (x.ndim - 1 - line.axis))
        if mode == "nearest":
            result = np.take(result, _nearest(source, line.dim, nearest_mode), axis=line.axis)
            continue
        stretch = min(1.0, line.scale) if antialias else 1.0
        weights = _weights(source, line.dim, stretch, kernel, exclude_outside)
        product = np.tensordot(result, weights, ([line.axis], [1]))
        result = np.moveaxis(product, -1, line.axis)
    # Whole numbers that are chosen stay exact.
    return _rounded(np.where(outside, extrapolation_value, result) if crops else result, x)


class Line(NamedTuple):
    """One axis to resize: its dimension before and after, its scale and its region of interest."""

    axis: int
    dim: int
    new_dim: int
    scale: float
    first: float
    last: float


def _lines(
    x: Array,
    axes: tuple[int, ...],
    sizes: Sequence[int] | None,
    scales: Sequence[float] | None,
    roi: Sequence[float] | None,
) -> list[Line]:
    if sizes is None and scales is None:
        raise ValueError("`sizes` or `scales` is expected")
    count = len(axes)
    dims = [x.shape[axis] for axis in axes]
    if sizes is None:
        sizes = [floor(dim * scale) for dim, scale in zip(dims, scales or (), strict=True)]
    if scales is None:
        scales = [
            size / dim if dim and size else 1.0 for dim, size in zip(dims, sizes, strict=True)
        ]
    region = [0.0] * count + [1.0] * count if roi is None else roi
    if len(region) != 2 * count:
        raise ValueError(f"`roi` has {len(region)} elements, expected {2 * count}")
    return [
        Line(*extents)
        for extents in zip(axes, dims, sizes, scales, region[:count], region[count:], strict=True)
    ]


def _source(line: Line, mode: str) -> Array:
    """Return the coordinate in the input of each new element."""
    check_one_of("coordinate_transformation_mode", mode, _COORDINATES)
    return np.broadcast_to(_COORDINATES[mode](line, np.arange(line.new_dim) + 0.0), line.new_dim)


def _half_pixel(line: Line, place: Array) -> Array:
    return (place + 0.5) / line.scale - 0.5


def _half_pixel_symmetric(line: Line, place: Array) -> Array:
    """Let both centers coincide; no rounding moves a place over a border."""
    return (line.dim - 1) / 2 + (place + 0.5 - line.new_dim / 2) / line.scale


def _pytorch_half_pixel(line: Line, place: Array) -> Array:
    return _half_pixel(line, place) if line.new_dim > 1 else np.asarray(0.0)


def _asymmetric(line: Line, place: Array) -> Array:
    return np.asarray(place / line.scale)


def _align_corners(line: Line, place: Array) -> Array:
    length = line.scale * line.dim
    return np.asarray(place * (line.dim - 1) / (length - 1) if length != 1 else 0.0)


def _crop_and_resize(line: Line, place: Array) -> Array:
    length = line.scale * line.dim
    reach = (line.last - line.first) * (line.dim - 1)
    inside = place * reach / (length - 1) if length != 1 else reach / 2
    return np.asarray(line.first * (line.dim - 1) + inside)


_COORDINATES: dict[str, Callable[[Line, Array], Array]] = {
    "half_pixel": _half_pixel,
    "half_pixel_symmetric": _half_pixel_symmetric,
    "pytorch_half_pixel": _pytorch_half_pixel,
    "asymmetric": _asymmetric,
    "align_corners": _align_corners,
    "tf_crop_and_resize": _crop_and_resize,
}

_ROUND: dict[str, Callable[[Array], Array]] = {
    "round_prefer_floor": lambda source: np.ceil(source - 0.5),
    "round_prefer_ceil": lambda source: np.floor(source + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}


def _exact(line: Line, mode: str, nearest_mode: str) -> Array:
    """Return the nearest places where sizes alone place the coordinates: quotients of integers."""
    check_one_of("coordinate_transformation_mode", mode, _COORDINATES)
    check_one_of("nearest_mode", nearest_mode, _ROUND)
    place, dim, new_dim = np.arange(line.new_dim), line.dim, max(line.new_dim, 1)
    if mode == "asymmetric":
        a, b = place * dim, new_dim
    elif mode == "align_corners":
        a, b = place * (dim - 1), max(new_dim - 1, 1)
    else:
        a, b = (2 * place + 1) * dim - new_dim, 2 * new_dim
        if mode == "pytorch_half_pixel" and new_dim == 1:
            a = 0 * place
    if nearest_mode == "floor":
        return np.asarray(a // b)
    if nearest_mode == "ceil":
        return np.asarray(-(-a // b))
    if nearest_mode == "round_prefer_floor":
        return np.asarray(-(-(2 * a - b) // (2 * b)))
    return np.asarray((2 * a + b) // (2 * b))


def _nearest(source: Array, dim: int, mode: str) -> Array:
    check_one_of("nearest_mode", mode, _ROUND)
    return np.clip(_ROUND[mode](source), 0, dim - 1).astype(np.int64)


def _linear(distance: Array) -> Array:
    return np.maximum(0.0, 1.0 - np.abs(distance))


def _cubic(a: float) -> Callable[[Array], Array]:
    """Return the kernel of cubic convolution (Keys, 1981)."""

    def kernel(distance: Array) -> Array:
        t = np.abs(distance)
        near = ((a + 2) * t - (a + 3)) * t * t + 1
        far = ((t - 5) * t + 8) * t * a - 4 * a
        return np.where(t <= 1, near, np.where(t < 2, far, 0.0))

    return kernel


def _weights(
    source: Array,
    dim: int,
    stretch: float,
    kernel: Callable[[Array], Array],
    exclude_outside: bool,
) -> Array:
    """Return the share of each element in each new one, in shape (new, dim).

    The kernel reaches over the edges, where the first and the last element repeat or, if
    excluded, do not count.
    """
    reach = int(np.ceil(2 / stretch)) + 1
    neighbors = np.arange(-reach, dim + reach)
    clipped = np.clip(source, -reach, dim - 1 + reach)
    share = kernel((neighbors - clipped[:, None]) * stretch)
    if exclude_outside:
        share = share * ((neighbors >= 0) & (neighbors < dim))
    if exclude_outside or stretch != 1:
        share = share / share.sum(axis=1, keepdims=True)
    # Elements beyond an edge are the one at the edge.
    onto = np.clip(neighbors, 0, dim - 1)[:, None] == np.arange(dim)
    return np.asarray(share @ onto)


def _rounded(result: Array, x: Array) -> Array:
    """Return the result in the data type of `x`; integers are rounded and clamped."""
    if kind_of(x) == "f" or result.dtype == x.dtype:
        return result.astype(x.dtype)
    limits = np.iinfo(x.dtype)
    whole = np.rint(result)
    # `float64` has no 2^63 - 1 or 2^64 - 1: they round to 2^63 and 2^64, which do not fit.
    is_inside = (whole > limits.min) & (whole < limits.max)
    is_least = whole <= limits.min
    ends = np.where(is_least, np.array(limits.min, x.dtype), np.array(limits.max, x.dtype))
    return np.where(is_inside, np.where(is_inside, whole, 0).astype(x.dtype), ends)
