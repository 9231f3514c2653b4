"""Comparisons, with broadcasting; each result is a tensor of bool."""

from __future__ import annotations

import numpy as np

from .tensors import Array, check

__all__ = ["equal", "greater", "greater_equal", "less", "less_equal", "not_equal"]


def equal(x: Array, y: Array) -> Array:
    """Return whether `x == y`."""
    check("any", x=x, y=y)
    return np.asarray(np.equal(x, y))


def not_equal(x: Array, y: Array) -> Array:
    """Return whether `x != y`."""
    check("any", x=x, y=y)
    return np.asarray(np.not_equal(x, y))


def less(x: Array, y: Array) -> Array:
    """Return whether `x < y`."""
    check("number", x=x, y=y)
    return np.asarray(np.less(x, y))


def less_equal(x: Array, y: Array) -> Array:
    """Return whether `x <= y`."""
    check("number", x=x, y=y)
    return np.asarray(np.less_equal(x, y))


def greater(x: Array, y: Array) -> Array:
    """Return whether `x > y`."""
    check("number", x=x, y=y)
    return np.asarray(np.greater(x, y))


def greater_equal(x: Array, y: Array) -> Array:
    """Return whether `x >= y`."""
    check("number", x=x, y=y)
    return np.asarray(np.greater_equal(x, y))
