"""Convolutions over any number of spatial axes, and their transposes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np

from .tensors import Array, check, tensor, wide
from .window import Window, make_window, padded, slide

__all__ = ["conv", "conv_transpose", "integer_conv"]


def conv(
    data: Array,
    weight: Array,
    bias: Array | None = None,
    *,
    strides: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    dilations: Sequence[int] | None = None,
    groups: int = 1,
    auto_pad: str = "notset",
) -> Array:
    """Return the cross-correlation of (n, c, *spatial) with (o, c / groups, *kernel)."""
    check("number", data=data, weight=weight, bias=bias)
    _check_channels(data, weight, groups, weight.shape[1] * groups)
    if weight.shape[0] % groups:
        raise ValueError(f"{weight.shape[0]} output channels do not divide into {groups} groups")
    window = make_window(weight.shape[2:], strides, pads, dilations, auto_pad, data.shape[2:])
    windows = slide(wide(data), window, 0)
    kernel_axes = range(windows.ndim - len(window.kernel), windows.ndim)
    summed = ([1, *kernel_axes], [1, *range(2, weight.ndim)])
    parts = [
        _contracted(part, kernel, *summed)
        for part, kernel in zip(
            np.split(windows, groups, axis=1), np.split(wide(weight), groups), strict=True
        )
    ]
    return _with_bias(np.moveaxis(np.concatenate(parts, axis=-1), -1, 1), bias, data)


def integer_conv(
    data: Array,
    rows: Array,
    *,
    kernel: Sequence[int],
    strides: Sequence[int] | None = None,
    dilations: Sequence[int] | None = None,
    groups: int = 1,
) -> Array:
    """Return int32 sums of (n, c, *spatial) and kernels (o, t) with channels counted fastest."""
    check("int", data=data)
    check("int", rows=rows)
    if rows.ndim != 2 or data.ndim != len(kernel) + 2 or data.shape[1] % groups:
        raise ValueError(f"shapes {data.shape} and {rows.shape} do not fit a kernel {kernel}")
    terms = (*kernel, data.shape[1] // groups)
    if rows.shape[1] != prod(terms):
        raise ValueError(f"`rows` has {rows.shape[1]} terms, expected {prod(terms)}")
    weight = np.moveaxis(rows.reshape(-1, *terms), -1, 1).astype("int64")
    wide_data = data.astype("int64")
    sums = conv(wide_data, weight, strides=strides, dilations=dilations, groups=groups)
    return sums.astype("int32")


def conv_transpose(
    data: Array,
    weight: Array,
    bias: Array | None = None,
    *,
    strides: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    dilations: Sequence[int] | None = None,
    output_padding: Sequence[int] | None = None,
    output_shape: Sequence[int] | None = None,
    groups: int = 1,
    auto_pad: str = "notset",
) -> Array:
    """Return the gradient of `conv` by its data; the weight has shape (c, o / groups, *kernel)."""
    check("number", data=data, weight=weight, bias=bias)
    _check_channels(data, weight, groups, weight.shape[0])
    window = make_window(weight.shape[2:], strides, pads, dilations, auto_pad, data.shape[2:])
    extra = (0,) * len(window.kernel) if output_padding is None else tuple(output_padding)
    if output_shape is not None:
        if pads is not None:
            raise ValueError("`pads` must be left out where `output_shape` is given")
        window, extra = _cut_to(window, extra, data.shape[2:], output_shape, auto_pad)
    elif auto_pad.startswith("same"):
        wanted = [dim * stride for dim, stride in zip(data.shape[2:], window.strides, strict=True)]
        window, extra = _cut_to(window, extra, data.shape[2:], wanted, auto_pad)
    parts = [
        _scatter(part, kernel, window, extra)
        for part, kernel in zip(
            np.split(wide(data), groups, axis=1), np.split(wide(weight), groups), strict=True
        )
    ]
    full = np.concatenate(parts, axis=1)
    kept = [
        slice(first, dim - last)
        for first, last, dim in zip(window.before, window.after, full.shape[2:], strict=True)
    ]
    index = (slice(None), slice(None), *kept)
    return _with_bias(full[index], bias, data)


def _cut_to(
    window: Window,
    extra: Sequence[int],
    spatial: Sequence[int],
    wanted: Sequence[int],
    auto_pad: str,
) -> tuple[Window, tuple[int, ...]]:
    """Return the padding to cut off and the elements to add for a wanted shape."""
    totals = [
        (dim - 1) * stride + span + more - want
        for dim, stride, span, more, want in zip(
            spatial, window.strides, window.spans, extra, wanted, strict=True
        )
    ]
    added = [more + max(0, -total) for more, total in zip(extra, totals, strict=True)]
    return padded(window, [max(0, total) for total in totals], auto_pad), tuple(added)


def _check_channels(data: Array, weight: Array, groups: int, channels: int) -> None:
    if data.ndim != weight.ndim or data.ndim < 3:
        raise ValueError(f"`data` has rank {data.ndim} and `weight` {weight.ndim}")
    if data.shape[1] != channels or channels % groups:
        raise ValueError(f"`data` has {data.shape[1]} channels, expected {channels} in {groups}")


def _with_bias(result: Array, bias: Array | None, data: Array) -> Array:
    if bias is None:
        return tensor(result, data)
    return tensor(result + bias.reshape((-1,) + (1,) * (result.ndim - 2)), data)


def _contracted(x: Array, y: Array, x_axes: Sequence[int], y_axes: Sequence[int]) -> Array:
    """Return `np.tensordot`, whose product of 0 and NaN is 0 for one factor and one column."""
    x_rest = [axis for axis in range(x.ndim) if axis not in x_axes]
    y_rest = [axis for axis in range(y.ndim) if axis not in y_axes]
    count = prod(x.shape[axis] for axis in x_axes)
    rows = x.transpose(*x_rest, *x_axes).reshape(prod(x.shape[axis] for axis in x_rest), count)
    columns = y.transpose(*y_axes, *y_rest).reshape(count, prod(y.shape[axis] for axis in y_rest))
    shape = [x.shape[axis] for axis in x_rest] + [y.shape[axis] for axis in y_rest]
    return np.asarray(np.matmul(rows, columns)).reshape(shape)


def _scatter(data: Array, weight: Array, window: Window, extra: Sequence[int]) -> Array:
    """Add the contributions of each element of one group, before padding is cut off."""
    spatial = data.shape[2:]
    dims = [
        (dim - 1) * stride + span + more
        for dim, stride, span, more in zip(
            spatial, window.strides, window.spans, extra, strict=True
        )
    ]
    full = np.zeros((data.shape[0], weight.shape[1], *dims), data.dtype)
    for place in product(*map(range, window.kernel)):
        at_place: tuple[slice | int, ...] = (slice(None), slice(None), *place)
        kernel = weight[at_place]
        contribution = _contracted(data, kernel, [1], [0])
        reached = [
            slice(offset * dilation, offset * dilation + max(0, (dim - 1) * stride + 1), stride)
            for offset, dilation, dim, stride in zip(
                place, window.dilations, spatial, window.strides, strict=True
            )
        ]
        index = (slice(None), slice(None), *reached)
        full[index] += np.moveaxis(contribution, -1, 1)
    return full
