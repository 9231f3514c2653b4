"""Reductions over axes: sums, products, extrema, and custom ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from uir.tir import Operand, as_expr
from uir_nodes.ir import PrimExpr
from uir_nodes.te import ReduceKind
from uir_nodes.tir import CommReducer, IterVar, Var

from . import _ffi_api

__all__ = ["comm_reducer", "max", "min", "prod", "sum"]

Axes = Sequence[IterVar] | IterVar


def _axes(axis: Axes) -> Sequence[IterVar]:
    return [axis] if isinstance(axis, IterVar) else axis


def _reduce(
    kind: ReduceKind, expr: Operand, axis: Axes, where: PrimExpr | None, init: Operand | None
) -> PrimExpr:
    source = as_expr(expr)
    start = None if init is None else [as_expr(init, source)]
    reducer = _ffi_api.combiner(kind, source.dtype)
    return _ffi_api.reduce(reducer, [source], _axes(axis), where, start)[0]


def sum(
    expr: Operand, axis: Axes, where: PrimExpr | None = None, init: Operand | None = None
) -> PrimExpr:
    """Return the sum of a value over axes.

    As in NumPy, the sum over no axes is the value itself, and with `init` their sum.

    Parameters
    ----------
    expr
        The value of each iteration.
    axis
        The axes, from `reduce_axis`; without any, `expr` counts once.
    where
        A boolean that selects iterations; None for all.
    init
        The initial value, converted to the data type of `expr` if it is a number; None for
        the identity.

    Returns
    -------
    PrimExpr
        The reduction, which must be the whole element expression of `compute`.

    Raises
    ------
    TypeError
        If `init` is an expression of another data type.
    ValueError
        If an axis is not from `reduce_axis`.
    """
    return _reduce(ReduceKind.SUM, expr, axis, where, init)


def prod(
    expr: Operand, axis: Axes, where: PrimExpr | None = None, init: Operand | None = None
) -> PrimExpr:
    """Return the product of a value over axes.

    Parameters
    ----------
    expr
        The value of each iteration.
    axis
        The axes, from `reduce_axis`; without any, `expr` counts once.
    where
        A boolean that selects iterations; None for all.
    init
        The initial value, converted to the data type of `expr` if it is a number; None for
        the identity.

    Returns
    -------
    PrimExpr
        The reduction, which must be the whole element expression of `compute`.

    Raises
    ------
    TypeError
        If `init` is an expression of another data type.
    ValueError
        If an axis is not from `reduce_axis`.
    """
    return _reduce(ReduceKind.PROD, expr, axis, where, init)


def min(
    expr: Operand, axis: Axes, where: PrimExpr | None = None, init: Operand | None = None
) -> PrimExpr:
    """Return the minimum of a value over axes.

    Parameters
    ----------
    expr
        The value of each iteration.
    axis
        The axes, from `reduce_axis`; without any, `expr` counts once.
    where
        A boolean that selects iterations; None for all.
    init
        The initial value, converted to the data type of `expr` if it is a number; None for
        the identity.

    Returns
    -------
    PrimExpr
        The reduction, which must be the whole element expression of `compute`.

    Raises
    ------
    TypeError
        If `init` is an expression of another data type.
    ValueError
        If an axis is not from `reduce_axis`.
    """
    return _reduce(ReduceKind.MIN, expr, axis, where, init)


def max(
    expr: Operand, axis: Axes, where: PrimExpr | None = None, init: Operand | None = None
) -> PrimExpr:
    """Return the maximum of a value over axes.

    Parameters
    ----------
    expr
        The value of each iteration.
    axis
        The axes, from `reduce_axis`; without any, `expr` counts once.
    where
        A boolean that selects iterations; None for all.
    init
        The initial value, converted to the data type of `expr` if it is a number; None for
        the identity.

    Returns
    -------
    PrimExpr
        The reduction, which must be the whole element expression of `compute`.

    Raises
    ------
    TypeError
        If `init` is an expression of another data type.
    ValueError
        If an axis is not from `reduce_axis`.
    """
    return _reduce(ReduceKind.MAX, expr, axis, where, init)


class Reducer(Protocol):
    """The type of the functions that `comm_reducer` returns, of a value or a tuple, and axes."""

    def __call__(
        self,
        expr: Operand | Sequence[Operand],
        axis: Axes,
        where: PrimExpr | None = None,
        init: Operand | Sequence[Operand] | None = None,
    ) -> PrimExpr | list[PrimExpr]: ...


def comm_reducer(
    fcombine: Callable[..., PrimExpr | Sequence[PrimExpr]],
    fidentity: Callable[..., Operand | Sequence[Operand]],
    name: str = "reduce",
) -> Reducer:
    """Make a custom reduction from a commutative and associative operation.

    Parameters
    ----------
    fcombine
        Takes two values, or two tuples, and returns the combined one.
    fidentity
        Takes the data type of each value and returns its identity.
    name
        The name of the function.

    Returns
    -------
    Reducer
        Takes the value, or a tuple, of each iteration and the axes, and returns what remains;
        where `init` and the identity are numbers, they get the data types of these values.

    Raises
    ------
    TypeError
        If the operation changes the data type of a value.
    ValueError
        If a tuple has another length than that of the values.

    Examples
    --------
    >>> either = comm_reducer(lambda a, b: a | b, lambda dtype: 0)
    """

    def reduce(
        expr: Operand | Sequence[Operand],
        axis: Axes,
        where: PrimExpr | None = None,
        init: Operand | Sequence[Operand] | None = None,
    ) -> PrimExpr | list[PrimExpr]:
        is_one = isinstance(expr, (PrimExpr, int, float))
        sources = [as_expr(value) for value in _tuple(expr)]
        lhs = [Var(f"x{i}", source.dtype) for i, source in enumerate(sources)]
        rhs = [Var(f"y{i}", source.dtype) for i, source in enumerate(sources)]
        result = fcombine(lhs[0], rhs[0]) if is_one else fcombine(lhs, rhs)
        combined = _like(sources, result, "the result of `fcombine`")
        identity = fidentity(*(source.dtype for source in sources))
        start = _like(sources, identity, "the result of `fidentity`")
        reducer = CommReducer(lhs, rhs, combined, start)
        given = None if init is None else _like(sources, init, "`init`")
        values = _ffi_api.reduce(reducer, sources, _axes(axis), where, given)
        return values[0] if is_one else list(values)

    reduce.__name__ = name
    return reduce


def _tuple(values: Operand | Sequence[Operand]) -> Sequence[Operand]:
    return [values] if isinstance(values, (PrimExpr, int, float)) else values


def _like(
    sources: Sequence[PrimExpr], values: Operand | Sequence[Operand], name: str
) -> list[PrimExpr]:
    """Return a value for each source; numbers get its data type."""
    given = _tuple(values)
    if len(given) != len(sources):
        raise ValueError(f"reduce: {name} must have {len(sources)} values, got {len(given)}")
    return [as_expr(value, source) for value, source in zip(given, sources, strict=True)]
