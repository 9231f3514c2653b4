"""Logic of booleans, selection, and operations on the bits of integers."""

from __future__ import annotations

import numpy as np

from .tensors import Array, check, tensor

__all__ = [
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "left_shift",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "right_shift",
    "where",
]


def logical_and(x: Array, y: Array) -> Array:
    """Return whether both are true."""
    check("bool", x=x, y=y)
    return np.asarray(np.logical_and(x, y))


def logical_or(x: Array, y: Array) -> Array:
    """Return whether one or both are true."""
    check("bool", x=x, y=y)
    return np.asarray(np.logical_or(x, y))


def logical_xor(x: Array, y: Array) -> Array:
    """Return whether exactly one is true."""
    check("bool", x=x, y=y)
    return np.asarray(np.logical_xor(x, y))


def logical_not(x: Array) -> Array:
    """Return whether an element is false."""
    check("bool", x=x)
    return np.asarray(np.logical_not(x))


def where(condition: Array, x: Array, y: Array) -> Array:
    """Return `x` where the condition is true, else `y`."""
    check("bool", condition=condition)
    check("any", x=x, y=y)
    return tensor(np.where(condition, x, y), x)


def bitwise_and(x: Array, y: Array) -> Array:
    """Return the bits that both have."""
    check("int", x=x, y=y)
    return tensor(np.bitwise_and(x, y), x)


def bitwise_or(x: Array, y: Array) -> Array:
    """Return the bits that one or both have."""
    check("int", x=x, y=y)
    return tensor(np.bitwise_or(x, y), x)


def bitwise_xor(x: Array, y: Array) -> Array:
    """Return the bits that exactly one has."""
    check("int", x=x, y=y)
    return tensor(np.bitwise_xor(x, y), x)


def bitwise_not(x: Array) -> Array:
    """Return the bits that `x` lacks."""
    check("int", x=x)
    return tensor(np.bitwise_not(x), x)


def left_shift(x: Array, y: Array) -> Array:
    """Return `x` shifted by `y` bits to the left; zeros come in."""
    check("int", x=x, y=y)
    return tensor(np.left_shift(x, y), x)


def right_shift(x: Array, y: Array) -> Array:
    """Return `x` shifted by `y` bits to the right; copies of a signed integer's sign come in."""
    check("int", x=x, y=y)
    return tensor(np.right_shift(x, y), x)
