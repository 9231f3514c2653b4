"""What the operators of `tir` compute."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .errors import Undefined
from .numbers import Value, floor_div, floor_mod, trunc_div, trunc_mod

__all__ = ["SCALAR_INTRINSICS", "shift_right"]


def _numpy(function: Callable[[np.float64], np.float64]) -> Callable[[Value], float]:
    def compute(value: Value) -> float:
        with np.errstate(all="ignore"):
            return float(function(np.float64(value)))

    return compute


def _power(a: Value, b: Value) -> Value:
    if isinstance(a, int) and isinstance(b, int):
        return a**b if b >= 0 else {1: 1, -1: (-1) ** b}.get(a, 0)
    with np.errstate(all="ignore"):
        return float(np.power(np.float64(a), np.float64(b)))


def _rounding(function: Callable[[np.float64], np.float64]) -> Callable[[Value], Value]:
    """Return a function of rounding, which keeps the sign of zeros, and integers as they are."""
    return lambda value: float(function(np.float64(value))) if type(value) is float else value


def _nonzero(divisor: Value, message: str) -> Value:
    if divisor == 0:
        raise Undefined(message)
    return divisor


def _dot4(total: int, a: int, b: int) -> int:
    """Return a sum of 32 bits, which wraps around, and products of four bytes."""
    left = np.array(a, "int32").reshape(1).view("uint8").astype("int64")
    right = np.array(b, "int32").reshape(1).view("int8").astype("int64")
    return int(np.array(total + int(left @ right)).astype("int32"))


def shift_right(a: int, b: int) -> int:
    """Shift; negative numbers keep their sign."""
    return a >> b


SCALAR_INTRINSICS: dict[str, Callable[..., Value]] = {
    "abs": abs,
    "bitwise_and": lambda a, b: a & b,
    "bitwise_not": lambda a: ~a,
    "bitwise_or": lambda a, b: a | b,
    "bitwise_xor": lambda a, b: a ^ b,
    "ceil": _rounding(np.ceil),
    "cos": _numpy(np.cos),
    "cosh": _numpy(np.cosh),
    "acos": _numpy(np.arccos),
    "acosh": _numpy(np.arccosh),
    "asin": _numpy(np.arcsin),
    "asinh": _numpy(np.arcsinh),
    "atan": _numpy(np.arctan),
    "atanh": _numpy(np.arctanh),
    "atan2": lambda a, b: math.atan2(a, b),
    "copysign": lambda a, b: math.copysign(a, b),
    "dot4": _dot4,
    "erf": math.erf,
    "exp": _numpy(np.exp),
    "exp10": _numpy(lambda x: np.power(np.float64(10), x)),
    "exp2": _numpy(np.exp2),
    "expm1": _numpy(np.expm1),
    "floor": _rounding(np.floor),
    "fma": lambda a, b, c: a * b + c,
    "fmod": trunc_mod,
    "hypot": lambda a, b: math.hypot(a, b),
    "isfinite": lambda a: math.isfinite(a),
    "isinf": lambda a: math.isinf(a),
    "isnan": lambda a: math.isnan(a),
    "likely": lambda a: a,
    "log": _numpy(np.log),
    "log10": _numpy(np.log10),
    "log1p": _numpy(np.log1p),
    "log2": _numpy(np.log2),
    "nonzero": _nonzero,
    "nearbyint": _rounding(np.rint),
    "pow": _power,
    "round": _rounding(np.rint),
    "rsqrt": _numpy(lambda x: 1 / np.sqrt(x)),
    "shift_left": lambda a, b: a << b,
    "shift_right": shift_right,
    "sigmoid": _numpy(lambda x: 1 / (1 + np.exp(-x))),
    "sin": _numpy(np.sin),
    "sinh": _numpy(np.sinh),
    "sqrt": _numpy(np.sqrt),
    "tan": _numpy(np.tan),
    "tanh": _numpy(np.tanh),
    "trunc": _rounding(np.trunc),
    "truncdiv": trunc_div,
    "truncmod": trunc_mod,
    "floordiv": floor_div,
    "floormod": floor_mod,
}
"""By the operator's name without its dialect: functions of scalars, computed lane by lane."""
