"""Normalizations by mean and variance, and softmax; float16 is computed in float32."""

from __future__ import annotations

from math import prod

import numpy as np

from .tensors import Array, check, normalize_axis, tensor, wide

__all__ = [
    "batch_norm",
    "batch_norm_training",
    "group_norm",
    "layer_norm",
    "layer_norm_with_statistics",
    "log_softmax",
    "rms_norm",
    "softmax",
]

quiet = np.errstate(all="ignore")


@quiet
def batch_norm(
    x: Array, scale: Array, bias: Array, mean: Array, variance: Array, *, epsilon: float = 1e-5
) -> Array:
    """Normalize (n, c, *spatial) by a mean and a variance that are given for each channel."""
    check("float", x=x, scale=scale, bias=bias, mean=mean, variance=variance)
    spread = wide(variance)
    factor = wide(scale) / np.sqrt(spread + spread.dtype.type(epsilon))
    channel = (slice(None), *(None,) * (x.ndim - 2))
    return tensor((wide(x) - wide(mean)[channel]) * factor[channel] + wide(bias)[channel], x)


@quiet
def batch_norm_training(
    x: Array,
    scale: Array,
    bias: Array,
    mean: Array,
    variance: Array,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.9,
) -> tuple[Array, Array, Array]:
    """Normalize channels by the statistics of the batch, and return running ones too."""
    check("float", x=x, scale=scale, bias=bias, mean=mean, variance=variance)
    over = (0, *range(2, x.ndim))
    distances, average = _centered(wide(x), over)
    found = average.reshape(x.shape[1]), np.mean(distances * distances, axis=over)
    factor = wide(scale) / np.sqrt(found[1] + found[1].dtype.type(epsilon))
    channel = (slice(None), *(None,) * (x.ndim - 2))
    y = distances * factor[channel] + wide(bias)[channel]
    running = [
        tensor(wide(old) * momentum + new * (1 - momentum), x)
        for old, new in zip((mean, variance), found, strict=True)
    ]
    return tensor(y, x), running[0], running[1]


@quiet
def layer_norm(
    x: Array,
    scale: Array | None = None,
    bias: Array | None = None,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
) -> Array:
    """Normalize by the mean and the variance over the axes from `axis` to the last."""
    check("float", x=x, scale=scale, bias=bias)
    over = tuple(range(normalize_axis(axis, x.ndim), x.ndim))
    return tensor(_affine(_standardize(wide(x), over, epsilon), scale, bias), x)


@quiet
def layer_norm_with_statistics(
    x: Array,
    scale: Array | None = None,
    bias: Array | None = None,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
) -> tuple[Array, Array, Array]:
    """Normalize as `layer_norm` does; return the means and `1 / sqrt(variance + epsilon)` too."""
    y = layer_norm(x, scale, bias, axis=axis, epsilon=epsilon)
    over = tuple(range(normalize_axis(axis, x.ndim), x.ndim))
    mean, variance = (f(wide(x), axis=over, keepdims=True) for f in (np.mean, np.var))
    return y, tensor(mean, x), tensor(1 / np.sqrt(variance + variance.dtype.type(epsilon)), x)


@quiet
def rms_norm(
    x: Array, scale: Array | None = None, *, axis: int = -1, epsilon: float = 1e-5
) -> Array:
    """Divide by the root of the mean square over the axes from `axis` to the last."""
    check("float", x=x, scale=scale)
    over = tuple(range(normalize_axis(axis, x.ndim), x.ndim))
    values = wide(x)
    square = np.mean(values * values, axis=over, keepdims=True)
    return tensor(_affine(values / np.sqrt(square + square.dtype.type(epsilon)), scale, None), x)


@quiet
def group_norm(
    x: Array,
    groups: int,
    scale: Array | None = None,
    bias: Array | None = None,
    *,
    epsilon: float = 1e-5,
) -> Array:
    """Normalize (n, c, *spatial) over the spatial axes and each group of channels."""
    check("float", x=x, scale=scale, bias=bias)
    if x.shape[1] % groups:
        raise ValueError(f"{x.shape[1]} channels do not divide into {groups} groups")
    grouped = wide(x).reshape((x.shape[0], groups, prod(x.shape[1:]) // groups))
    normal = _standardize(grouped, (2,), epsilon).reshape(x.shape)
    channel = (slice(None), *(None,) * (x.ndim - 2))
    by_channel = [None if part is None else part[channel] for part in (scale, bias)]
    return tensor(_affine(normal, *by_channel), x)


def _centered(values: Array, over: tuple[int, ...]) -> tuple[Array, Array]:
    """Return distances from the means over axes, without what rounding left, and the means."""
    mean = np.mean(values, axis=over, keepdims=True)
    distances = values - mean
    rest = np.mean(distances, axis=over, keepdims=True)
    return np.asarray(distances - rest), np.asarray(mean)


def _standardize(values: Array, over: tuple[int, ...], epsilon: float) -> Array:
    centered, _ = _centered(values, over)
    variance = np.mean(centered * centered, axis=over, keepdims=True)
    return np.asarray(centered / np.sqrt(variance + variance.dtype.type(epsilon)))


def _affine(values: Array, scale: Array | None, bias: Array | None) -> Array:
    scaled = values if scale is None else values * wide(scale)
    result = scaled if bias is None else scaled + wide(bias)
    if result.shape != values.shape:
        raise ValueError(f"`scale` or `bias` does not broadcast to {values.shape}")
    return np.asarray(result)


@quiet
def softmax(x: Array, axis: int = -1) -> Array:
    """Return `exp(x) / sum(exp(x))` along an axis."""
    check("float", x=x)
    axis = normalize_axis(axis, max(x.ndim, 1))
    values = wide(x)
    powers = np.exp(values - np.max(values, axis=axis, keepdims=True, initial=-np.inf))
    return tensor(powers / np.sum(powers, axis=axis, keepdims=True), x)


@quiet
def log_softmax(x: Array, axis: int = -1) -> Array:
    """Return `x - log(sum(exp(x)))` along an axis."""
    check("float", x=x)
    axis = normalize_axis(axis, max(x.ndim, 1))
    values = wide(x)
    shifted = values - np.max(values, axis=axis, keepdims=True, initial=-np.inf)
    return tensor(shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True)), x)
