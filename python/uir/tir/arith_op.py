"""Arithmetic operations, with promotion of the operands.

A number takes the data type of the other operand.
"""

from __future__ import annotations

from uir_nodes.ir import PrimExpr, Span

from . import _ffi_api
from .op import Operand, as_expr, as_operands

__all__ = [
    "add",
    "div",
    "floordiv",
    "floormod",
    "max",
    "min",
    "mul",
    "neg",
    "sub",
    "truncdiv",
    "truncmod",
]


def add(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the sum `a + b`.

    Parameters
    ----------
    a
        The left operand, a number.
    b
        The right operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If an operand is not a number, or they have no common data type.
    """
    return _ffi_api.add(*as_operands(a, b), span)


def sub(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the difference `a - b`.

    Parameters
    ----------
    a
        The left operand, a number.
    b
        The right operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If an operand is not a number, or they have no common data type.
    """
    return _ffi_api.sub(*as_operands(a, b), span)


def mul(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the product `a * b`.

    Parameters
    ----------
    a
        The left operand, a number.
    b
        The right operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If an operand is not a number, or they have no common data type.
    """
    return _ffi_api.mul(*as_operands(a, b), span)


def div(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the floating-point quotient `a / b`.

    Parameters
    ----------
    a
        The left operand, a number.
    b
        The right operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If both operands are integers (use `truncdiv` or `floordiv`), or they have no common data
        type.
    """
    return _ffi_api.div(*as_operands(a, b), span)


def truncdiv(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the quotient of integers, rounded towards zero.

    Parameters
    ----------
    a
        The left operand, an integer.
    b
        The right operand, an integer.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If an operand is not an integer.
    ValueError
        If `b` is the constant 0.
    """
    return _ffi_api.truncdiv(*as_operands(a, b), span)


def truncmod(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the remainder of `truncdiv`, with the sign of `a`.

    Parameters
    ----------
    a
        The left operand, an integer.
    b
        The right operand, an integer.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If an operand is not an integer.
    ValueError
        If `b` is the constant 0.
    """
    return _ffi_api.truncmod(*as_operands(a, b), span)


def floordiv(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the quotient, rounded down.

    Parameters
    ----------
    a
        The left operand, a number.
    b
        The right operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If an operand is not a number, or they have no common data type.
    ValueError
        If `b` is the integer constant 0.
    """
    return _ffi_api.floordiv(*as_operands(a, b), span)


def floormod(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the remainder of `floordiv`, with the sign of `b`.

    Parameters
    ----------
    a
        The left operand, a number.
    b
        The right operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If an operand is not a number, or they have no common data type.
    ValueError
        If `b` is the integer constant 0.
    """
    return _ffi_api.floormod(*as_operands(a, b), span)


def min(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the smaller of two values.

    Parameters
    ----------
    a
        The left operand, a number.
    b
        The right operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If an operand is not a number, or they have no common data type.
    """
    return _ffi_api.min(*as_operands(a, b), span)


def max(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the larger of two values.

    Parameters
    ----------
    a
        The left operand, a number.
    b
        The right operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If an operand is not a number, or they have no common data type.
    """
    return _ffi_api.max(*as_operands(a, b), span)


def neg(a: Operand, span: Span | None = None) -> PrimExpr:
    """Return the negation `-a`.

    Parameters
    ----------
    a
        The operand, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operand's data type.

    Raises
    ------
    TypeError
        If the operand is not a number.
    """
    return _ffi_api.neg(as_expr(a), span)
