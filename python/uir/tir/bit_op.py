"""Bitwise operations on integers, with promotion of the operands.

A number takes the data type of the other operand.
"""

from __future__ import annotations

from uir_nodes.ir import PrimExpr, Span

from . import _ffi_api
from .op import Operand, as_expr, as_operands

__all__ = ["bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"]


def left_shift(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return `a << b`.

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
    """
    return _ffi_api.left_shift(*as_operands(a, b), span)


def right_shift(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return `a >> b`, an arithmetic shift for signed integers.

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
    """
    return _ffi_api.right_shift(*as_operands(a, b), span)


def bitwise_and(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return `a & b`; of booleans, the logical and.

    Parameters
    ----------
    a
        The left operand, an integer or a boolean.
    b
        The right operand, an integer or a boolean.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If the operands are neither integers nor booleans.
    """
    return _ffi_api.bitwise_and(*as_operands(a, b), span)


def bitwise_or(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return `a | b`; of booleans, the logical or.

    Parameters
    ----------
    a
        The left operand, an integer or a boolean.
    b
        The right operand, an integer or a boolean.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If the operands are neither integers nor booleans.
    """
    return _ffi_api.bitwise_or(*as_operands(a, b), span)


def bitwise_xor(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return `a ^ b`; of booleans, `a != b`.

    Parameters
    ----------
    a
        The left operand, an integer or a boolean.
    b
        The right operand, an integer or a boolean.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If the operands are neither integers nor booleans.
    """
    return _ffi_api.bitwise_xor(*as_operands(a, b), span)


def bitwise_not(a: Operand, span: Span | None = None) -> PrimExpr:
    """Return `~a`; of a boolean, the logical not.

    Parameters
    ----------
    a
        The operand, an integer or a boolean.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operand's data type.

    Raises
    ------
    TypeError
        If the operand is neither an integer nor a boolean.
    """
    return _ffi_api.bitwise_not(as_expr(a), span)
