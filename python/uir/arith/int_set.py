"""Intervals from plain numbers."""

from __future__ import annotations

from uir_nodes.arith import IntSet
from uir_nodes.ir import PrimExpr

from ..tir import as_expr

__all__ = ["interval"]


def interval(min_value: PrimExpr | int | None, max_value: PrimExpr | int | None) -> IntSet:
    """Return the set of all integers from one end to another.

    Parameters
    ----------
    min_value
        The least integer; None if there is none. A plain number takes the data type of the other
        end, or `int32`.
    max_value
        The greatest integer, likewise.

    Returns
    -------
    IntSet
        The set.

    Raises
    ------
    TypeError
        If an end is not a scalar integer or boolean, or the data types differ.

    Examples
    --------
    >>> from uir import arith
    >>> arith.interval(3, 1).is_nothing()
    True
    """
    ends = (min_value, max_value)
    like = next((end for end in ends if isinstance(end, PrimExpr)), None)
    low, high = (None if end is None else as_expr(end, like) for end in ends)
    return IntSet(low, high)
