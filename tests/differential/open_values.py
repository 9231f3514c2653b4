"""Elements of results that `semantics.md` leaves open, as a partial result is infinite or NaN.

In: a call, the values of its operands, a result.  Out: truth values, where the result is open.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uir import ir, relay
from uir.ir import RelayExpr

from .evaluation import Array, value_of
from .values import is_float

__all__ = ["CANCELLING", "SCALING", "error_size", "has_open_signs", "is_open"]

CANCELLING = ("gelu", "log_softmax")
"""Operators whose error is that of sums of other numbers than the result (`error_size`)."""
SCALING = (
    "batch_norm",
    "batch_norm_training",
    "group_norm",
    "layer_norm",
    "layer_norm_with_statistics",
    "rms_norm",
)
"""Operators that multiply a partial result, which has few bits if it is subnormal, by a scale."""
STEPS = ("batch_norm",)
"""Operators of one formula, of which a part may be infinite though the result is not."""
OPEN_SIGNS = ("maximum", "minimum", "clip", "relu")
"""Operators of one formula of which the sign of a zero is not said."""
CONVOLUTIONS = ("conv", "conv_transpose")
PRODUCTS = ("prod", "cumprod")
SELECTING = ("max", "min", "argmax", "argmin", "topk", "max_pool", "max_pool_with_indices")
"""Operators that compute with several elements, but no new number."""
HUGE = 2.0**-24
"""From which part of the greatest number on a product of a few numbers may be infinite."""


def is_open(call: relay.Call, values: dict[RelayExpr, Any], result: Array) -> Array:
    """Return which elements of a result may be any number, infinite or NaN."""
    name = call.op.name.removeprefix("relay.")
    if not is_float(result.dtype) or name in SELECTING:
        return np.zeros(result.shape, bool)
    has_steps = ir.op_attr(call.op, "scalar") is None or name in STEPS
    if has_steps and _has_huge(call, values):
        return np.ones(result.shape, bool)
    if name == "resize" and not np.isfinite(_numbers(value_of(call.args[0], values))).all():
        return np.ones(result.shape, bool)
    if name in PRODUCTS:
        return np.broadcast_to(_order_matters(value_of(call.args[0], values)), result.shape)
    if name in CONVOLUTIONS:
        finite = _finite_channels(name, value_of(call.args[1], values), call.attrs.groups)
        channels = finite.reshape(-1, *[1] * (result.ndim - 2))
        return np.broadcast_to(~channels, result.shape)
    return np.zeros(result.shape, bool)


def error_size(call: relay.Call, values: dict[RelayExpr, Any]) -> Array:
    """Return how large the numbers are whose rounding errors a result has.

    An operator of `CANCELLING` adds them. One of `SCALING` rounds a subnormal number by half of the
    least number at most, and multiplies that error by its scale.
    """
    if call.op.name.removeprefix("relay.") in SCALING:
        return _scaled_smallest(call.args[1], values)
    x = _numbers(value_of(call.args[0], values))
    if call.op.name == "relay.log_softmax":
        # The sum of exponentials, one of which is 1, is rounded before its logarithm is taken.
        return np.asarray(x.ndim > 0 and x.shape[call.attrs.axis] > 1, np.float64)
    return np.where(np.isfinite(x), x, 0)


def _scaled_smallest(scale: RelayExpr, values: dict[RelayExpr, Any]) -> Array:
    """Return an eighth of the smallest normal number times the greatest scale, 0 without scales.

    Errors of rounding are some units in the last place, and this one is half a unit.
    """
    if isinstance(scale, relay.Tuple):
        return np.zeros(())
    array = value_of(scale, values)
    sizes = np.abs(_numbers(array))
    greatest = np.max(sizes, initial=0, where=np.isfinite(sizes))
    return np.asarray(greatest * _smallest(array) / 8)


def has_open_signs(call: relay.Call) -> bool:
    """Return whether the signs of zeros that a call computes are left open."""
    name = call.op.name.removeprefix("relay.")
    return name in OPEN_SIGNS or ir.op_attr(call.op, "scalar") is None


def _has_huge(call: relay.Call, values: dict[RelayExpr, Any]) -> bool:
    """Return whether an operand has a finite number that few others bring to overflow."""
    for operand in call.args:
        fields = operand.fields if isinstance(operand, relay.Tuple) else [operand]
        for array in (value_of(one, values) for one in fields):
            if not is_float(array.dtype):
                continue
            sizes = np.abs(_numbers(array))
            if (np.isfinite(sizes) & (sizes > HUGE * _greatest(str(array.dtype)))).any():
                return True
    return False


def _order_matters(array: Array) -> bool:
    """Return whether the product of some factors leaves the normal numbers."""
    sizes = np.abs(_numbers(array))
    with np.errstate(all="ignore"):
        powers = np.log2(sizes[np.isfinite(sizes) & (sizes > 0)])
    least, greatest = np.sum(powers[powers < 0]), np.sum(powers[powers > 0])
    most = np.log2(_greatest(str(array.dtype)))
    return bool(least < np.log2(_smallest(array)) or greatest > most)


def _smallest(array: Array) -> float:
    """Return the smallest normal number of a data type."""
    dtype = str(array.dtype)
    return 2.0**-126 if dtype == "bfloat16" else float(np.finfo(dtype).tiny)


def _greatest(dtype: str) -> float:
    return 3.38e38 if dtype == "bfloat16" else float(np.finfo(dtype).max)


def _finite_channels(name: str, weight: Array, groups: int) -> Array:
    """Return for each channel of the result of a convolution whether all its weights are finite."""
    finite = np.isfinite(_numbers(weight))
    if name == "conv":
        return np.asarray(finite.reshape(len(weight), weight[:1].size).all(1))
    kernel = math.prod(weight.shape[2:])
    parts = finite.reshape(groups, len(weight) // groups, weight.shape[1], kernel)
    return np.asarray(parts.all((1, 3)).reshape(-1))


def _numbers(array: Array) -> Array:
    return array.astype(np.float64)
