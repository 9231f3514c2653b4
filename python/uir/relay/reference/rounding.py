"""Rounding, predicates of floating-point elements, conversion of data types."""

from __future__ import annotations

import numpy as np

from ...runtime import numpy_dtype
from .tensors import Array, check, tensor

__all__ = ["cast", "ceil", "floor", "isinf", "isnan", "round"]


def floor(x: Array) -> Array:
    """Return the greatest integer that is at most `x`."""
    check("float", x=x)
    return tensor(np.floor(x), x)


def ceil(x: Array) -> Array:
    """Return the least integer that is at least `x`."""
    check("float", x=x)
    return tensor(np.ceil(x), x)


def round(x: Array) -> Array:
    """Return the nearest integer; halves go to the even one."""
    check("float", x=x)
    return tensor(np.rint(x), x)


def isnan(x: Array) -> Array:
    """Return whether elements are NaN."""
    check("float", x=x)
    return np.asarray(np.isnan(x))


def isinf(x: Array, *, detect_negative: bool = True, detect_positive: bool = True) -> Array:
    """Return whether elements are infinite, of one sign or of both."""
    check("float", x=x)
    negative = detect_negative & np.isneginf(x)
    return np.asarray(negative | (detect_positive & np.isposinf(x)))


@np.errstate(all="ignore")
def cast(x: Array, dtype: str) -> Array:
    """Return `x` in another data type; floats become integers by truncation."""
    check("any", x=x)
    return x.astype(numpy_dtype(dtype))
