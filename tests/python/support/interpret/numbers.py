"""Arithmetic as the nodes define it, on Python values.

A scalar is an int, a float or a bool that its data type can hold; a vector is a list of them.  An
operation computes exactly, then `fit` brings the result back into its data type: integers wrap
around, floating-point numbers are rounded once.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from tvm_ffi import dtype as DataType

from .errors import Undefined

__all__ = [
    "Value",
    "fit",
    "floor_div",
    "floor_mod",
    "lanes_of",
    "lanewise",
    "multiply_add",
    "multiply_add_narrow",
    "packed",
    "storage_type",
    "trunc_div",
    "trunc_mod",
]

Value: TypeAlias = Any
"""An int, a float, a bool, a string, an `Address`, an object or None, or a list of scalars."""

_FLOATS = {"float16": np.float16, "float32": np.float32, "float64": np.float64}


def lanewise(operation: Callable[..., Value], *operands: Value) -> Value:
    """Apply an operation on scalars, lane by lane if an operand is a vector."""
    lanes = next((len(operand) for operand in operands if isinstance(operand, list)), None)
    if lanes is None:
        return operation(*operands)
    columns = [x if isinstance(x, list) else [x] * lanes for x in operands]
    return [operation(*column) for column in zip(*columns, strict=True)]


def lanes_of(value: Value) -> list[Value]:
    """Return the lanes of a value; a scalar is its only one."""
    return value if isinstance(value, list) else [value]


def packed(lanes: list[Value]) -> Value:
    """Return the value that has these lanes: of one alone, a scalar."""
    return lanes if len(lanes) > 1 else lanes[0]


def element_name(dtype: DataType) -> str:
    """Return the name of the type of one lane."""
    return str(dtype).partition("x")[0]


def storage_type(dtype: DataType) -> np.dtype[Any]:
    """Return the type in which numpy keeps one lane."""
    name = element_name(dtype)
    return np.dtype({"bfloat16": "uint16", "handle": "uint64"}.get(name, name))


def fit(dtype: DataType, strict: bool = False) -> Callable[[Value], Value]:
    """Return a function that brings an exact scalar into a data type.

    Parameters
    ----------
    dtype
        The data type; its lanes do not matter.
    strict
        Whether a result that a signed integer of 32 bits or more cannot hold is `Undefined`;
        otherwise it wraps around.
    """
    name = element_name(dtype)
    if name == "bool":
        return bool
    if name.startswith(("int", "uint")):
        return _fit_integer(int(name.lstrip("uint")), name.startswith("int"), strict)
    if name in _FLOATS:
        return _fit_float(_FLOATS[name])
    if name == "bfloat16":
        return round_to_bfloat16
    return lambda value: value


def _fit_integer(bits: int, signed: bool, strict: bool) -> Callable[[Value], int]:
    low = -(1 << (bits - 1)) if signed else 0
    high = low + (1 << bits) - 1

    def wrap(value: Value) -> int:
        exact = int(value) if math.isfinite(value) else 0  # What a conversion gives.
        if strict and signed and bits >= 32 and not low <= exact <= high:
            raise Undefined(f"{exact} overflows int{bits}")
        return (exact - low) % (1 << bits) + low

    return wrap


def _fit_float(kind: Callable[[float], Any]) -> Callable[[Value], float]:
    def to_nearest(value: Value) -> float:
        with np.errstate(over="ignore"):
            # numpy would round an integer of Python to float64 first.
            return float(kind(np.int64(value) if type(value) is int else value))

    return to_nearest


def bfloat16_bits(value: float) -> int:
    """Return the bits of the nearest bfloat16, an even one if two are as near."""
    with np.errstate(over="ignore"):
        bits = int(np.float32(value).view(np.uint32))
    if math.isnan(value):
        return 0x7FC0
    return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16


def bfloat16_value(bits: int) -> float:
    """Return the number that the bits of a bfloat16 stand for."""
    return float(np.uint32(bits << 16).view(np.float32))


def round_to_bfloat16(value: Value) -> float:
    """Return the nearest number that a bfloat16 can hold."""
    return bfloat16_value(bfloat16_bits(float(value)))


def true_div(a: float, b: float) -> float:
    """Divide as IEEE 754 says, by zero too."""
    with np.errstate(all="ignore"):
        return float(np.float64(a) / np.float64(b))


def multiply_add(a: float, b: float, c: float) -> float:
    """Return `a * b + c` rounded once, to float64."""
    separate = a * b + c
    if not math.isfinite(separate):
        return separate
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    # The sign of a sum that is 0 is that of the separate steps.
    return float(exact) if exact else separate


def multiply_add_narrow(a: float, b: float, c: float) -> float:
    """Return `a * b + c` of numbers of at most 24 bits, so that a type of them rounds it once.

    An inexact sum is rounded to odd: its last bit says that more follows.
    """
    product = a * b
    total = product + c
    if not math.isfinite(total):
        return total
    part = total - product
    error = (product - (total - part)) + (c - part)
    if error == 0 or struct.pack("<d", total)[0] & 1:
        return total
    return math.nextafter(total, math.copysign(math.inf, error))


def trunc_div(a: Value, b: Value) -> Value:
    """Divide; integers round towards zero."""
    if isinstance(a, float):
        return true_div(a, b)
    _check_divisor(b)
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def trunc_mod(a: Value, b: Value) -> Value:
    """Return the remainder of `trunc_div`; its sign is that of `a`."""
    if isinstance(a, float):
        with np.errstate(all="ignore"):
            return float(np.fmod(np.float64(a), np.float64(b)))
    return a - b * trunc_div(a, b)


def floor_div(a: Value, b: Value) -> Value:
    """Divide and round down."""
    if isinstance(a, float):
        return float(np.floor(true_div(a, b)))
    _check_divisor(b)
    return a // b


def floor_mod(a: Value, b: Value) -> Value:
    """Return the remainder of `floor_div`; its sign is that of `b`."""
    return a - b * floor_div(a, b)


def _check_divisor(b: int) -> None:
    if b == 0:
        raise Undefined("division by 0")
