"""Maxima of windows, their places, and means, over any number of spatial axes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from .tensors import Array, check, kind_of, tensor, wide
from .window import Window, make_window, of_length, slide, with_ceil_mode

__all__ = ["avg_pool", "max_pool", "max_pool_with_indices"]


def max_pool(
    x: Array,
    kernel: Sequence[int],
    *,
    strides: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    dilations: Sequence[int] | None = None,
    ceil_mode: bool = False,
    auto_pad: str = "notset",
) -> Array:
    """Return the greatest element of each window over (n, c, *spatial)."""
    check("number", x=x)
    plain = _window(x, kernel, strides, pads, dilations, auto_pad)
    window = with_ceil_mode(plain, x.shape[2:]) if ceil_mode else plain
    return tensor(np.max(slide(x, window, _lowest(x)), axis=_kernel_axes(x)), x)


def max_pool_with_indices(
    x: Array,
    kernel: Sequence[int],
    *,
    strides: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    dilations: Sequence[int] | None = None,
    ceil_mode: bool = False,
    auto_pad: str = "notset",
    column_major: bool = False,
) -> tuple[Array, Array]:
    """Return the greatest element of each window, and its index in `x`: -1 for padding only."""
    check("number", x=x)
    plain = _window(x, kernel, strides, pads, dilations, auto_pad)
    window = with_ceil_mode(plain, x.shape[2:]) if ceil_mode else plain
    places = slide(_places(x, column_major), window, -1)
    places = places.reshape((*places.shape[: x.ndim], prod(window.kernel)))
    values = slide(x, window, _lowest(x)).reshape(places.shape)
    y = np.max(values, axis=-1)
    # An element may be as small as the padding, which has no place.
    is_greatest = ((values == y[..., None]) | np.isnan(values)) & (places >= 0)
    first = np.argmax(is_greatest, axis=-1)[..., None]
    return tensor(y, x), np.take_along_axis(places, first, axis=-1)[..., 0]


def _places(x: Array, column_major: bool) -> Array:
    """Return the index of each element; those of a channel in row-major or column-major order."""
    numbers = np.arange(x.size, dtype=np.int64)
    if not column_major:
        return numbers.reshape(x.shape)
    spatial = range(2, x.ndim)
    return numbers.reshape((*x.shape[:2], *x.shape[:1:-1])).transpose((0, 1, *reversed(spatial)))


def _lowest(x: Array) -> float:
    return -np.inf if kind_of(x) == "f" else np.iinfo(x.dtype).min


@np.errstate(all="ignore")
def avg_pool(
    x: Array,
    kernel: Sequence[int],
    *,
    strides: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    dilations: Sequence[int] | None = None,
    ceil_mode: bool = False,
    count_include_pad: bool = False,
    auto_pad: str = "notset",
) -> Array:
    """Return the mean of each window over (n, c, *spatial); `pads` count where it is said."""
    check("float", x=x)
    plain = _window(x, kernel, strides, pads, dilations, auto_pad)
    window = with_ceil_mode(plain, x.shape[2:]) if ceil_mode else plain
    total = np.sum(slide(wide(x), window, 0), axis=_kernel_axes(x))
    if total.size == 0:
        return tensor(total, x)
    counted = np.ones((1, 1, *x.shape[2:]), total.dtype)
    rest = window
    if count_include_pad:
        own = tuple(map(min, plain.after, window.after))
        widths = [(0, 0), (0, 0), *zip(plain.before, own, strict=True)]
        counted = np.pad(counted, widths, constant_values=1)
        more = tuple(last - padded for last, padded in zip(window.after, own, strict=True))
        rest = window._replace(before=(0,) * len(more), after=more)
    return tensor(total / np.sum(slide(counted, rest, 0), axis=_kernel_axes(x)), x)


def _window(
    x: Array,
    kernel: Sequence[int],
    strides: Sequence[int] | None,
    pads: Sequence[int] | None,
    dilations: Sequence[int] | None,
    auto_pad: str,
) -> Window:
    extents = of_length(x.ndim - 2, kernel)
    if len(extents) != x.ndim - 2:
        raise ValueError(f"`kernel` has {len(kernel)} elements, expected {x.ndim - 2}")
    return make_window(extents, strides, pads, dilations, auto_pad, x.shape[2:])


def _kernel_axes(x: Array) -> tuple[int, ...]:
    return tuple(range(x.ndim, 2 * x.ndim - 2))
