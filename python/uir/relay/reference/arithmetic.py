"""Sums, products, quotients and extrema of elements, with broadcasting as in NumPy."""

from __future__ import annotations

import numpy as np

from .tensors import Array, check, kind_of, tensor, wide

__all__ = [
    "abs",
    "add",
    "clip",
    "divide",
    "floor_divide",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "negative",
    "power",
    "sign",
    "subtract",
]

quiet = np.errstate(all="ignore")


@quiet
def add(x: Array, y: Array) -> Array:
    """Return `x + y`; integers wrap around."""
    check("number", x=x, y=y)
    return tensor(np.add(x, y), x)


@quiet
def subtract(x: Array, y: Array) -> Array:
    """Return `x - y`; integers wrap around."""
    check("number", x=x, y=y)
    return tensor(np.subtract(x, y), x)


@quiet
def multiply(x: Array, y: Array) -> Array:
    """Return `x * y`; integers wrap around."""
    check("number", x=x, y=y)
    return tensor(np.multiply(x, y), x)


def check_divisor(y: Array) -> None:
    """Check that integers may divide.

    Raises
    ------
    ValueError
        If one is 0.
    """
    if kind_of(y) != "f" and not y.all():
        raise ValueError("the divisor `y` is 0")


@quiet
def divide(x: Array, y: Array) -> Array:
    """Return `x / y`; integers are truncated towards zero, as in C."""
    check("number", x=x, y=y)
    if kind_of(x) == "f":
        return tensor(np.divide(x, y), x)
    check_divisor(y)
    quotient = np.floor_divide(x, y)
    remainder = np.subtract(x, np.multiply(quotient, y))
    rounded_down = (remainder != 0) & ((x < 0) != (y < 0))
    return tensor(quotient + rounded_down, x)


@quiet
def floor_divide(x: Array, y: Array) -> Array:
    """Return `x // y`, rounded down; for floats, the quotient that fits the remainder of `mod`."""
    check("number", x=x, y=y)
    check_divisor(y)
    return tensor(np.floor_divide(wide(x), wide(y)), x)


@quiet
def mod(x: Array, y: Array, *, truncated: bool = False) -> Array:
    """Return the remainder: of the sign of `y`, or if truncated of that of `x`, as in C.

    A remainder of 0 has the sign of `x` in both, as compiled; in NumPy it has that of `y`.
    """
    check("number", x=x, y=y)
    check_divisor(y)
    truncated_remainder = np.fmod(x, y)
    if truncated:
        return tensor(truncated_remainder, x)
    remainder = np.mod(x, y)
    return tensor(np.where(remainder == 0, truncated_remainder, remainder), x)


@quiet
def power(x: Array, y: Array) -> Array:
    """Return `x` to the power of `y`; integers wrap around, and negative powers are truncated."""
    check("number", x=x, y=y)
    if y.dtype.kind != "i":
        return tensor(np.power(x, y), x)
    # The truncated `1 / x ** -y` is nonzero for 1 and -1 alone; a base of 0 also gives 0.
    sign = np.where(y % 2 == 0, x * x, x)
    return tensor(np.where(y < 0, np.where(abs(x) == 1, sign, 0), np.power(x, np.maximum(y, 0))), x)


def maximum(x: Array, y: Array) -> Array:
    """Return the greater of two elements; NaN if one is NaN."""
    check("number", x=x, y=y)
    return tensor(np.maximum(x, y), x)


def minimum(x: Array, y: Array) -> Array:
    """Return the smaller of two elements; NaN if one is NaN."""
    check("number", x=x, y=y)
    return tensor(np.minimum(x, y), x)


def clip(x: Array, lower: Array | None = None, upper: Array | None = None) -> Array:
    """Return `minimum(maximum(x, lower), upper)`, without a bound that is None."""
    check("number", x=x, lower=lower, upper=upper)
    limited = x if lower is None else np.maximum(x, lower)
    return tensor(limited if upper is None else np.minimum(limited, upper), x)


@quiet
def negative(x: Array) -> Array:
    """Return `-x`; integers wrap around."""
    check("number", x=x)
    return tensor(np.negative(x), x)


def abs(x: Array) -> Array:
    """Return the absolute value; that of the least integer is itself."""
    check("number", x=x)
    return tensor(np.abs(x), x)


def sign(x: Array) -> Array:
    """Return -1, 0 or 1; NaN of NaN."""
    check("number", x=x)
    return tensor(np.sign(x), x)
