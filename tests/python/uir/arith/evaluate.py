"""The value of an expression for given variables, as the reference interpreter computes it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from uir import ir, tir

from ...support.interpret.compiler import Compiler
from ...support.interpret.errors import Undefined
from ...support.interpret.numbers import fit, lanewise

__all__ = ["Undefined", "evaluate", "evaluator", "same"]

Values = Mapping[tir.Var, Any]


def evaluate(expr: ir.PrimExpr, values: Values, *, strict: bool = False) -> Any:
    """Return the value of an expression.

    Parameters
    ----------
    expr
        The expression; it reads no memory and calls no function.
    values
        The value of each variable, brought into its data type.
    strict
        Whether a sum or product of indices that does not fit its type is undefined.

    Raises
    ------
    Undefined
        If it has no value: it divides by zero, or does not fit.
    """
    return evaluator(expr, strict=strict)(values)


def evaluator(expr: ir.PrimExpr, *, strict: bool = False) -> Callable[[Values], Any]:
    """Return a function of the variables' values, for an expression that has many of them.

    Parameters
    ----------
    expr, strict
        As `evaluate` takes them.

    Raises
    ------
    Undefined
        Like `evaluate`, if it has no value; whenever the function is called.
    """
    run = Compiler({}, strict, lambda *_: None).expr(expr)
    return lambda values: run(
        {variable: lanewise(fit(variable.dtype), value) for variable, value in values.items()}
    )


def same(a: Any, b: Any) -> bool:
    """Tell whether two values have the same bits, lane by lane; any NaN is like any other."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        both_nan = math.isnan(a) and math.isnan(b)
        return both_nan or (a == b and math.copysign(1, a) == math.copysign(1, b))
    return type(a) is type(b) and bool(a == b)
