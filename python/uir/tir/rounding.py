"""Rounding, absolute values, and what kind of number or which bits a value has."""

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
    """Make the greatest integer that is not above `x`.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand is something else.
    """
    return _ffi_api.floor(as_expr(x), span)


def ceil(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make the least integer that is not below `x`.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand is something else.
    """
    return _ffi_api.ceil(as_expr(x), span)


def trunc(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make the integer part of `x`.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand is something else.
    """
    return _ffi_api.trunc(as_expr(x), span)


def round(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make the integer nearest to `x`, an even one if two are as near.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand is something else.
    """
    return _ffi_api.round(as_expr(x), span)


def nearbyint(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make the integer nearest to `x`, as the rounding mode of the machine says.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand is something else.
    """
    return _ffi_api.nearbyint(as_expr(x), span)


def abs(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make the absolute value of `x`.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand is something else.
    """
    return _ffi_api.abs(as_expr(x), span)


def isnan(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make whether `x` is not a number.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, `bool` with the lanes of `x`.

    Raises
    ------
    TypeError
        If the operand is something else.
    """
    return _ffi_api.isnan(as_expr(x), span)


def isinf(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make whether `x` is infinite.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, `bool` with the lanes of `x`.

    Raises
    ------
    TypeError
        If the operand is something else.
    """
    return _ffi_api.isinf(as_expr(x), span)


def isfinite(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make whether `x` is neither infinite nor not a number.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, `bool` with the lanes of `x`.

    Raises
    ------
    TypeError
        If the operand is something else.
    """
    return _ffi_api.isfinite(as_expr(x), span)


def popcount(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make how many bits of `x` are set.

    Parameters
    ----------
    x
        The operand, an integer.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand is something else.
    """
    return _ffi_api.popcount(as_expr(x), span)


def clz(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make how many bits of `x` are zero above the highest that is set.

    Parameters
    ----------
    x
        The operand, an integer.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If the operand is something else.
    """
    return _ffi_api.clz(as_expr(x), span)
