"""Scales and zero points, and the integers that numbers become."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..frontend.tensors import Array

__all__ = ["Scheme", "bias_numbers", "of_range", "of_weights", "quantized"]

# The least scale: the quotient of a number and a subnormal one would be inexact or infinite.
LEAST = float(np.finfo(np.float32).tiny)


class Scheme(NamedTuple):
    """The numbers that integers mean: `(integer - zero) * scale`.

    Attributes
    ----------
    scale
        The scale, of float32: one number, or one for each index of `axis`, shape `(c,)`.
    zero
        The zero point, of the same shape and of the data type of the integers.
    axis
        The axis of the scales; None for one number.
    """

    scale: Array
    zero: Array
    axis: int | None = None


def of_range(low: float, high: float, dtype: str) -> Scheme:
    """Return the scheme of a range, extended to have 0, which the integers have exactly.

    Parameters
    ----------
    low, high
        The least and the largest number.
    dtype
        The data type of the integers: `uint8` or `int8`.
    """
    low, high, ends = min(low, 0.0), max(high, 0.0), np.iinfo(dtype)
    scale = np.float32(max((high - low) / (ends.max - ends.min), LEAST) if high > low else 1)
    zero = np.clip(np.rint(ends.min - low / float(scale)), ends.min, ends.max)
    return Scheme(np.asarray(scale), np.asarray(zero, dtype))


def of_weights(weight: Array, axis: int | None) -> Scheme:
    """Return the symmetric scheme of int8 for weights, from -127 to 127.

    Parameters
    ----------
    weight
        The weights.
    axis
        The axis whose indices have scales of their own; None for one scale.
    """
    others = None if axis is None else tuple(one for one in range(weight.ndim) if one != axis)
    largest = np.abs(weight).max(axis=others, initial=0).astype(np.float64)
    scale = np.where(largest > 0, np.maximum(largest / 127, LEAST), 1).astype(np.float32)
    return Scheme(scale, np.zeros(scale.shape, np.int8), axis)


def quantized(weight: Array, scheme: Scheme) -> Array:
    """Return numbers as integers, rounded to the nearest, halves to even."""
    shape = [1] * weight.ndim
    if scheme.axis is not None:
        shape[scheme.axis] = -1
    scale = scheme.scale.reshape(shape) if scheme.axis is not None else scheme.scale
    ends = np.iinfo(scheme.zero.dtype)
    # Symmetric weights leave out the least integer.
    least = -ends.max if ends.min < 0 else ends.min
    return np.clip(np.rint(weight / scale), least, ends.max).astype(scheme.zero.dtype)


def bias_numbers(bias: Array, scale: Array) -> Array | None:
    """Return a bias in units of scales as int32; None if it is too large.

    Parameters
    ----------
    bias
        The bias, of shape `(c,)`.
    scale
        The scales of the sums, one or `(c,)`.
    """
    numbers = np.rint(bias.astype(np.float64) / scale.astype(np.float64))
    ends = np.iinfo(np.int32)
    if numbers.size == 0 or numbers.min() < ends.min or numbers.max() > ends.max:
        return None
    return numbers.astype(np.int32)
