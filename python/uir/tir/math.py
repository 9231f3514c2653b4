"""Floating-point functions of one operand: powers, logarithms, roots."""

from __future__ import annotations

from uir_nodes.ir import PrimExpr, Span

from . import _ffi_api
from .op import Operand, as_expr

__all__ = [
    "erf",
    "exp",
    "exp2",
    "exp10",
    "log",
    "log1p",
    "log2",
    "log10",
    "rsqrt",
    "sigmoid",
    "sqrt",
]


def exp(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return e raised to the power of `x`.

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
    return _ffi_api.exp(as_expr(x), span)


def exp2(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return 2 raised to the power of `x`.

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
    return _ffi_api.exp2(as_expr(x), span)


def exp10(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return 10 raised to the power of `x`.

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
    return _ffi_api.exp10(as_expr(x), span)


def log(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the natural logarithm of `x`.

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
    return _ffi_api.log(as_expr(x), span)


def log2(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the base-2 logarithm of `x`.

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
    return _ffi_api.log2(as_expr(x), span)


def log10(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the base-10 logarithm of `x`.

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
    return _ffi_api.log10(as_expr(x), span)


def log1p(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the natural logarithm of `1 + x`, accurate near 0.

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
    return _ffi_api.log1p(as_expr(x), span)


def sqrt(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the square root of `x`.

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
    return _ffi_api.sqrt(as_expr(x), span)


def rsqrt(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the reciprocal square root of `x`.

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
    return _ffi_api.rsqrt(as_expr(x), span)


def erf(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the error function of `x`.

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
    return _ffi_api.erf(as_expr(x), span)


def sigmoid(x: Operand, span: Span | None = None) -> PrimExpr:
    """Return the logistic function of `x`, `1 / (1 + exp(-x))`.

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
    return _ffi_api.sigmoid(as_expr(x), span)
