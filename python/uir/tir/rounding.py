"""Rounding, absolute values, floating-point predicates and bit counts."""

from __future__ import annotations

from uir_nodes.ir import PrimExpr, Span

from . import _ffi_api
from .op import Operand, as_expr

__all__ = [
    "abs",
    "ceil",
    "clz",
    "floor",
    "isfinite",
    "isinf",
    "isnan",
    "nearbyint",
    "popcount",
    "round",
    "trunc",
]


def floor(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the greatest integer not greater than `x`.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand has another kind of data type.
    """
    return _ffi_api.floor(as_expr(x), span)


def ceil(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the least integer not less than `x`.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand has another kind of data type.
    """
    return _ffi_api.ceil(as_expr(x), span)


def trunc(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return `x` rounded towards zero.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand has another kind of data type.
    """
    return _ffi_api.trunc(as_expr(x), span)


def round(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return `x` rounded to the nearest integer, ties to even.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand has another kind of data type.
    """
    return _ffi_api.round(as_expr(x), span)


def nearbyint(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return `x` rounded to an integer in the current rounding mode.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand has another kind of data type.
    """
    return _ffi_api.nearbyint(as_expr(x), span)


def abs(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the absolute value of `x`.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand has another kind of data type.
    """
    return _ffi_api.abs(as_expr(x), span)


def isnan(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return whether `x` is NaN.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, `bool` with the lanes of `x`.

    Raises
    ------
    TypeError
        If the operand has another kind of data type.
    """
    return _ffi_api.isnan(as_expr(x), span)


def isinf(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return whether `x` is infinite.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, `bool` with the lanes of `x`.

    Raises
    ------
    TypeError
        If the operand has another kind of data type.
    """
    return _ffi_api.isinf(as_expr(x), span)


def isfinite(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return whether `x` is finite: neither infinite nor NaN.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, `bool` with the lanes of `x`.

    Raises
    ------
    TypeError
        If the operand has another kind of data type.
    """
    return _ffi_api.isfinite(as_expr(x), span)


def popcount(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the number of set bits of `x`.

    Parameters
    ----------
    x
        The operand, an integer.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand has another kind of data type.
    """
    return _ffi_api.popcount(as_expr(x), span)


def clz(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the number of leading zeros of `x`.

    Parameters
    ----------
    x
        The operand, an integer.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand has another kind of data type.
    """
    return _ffi_api.clz(as_expr(x), span)
