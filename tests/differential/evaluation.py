"""What the references compute of a graph, call by call, as they are or with errors of rounding.

In: calls of operators, and arrays.  Out: arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from uir import relay
from uir.ir import RelayExpr, TensorType, Type
from uir.relay.dimensions import Dimensions
from uir.relay.operator_call import run_operator
from uir.runtime import as_array, numpy_dtype

from .values import is_float

__all__ = [
    "Undefined",
    "WrongType",
    "evaluate",
    "live",
    "run_call",
    "run_reference",
    "run_wide_call",
    "value_of",
    "values_by_variable",
    "values_of",
]

Array = np.ndarray[Any, Any]
Change = Callable[[relay.Call, dict[RelayExpr, Any], Dimensions], Any]


class Undefined(Exception):
    """The result of a call is not defined for its operands."""


class WrongType(Exception):
    """The type of a call is not that of the result of its reference."""


def run_call(call: relay.Call, lookup: Callable[[RelayExpr], Any], dimensions: Dimensions) -> Any:
    """Return what the reference of an operator computes.

    Parameters
    ----------
    call
        A call on variables, constants and tuples of these.
    lookup
        The values of variables and constants.
    dimensions
        The values of the symbolic dimensions.

    Raises
    ------
    Undefined
        If the reference refuses its operands, or an assumption on dimensions does not hold.
    WrongType
        If the result is of another type than the call.
    """
    if not all(dimensions.holds(one) for one in call.assumptions or ()):
        raise Undefined("an assumption on dimensions does not hold")

    result = run_reference(call, lookup, dimensions)
    _check(call, result, call.checked_type, dimensions)
    return result


def run_wide_call(
    call: relay.Call, lookup: Callable[[RelayExpr], Any], dimensions: Dimensions
) -> Any:
    """Return what the reference computes in a wider floating-point type, rounded once."""
    result = run_reference(call, lambda expr: _wider(lookup(expr)), dimensions)
    return _narrowed(result, call.checked_type)


def value_of(expr: RelayExpr, values: dict[RelayExpr, Any]) -> Any:
    """Return the value of a variable or constant."""
    return as_array(expr.data) if isinstance(expr, relay.Constant) else values[expr]


def run_reference(
    call: relay.Call, run_expr: Callable[[RelayExpr], Any], dimensions: Dimensions
) -> Any:
    """Return what the reference computes, of operands of any types; `Undefined` as `run_call`."""
    try:
        with np.errstate(all="ignore"):
            return run_operator(call.op, call, run_expr, dimensions)
    except (ValueError, IndexError) as error:
        raise Undefined(f"{type(error).__name__}: {error}") from error


def _wider(array: Array) -> Array:
    if not is_float(array.dtype):
        return array
    return array.astype(np.longdouble if array.dtype == np.float64 else np.float64)


@np.errstate(all="ignore")
def _narrowed(result: Any, type_: Type) -> Any:
    if isinstance(type_, TensorType):
        return result.astype(numpy_dtype(type_.dtype))
    return tuple(_narrowed(one, field) for one, field in zip(result, type_.fields, strict=True))


def _check(call: relay.Call, result: Any, type_: Type, dimensions: Dimensions) -> None:
    if not isinstance(type_, TensorType):
        for one, field in zip(result, type_.fields, strict=True):
            _check(call, one, field, dimensions)
        return
    shape = tuple(dimensions.value(dim) for dim in type_.shape)
    if any(dim < 0 for dim in shape):
        raise Undefined(f"a dimension of the result is negative: {shape}")
    if (result.shape, str(result.dtype)) != (shape, str(type_.dtype)):
        found = f"{result.shape} of {result.dtype}"
        raise WrongType(f"{call}: the reference gives {found}, the type says {shape} of {type_}")


def evaluate(
    function: relay.Function, arguments: list[Array], change: Change | None = None
) -> list[Array]:
    """Return the results of a function of calls of operators, in A-normal form.

    Parameters
    ----------
    function
        The function.
    arguments
        An array for each parameter.
    change
        What runs a call in the place of its reference; it gets the call, the values so far and the
        dimensions.

    Raises
    ------
    Undefined, WrongType
        As `run_call` does.
    """
    values, _ = values_by_variable(function, arguments, change)
    result = function.body.result
    fields = result.fields if isinstance(result, relay.Tuple) else [result]
    return [value_of(one, values) for one in fields]


def live(function: relay.Function) -> set[relay.Call]:
    """Return the calls of a function that a result depends on."""
    used = set[RelayExpr]()
    found = set[relay.Call]()

    def use(expr: RelayExpr) -> None:
        used.update(expr.fields if isinstance(expr, relay.Tuple) else [expr])

    use(function.body.result)
    for binding in reversed(function.body.bindings):
        if binding.var not in used:
            continue
        if isinstance(binding.value, relay.TupleGetItem):
            use(binding.value.tuple_value)
        else:
            found.add(binding.value)
            for operand in binding.value.args:
                use(operand)
    return found


def values_of(function: relay.Function, arguments: list[Array]) -> dict[str, Any]:
    """Return the values of variables of a function by their names, up to a call that is refused."""
    values = dict[RelayExpr, Any]()
    with suppress(Undefined):
        _compute(values, Dimensions(), function, arguments, None)
    return {var.name: value for var, value in values.items() if isinstance(var, relay.Var)}


def values_by_variable(
    function: relay.Function, arguments: list[Array], change: Change | None = None
) -> tuple[dict[RelayExpr, Any], Dimensions]:
    """Return the values of all variables of a function, and those of its dimensions."""
    dimensions, values = Dimensions(), dict[RelayExpr, Any]()
    _compute(values, dimensions, function, arguments, change)
    return values, dimensions


def _compute(
    values: dict[RelayExpr, Any],
    dimensions: Dimensions,
    function: relay.Function,
    arguments: list[Array],
    change: Change | None,
) -> None:
    for param, array in zip(function.params, arguments, strict=True):
        # A parameter may have a multiple of a dimension that a later one has.
        dimensions.bind(array.shape, param.type_annotation.shape, param.name)
    for param, array in zip(function.params, arguments, strict=True):
        values[param] = array
        if not dimensions.match(array.shape, param.type_annotation.shape, param.name):
            raise Undefined(f"`{param.name}` has another shape")
    for binding in function.body.bindings:
        value = binding.value
        if isinstance(value, relay.TupleGetItem):
            values[binding.var] = values[value.tuple_value][value.index]
        elif change is None:
            values[binding.var] = run_call(value, partial(value_of, values=values), dimensions)
        else:
            values[binding.var] = change(value, values, dimensions)
