"""Operations on the bits of integers, with the data types of the operands matched first.

A number takes the data type of the expression beside it.
"""

from __future__ import annotations

from uir_nodes.ir import PrimExpr, Span

from . import _ffi_api
from .op import Operand, as_expr, as_operands

__all__ = ["bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"]


def left_shift(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make `a << b`.

    Parameters
    ----------
    a
        The left operand, an integer.
    b
        The right operand, an integer.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If the operands are no integers.
    """
    return _ffi_api.left_shift(*as_operands(a, b), span)


def right_shift(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make `a >> b`; signed numbers keep their sign.

    Parameters
    ----------
    a
        The left operand, an integer.
    b
        The right operand, an integer.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If the operands are no integers.
    """
    return _ffi_api.right_shift(*as_operands(a, b), span)


def bitwise_and(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make `a & b`; of booleans it is `a and b`.

    Parameters
    ----------
    a
        The left operand, an integer or a boolean.
    b
        The right operand, an integer or a boolean.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If the operands are neither both integers nor both booleans.
    """
    return _ffi_api.bitwise_and(*as_operands(a, b), span)


def bitwise_or(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make `a | b`; of booleans it is `a or b`.

    Parameters
    ----------
    a
        The left operand, an integer or a boolean.
    b
        The right operand, an integer or a boolean.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If the operands are neither both integers nor both booleans.
    """
    return _ffi_api.bitwise_or(*as_operands(a, b), span)


def bitwise_xor(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make `a ^ b`; of booleans it is `a != b`.

    Parameters
    ----------
    a
        The left operand, an integer or a boolean.
    b
        The right operand, an integer or a boolean.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If the operands are neither both integers nor both booleans.
    """
    return _ffi_api.bitwise_xor(*as_operands(a, b), span)


def bitwise_not(a: Operand, span: Span | None = None) -> PrimExpr:
    """Make `~a`; of a boolean it is `not a`.

    Parameters
    ----------
    a
        The operand, an integer or a boolean.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operand's data type.

    Raises
    ------
    TypeError
        If the operand is neither.
    """
    return _ffi_api.bitwise_not(as_expr(a), span)
