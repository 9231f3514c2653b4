"""Exponential, trigonometric and hyperbolic functions of floating-point elements."""

from __future__ import annotations

from collections.abc import Callable
from math import erf as erf_of_float

import numpy as np

from .tensors import Array, check, tensor, wide

__all__ = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cos",
    "cosh",
    "erf",
    "exp",
    "expm1",
    "log",
    "log1p",
    "rsqrt",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]

_erf = np.vectorize(erf_of_float, otypes=[np.float64])


@np.errstate(all="ignore")
def evaluate(function: Callable[[Array], Array], x: Array) -> Array:
    """Apply a function to floats, and to those of 16 bits in float32; keep their type."""
    check("float", x=x)
    return tensor(function(wide(x)), x)


def exp(x: Array) -> Array:
    """Return e to the power of `x`."""
    return evaluate(np.exp, x)


def log(x: Array) -> Array:
    """Return the natural logarithm."""
    return evaluate(np.log, x)


def expm1(x: Array) -> Array:
    """Return `exp(x) - 1`, accurate near 0."""
    return evaluate(np.expm1, x)


def log1p(x: Array) -> Array:
    """Return the natural logarithm of `1 + x`, accurate near 0."""
    return evaluate(np.log1p, x)


def sqrt(x: Array) -> Array:
    """Return the square root."""
    return evaluate(np.sqrt, x)


def rsqrt(x: Array) -> Array:
    """Return the reciprocal of the square root."""
    return evaluate(lambda value: np.reciprocal(np.sqrt(value)), x)


def sin(x: Array) -> Array:
    """Return the sine of an angle in radians."""
    return evaluate(np.sin, x)


def cos(x: Array) -> Array:
    """Return the cosine of an angle in radians."""
    return evaluate(np.cos, x)


def tan(x: Array) -> Array:
    """Return the tangent of an angle in radians."""
    return evaluate(np.tan, x)


def asin(x: Array) -> Array:
    """Return the inverse sine."""
    return evaluate(np.arcsin, x)


def acos(x: Array) -> Array:
    """Return the inverse cosine."""
    return evaluate(np.arccos, x)


def atan(x: Array) -> Array:
    """Return the inverse tangent."""
    return evaluate(np.arctan, x)


def sinh(x: Array) -> Array:
    """Return the hyperbolic sine."""
    return evaluate(np.sinh, x)


def cosh(x: Array) -> Array:
    """Return the hyperbolic cosine."""
    return evaluate(np.cosh, x)


def tanh(x: Array) -> Array:
    """Return the hyperbolic tangent."""
    return evaluate(np.tanh, x)


def asinh(x: Array) -> Array:
    """Return the inverse hyperbolic sine."""
    return evaluate(np.arcsinh, x)


def acosh(x: Array) -> Array:
    """Return the inverse hyperbolic cosine."""
    return evaluate(np.arccosh, x)


def atanh(x: Array) -> Array:
    """Return the inverse hyperbolic tangent."""
    return evaluate(np.arctanh, x)


def erf(x: Array) -> Array:
    """Return the error function, `2 / sqrt(pi)` times the integral of `exp(-t * t)` up to `x`."""
    return evaluate(_erf, x)
