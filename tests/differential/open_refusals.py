"""Divisors of 0 and indices out of range that no result needs: compiled code may drop them.

`docs/semantics.md` says so.  In: a graph, arguments that the references refuse, and
results.  Out: whether they are right whatever stands in the place of what the references refuse.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from uir import relay
from uir.ir import RelayExpr
from uir.relay.dimensions import Dimensions

from ..operators.domain import INDICES
from .comparison import difference
from .evaluation import Array, Undefined, evaluate, run_call, value_of

__all__ = ["is_unneeded"]

QUOTIENTS = ("divide", "floor_divide", "mod")


def is_unneeded(function: relay.Function, arguments: list[Array], found: list[Array]) -> bool:
    """Tell whether results are right for two numbers in the place of each that is refused."""
    for is_first in (True, False):
        try:
            expected = evaluate(function, arguments, partial(_run, is_first))
        except Undefined:
            return False
        if any(difference(*pair) is not None for pair in zip(found, expected, strict=True)):
            return False
    return True


def _run(is_first: bool, call: relay.Call, values: dict[RelayExpr, Any], at: Dimensions) -> Any:
    name = call.op.name.removeprefix("relay.")

    def lookup(expr: RelayExpr) -> Any:
        array = value_of(expr, values)
        if name in QUOTIENTS and expr == call.args[1] and array.dtype.kind in "iu":
            return np.where(array == 0, array.dtype.type(1 if is_first else 3), array)
        if name in INDICES and expr == call.args[1]:
            sizes = _sizes(name, value_of(call.args[0], values).shape, array, call.attrs)
            is_inside = (array >= -sizes) & (array < sizes)
            return np.where(is_inside, array, 0 if is_first else sizes - 1).astype(array.dtype)
        return array

    return run_call(call, lookup, at)


def _sizes(name: str, shape: tuple[int, ...], indices: Array, attrs: Any) -> Array:
    """Return the sizes that indices must be less than, in a shape that broadcasts to theirs."""
    if name in ("gather_nd", "scatter_nd"):
        first = attrs.batch_dims if name == "gather_nd" else 0
        return np.array(shape[first : first + indices.shape[-1]], np.int64)
    return np.array(np.prod(shape) if attrs.axis is None else shape[attrs.axis], np.int64)
