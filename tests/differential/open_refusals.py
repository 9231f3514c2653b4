"""Divisors of 0 and indices out of range that no result needs: compiled code may drop them.

`semantics.md` says so.  In: a graph, arguments that the references refuse, and results.  Out:
whether the results are the same for any value of the refused elements; which errors may be raised.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from uir import relay
from uir.ir import RelayExpr
from uir.relay.dimensions import Dimensions

from ..operators.domain import INDICES, is_defined
from .comparison import unexplained
from .evaluation import Array, Undefined, evaluate, run_call, value_of

__all__ = ["errors", "is_unneeded"]

READING = ("gather_nd", "take", "take_along_axis")
QUOTIENTS = ("divide", "floor_divide", "mod")
SHIFTS = ("left_shift", "right_shift")


class Repair(NamedTuple):
    """What is put in the place of divisors of 0 and of indices out of range; None for nothing."""

    divisor: int | None
    index: int | None


NOTHING, QUOTIENT, ELEMENT = Repair(None, None), Repair(1, None), Repair(None, 0)
FIRST, OTHER = Repair(1, 0), Repair(3, -1)


class OpenShift(Exception):
    """A shift is by a number of bits for which no result is defined."""


def is_unneeded(function: relay.Function, arguments: list[Array], found: list[Array]) -> bool:
    """Return whether no result depends on what a reference refuses.

    The reference runs twice, with two other numbers in the place of each refused one, and both runs
    must give the results, up to errors of rounding. A graph with an undefined shift is not
    compared: no reference has its number.
    """
    for repair in (FIRST, OTHER):
        try:
            expected = evaluate(function, arguments, partial(_run_defined, repair))
        except OpenShift:
            return True
        except Undefined:
            return False
        repaired = partial(_repaired, repair)
        differences = unexplained(function, arguments, found, expected, repaired)
        if any(one is not None for one in differences):
            return False
    return True


def errors(function: relay.Function, arguments: list[Array]) -> set[str]:
    """Return the names of the errors by which a call may refuse arguments.

    There are several where sizes, divisors and indices are each refused: the order is left open.
    """
    found = {"ValueError"} if _breaks_assumptions(function, arguments) else set()
    for repair in (NOTHING, QUOTIENT, ELEMENT, FIRST):
        try:
            evaluate(function, arguments, partial(_run, repair))
        except Undefined as error:
            found.add("IndexError" if str(error).startswith("IndexError") else "ValueError")
    return found


def _breaks_assumptions(function: relay.Function, arguments: list[Array]) -> bool:
    dimensions = Dimensions()
    for param, array in zip(function.params, arguments, strict=True):
        dimensions.bind(array.shape, param.type_annotation.shape, param.name)
    calls = [one.value for one in function.body.bindings if isinstance(one.value, relay.Call)]
    return not all(dimensions.holds(one) for call in calls for one in call.assumptions or ())


def _run_defined(
    repair: Repair, call: relay.Call, values: dict[RelayExpr, Any], at: Dimensions
) -> Any:
    name = call.op.name.removeprefix("relay.")
    if name in SHIFTS and not np.all(
        is_defined(name, [value_of(one, values) for one in call.args])
    ):
        raise OpenShift(name)
    return _run(repair, call, values, at)


def _run(repair: Repair, call: relay.Call, values: dict[RelayExpr, Any], at: Dimensions) -> Any:
    return run_call(call, _repaired(repair, call, values), at)


def _repaired(
    repair: Repair, call: relay.Call, values: dict[RelayExpr, Any]
) -> Callable[[RelayExpr], Any]:
    """Return what gives a call its operands, without what a reference refuses."""
    name = call.op.name.removeprefix("relay.")
    # `take` by another mode refuses no index.
    if getattr(call.attrs, "mode", "raise") != "raise":
        return partial(value_of, values=values)

    def lookup(expr: RelayExpr) -> Any:
        array = value_of(expr, values)
        if name in READING and repair.index is not None and expr == call.args[0]:
            return _with_elements(name, array, value_of(call.args[1], values), call.attrs, repair)
        if expr != call.args[min(1, len(call.args) - 1)]:
            return array
        if name in QUOTIENTS and repair.divisor is not None and array.dtype.kind in "iu":
            return np.where(array == 0, array.dtype.type(repair.divisor), array)
        if name in INDICES and repair.index is not None:
            sizes = _sizes(name, value_of(call.args[0], values).shape, array, call.attrs)
            sizes = np.maximum(sizes, 1 if name in READING else 0)
            is_inside = (array >= -sizes) & (array < sizes)
            return np.where(is_inside, array, repair.index % sizes).astype(array.dtype)
        return array

    return lookup


def _with_elements(name: str, x: Array, indices: Array, attrs: Any, repair: Repair) -> Array:
    """Return a tensor that has elements to take: some number where axes have none."""
    if name == "gather_nd":
        axes = range(attrs.batch_dims, attrs.batch_dims + indices.shape[-1])
    else:
        axes = range(x.ndim) if attrs.axis is None else range(x.ndim)[attrs.axis :][:1]
    shape = [1 if axis in axes and not dim else dim for axis, dim in enumerate(x.shape)]
    return x if tuple(shape) == x.shape else np.full(shape, repair.divisor or 1, x.dtype)


def _sizes(name: str, shape: tuple[int, ...], indices: Array, attrs: Any) -> Array:
    """Return the sizes that indices must be less than, in a shape that broadcasts to theirs."""
    if name in ("gather_nd", "scatter_nd"):
        first = attrs.batch_dims if name == "gather_nd" else 0
        return np.array(shape[first : first + indices.shape[-1]], np.int64)
    return np.array(np.prod(shape) if attrs.axis is None else shape[attrs.axis], np.int64)
