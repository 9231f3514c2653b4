"""Functions of a floating-point number: powers, logarithms, roots."""

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
    """Make e to the power of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.exp(as_expr(x), span)


def exp2(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make 2 to the power of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.exp2(as_expr(x), span)


def exp10(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make 10 to the power of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.exp10(as_expr(x), span)


def log(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make the natural logarithm of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.log(as_expr(x), span)


def log2(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make the logarithm of `x` to the base 2.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.log2(as_expr(x), span)


def log10(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make the logarithm of `x` to the base 10.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.log10(as_expr(x), span)


def log1p(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make the natural logarithm of `1 + x`, exact near 0.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.log1p(as_expr(x), span)


def sqrt(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make the square root of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.sqrt(as_expr(x), span)


def rsqrt(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make one over the square root of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.rsqrt(as_expr(x), span)


def erf(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make the error function of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.erf(as_expr(x), span)


def sigmoid(x: Operand, span: Span | None = None) -> PrimExpr:
    """Make the logistic function of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
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
    return _ffi_api.sigmoid(as_expr(x), span)
