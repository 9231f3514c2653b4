"""Trigonometric and hyperbolic functions."""

from __future__ import annotations

from uir_nodes.ir import PrimExpr, Span

from . import _ffi_api
from .op import Operand, as_expr

__all__ = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cos",
    "cosh",
    "sin",
    "sinh",
    "tan",
    "tanh",
]


def sin(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the sine of `x`, in radians.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.sin(as_expr(x), span)


def cos(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the cosine of `x`, in radians.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.cos(as_expr(x), span)


def tan(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the tangent of `x`, in radians.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.tan(as_expr(x), span)


def asin(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the arcsine of `x`, in radians.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.asin(as_expr(x), span)


def acos(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the arccosine of `x`, in radians.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.acos(as_expr(x), span)


def atan(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the arctangent of `x`, in radians.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.atan(as_expr(x), span)


def sinh(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the hyperbolic sine of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.sinh(as_expr(x), span)


def cosh(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the hyperbolic cosine of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.cosh(as_expr(x), span)


def tanh(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the hyperbolic tangent of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.tanh(as_expr(x), span)


def asinh(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the inverse hyperbolic sine of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.asinh(as_expr(x), span)


def acosh(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the inverse hyperbolic cosine of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.acosh(as_expr(x), span)


def atanh(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the inverse hyperbolic tangent of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.atanh(as_expr(x), span)
