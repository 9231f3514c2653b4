"""Reductions over axes: sums, products, extremes, and those that users make."""

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
    """Make the sum of a value over axes.

    Parameters
    ----------
    expr
        The value of each iteration.
    axis
        The axes, from `reduce_axis`.
    where
        A boolean: iterations where it does not hold are left out; None for none of them.
    init
        The value to start from; None for the identity.

    Returns
    -------
    PrimExpr
        The reduction, which must be all of an element of `compute`.

    Raises
    ------
    ValueError
        If there are no axes, or one of them is no axis for reductions.
    """
    return _reduce(ReduceKind.SUM, expr, axis, where, init)


def prod(
    expr: Operand, axis: Axes, where: PrimExpr | None = None, init: Operand | None = None
) -> PrimExpr:
    """Make the product of a value over axes.

    Parameters
    ----------
    expr
        The value of each iteration.
    axis
        The axes, from `reduce_axis`.
    where
        A boolean: iterations where it does not hold are left out; None for none of them.
    init
        The value to start from; None for the identity.

    Returns
    -------
    PrimExpr
        The reduction, which must be all of an element of `compute`.

    Raises
    ------
    ValueError
        If there are no axes, or one of them is no axis for reductions.
    """
    return _reduce(ReduceKind.PROD, expr, axis, where, init)


def min(
    expr: Operand, axis: Axes, where: PrimExpr | None = None, init: Operand | None = None
) -> PrimExpr:
    """Make the least value over axes.

    Parameters
    ----------
    expr
        The value of each iteration.
    axis
        The axes, from `reduce_axis`.
    where
        A boolean: iterations where it does not hold are left out; None for none of them.
    init
        The value to start from; None for the identity.

    Returns
    -------
    PrimExpr
        The reduction, which must be all of an element of `compute`.

    Raises
    ------
    ValueError
        If there are no axes, or one of them is no axis for reductions.
    """
    return _reduce(ReduceKind.MIN, expr, axis, where, init)


def max(
    expr: Operand, axis: Axes, where: PrimExpr | None = None, init: Operand | None = None
) -> PrimExpr:
    """Make the greatest value over axes.

    Parameters
    ----------
    expr
        The value of each iteration.
    axis
        The axes, from `reduce_axis`.
    where
        A boolean: iterations where it does not hold are left out; None for none of them.
    init
        The value to start from; None for the identity.

    Returns
    -------
    PrimExpr
        The reduction, which must be all of an element of `compute`.

    Raises
    ------
    ValueError
        If there are no axes, or one of them is no axis for reductions.
    """
    return _reduce(ReduceKind.MAX, expr, axis, where, init)


class Reducer(Protocol):
    """What `comm_reducer` returns: a function of a tuple, or of one value, and of axes."""

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
    """Make a reduction by a commutative and associative operation.

    Parameters
    ----------
    fcombine
        Takes two values, or two tuples of them, and returns what they combine to.
    fidentity
        Takes the data type of each value and returns what combines with nothing to change it.
    name
        What the function is called.

    Returns
    -------
    Reducer
        Takes the value, or a tuple, of each iteration and the axes, and returns what remains.

    Raises
    ------
    TypeError
        If the operation changes the data type of a value.

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
        identity = fidentity(*(source.dtype for source in sources))
        start = [as_expr(one, like) for one, like in zip(_tuple(identity), sources, strict=True)]
        reducer = CommReducer(lhs, rhs, [as_expr(value) for value in _tuple(result)], start)
        given = None if init is None else [as_expr(one) for one in _tuple(init)]
        values = _ffi_api.reduce(reducer, sources, _axes(axis), where, given)
        return values[0] if is_one else list(values)

    reduce.__name__ = name
    return reduce


def _tuple(values: Operand | Sequence[Operand]) -> Sequence[Operand]:
    return [values] if isinstance(values, (PrimExpr, int, float)) else values
