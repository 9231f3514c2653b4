"""How far quantized values are from those of float32, over all calls."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..frontend.tensors import Array

__all__ = ["Difference", "difference"]


@dataclass(frozen=True)
class Difference:
    """Sums over the elements of exact values `x` and of those with an error, `y`.

    Sums of several calls add up.

    Attributes
    ----------
    signal
        The sum of `x * x`.
    noise
        The sum of `(x - y) * (x - y)`.
    power
        The sum of `y * y`.
    product
        The sum of `x * y`.
    """

    signal: float = 0.0
    noise: float = 0.0
    power: float = 0.0
    product: float = 0.0

    def __add__(self, other: Difference) -> Difference:
        """Return the sums over the elements of both."""
        return Difference(
            self.signal + other.signal,
            self.noise + other.noise,
            self.power + other.power,
            self.product + other.product,
        )

    @property
    def relative(self) -> float:
        """The norm of the error divided by that of `x`; 0 if there is no error."""
        if self.noise == 0:
            return 0.0
        return math.sqrt(self.noise / self.signal) if self.signal else math.inf

    @property
    def decibels(self) -> float:
        """The ratio of signal to quantization noise in dB; infinite without noise."""
        relative = self.relative
        if relative == 0:
            return math.inf
        return -20 * math.log10(relative) if relative < math.inf else -math.inf

    @property
    def cosine(self) -> float:
        """The cosine of the angle between `x` and `y`; 1 if both are 0, and 0 if one is."""
        norm = math.sqrt(self.signal) * math.sqrt(self.power)
        if norm == 0:
            return 1.0 if self.noise == 0 else 0.0
        return self.product / norm


def difference(x: Array, y: Array) -> Difference:
    """Compare arrays of one shape; elements that are equal infinities or NaN do not count."""
    exact, found = x.astype(np.float64).reshape(-1), y.astype(np.float64).reshape(-1)
    both = np.isfinite(exact) & np.isfinite(found)
    if not both.all():
        same = (exact == found) | (np.isnan(exact) & np.isnan(found))
        if not (both | same).all():
            return Difference(float(exact[both] @ exact[both]), math.inf)
        exact, found = exact[both], found[both]
    error = exact - found
    sums = (exact @ exact, error @ error, found @ found, exact @ found)
    return Difference(*map(float, sums))
