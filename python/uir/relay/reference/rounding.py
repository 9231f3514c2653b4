"""Rounding, predicates of floating-point elements, conversion of data types."""

from __future__ import annotations

import numpy as np

from ...runtime import numpy_dtype
from .tensors import Array, check, kind_of, tensor

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
    """Return `x` in another data type, as compiled code converts.

    Floats become integers by truncation, modulo 2^bits; NaN and infinities become 0.
    """
    check("any", x=x)
    wanted = numpy_dtype(dtype)
    return (_whole(x) if kind_of(x) == "f" and wanted.kind in "iu" else x).astype(wanted)


def _whole(x: Array) -> Array:
    """Return floats without their fractions, modulo 2^64, also where NumPy defines no result."""
    exact = np.nan_to_num(np.trunc(x.astype(np.float64)), nan=0, posinf=0, neginf=0)
    fits = abs(exact) < 2.0**63
    rest = np.fmod(exact, 2.0**64)
    wrapped = np.where(fits, 0, np.where(rest < 0, rest + 2.0**64, rest)).astype(np.uint64)
    return np.where(fits, np.where(fits, exact, 0).astype(np.int64), wrapped.astype(np.int64))
