"""Comparisons and logic on expressions, with the data types of the operands matched first.

A number takes the data type of the expression beside it.
"""

from __future__ import annotations

from uir_nodes.ir import PrimExpr, Span

from . import _ffi_api
from .op import Operand, as_expr, as_operands

__all__ = [
    "all",
    "any",
    "equal",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "not_equal",
]


def equal(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make the comparison `a == b`, which Python's operator does not: it compares references.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The comparison, `bool` with the operands' lanes.

    Raises
    ------
    TypeError
        If the operands have no common data type.
    """
    return _ffi_api.equal(*as_operands(a, b), span)


def not_equal(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make the comparison `a != b`, which Python's operator does not: it compares references.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The comparison, `bool` with the operands' lanes.

    Raises
    ------
    TypeError
        If the operands have no common data type.
    """
    return _ffi_api.not_equal(*as_operands(a, b), span)


def less(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make the comparison `a < b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The comparison, `bool` with the operands' lanes.

    Raises
    ------
    TypeError
        If the operands have no common data type.
    """
    return _ffi_api.less(*as_operands(a, b), span)


def less_equal(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make the comparison `a <= b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The comparison, `bool` with the operands' lanes.

    Raises
    ------
    TypeError
        If the operands have no common data type.
    """
    return _ffi_api.less_equal(*as_operands(a, b), span)


def greater(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make the comparison `a > b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The comparison, `bool` with the operands' lanes.

    Raises
    ------
    TypeError
        If the operands have no common data type.
    """
    return _ffi_api.greater(*as_operands(a, b), span)


def greater_equal(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make the comparison `a >= b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The comparison, `bool` with the operands' lanes.

    Raises
    ------
    TypeError
        If the operands have no common data type.
    """
    return _ffi_api.greater_equal(*as_operands(a, b), span)


def logical_and(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make `a and b`.

    Parameters
    ----------
    a
        The left operand, a boolean.
    b
        The right operand, a boolean.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' data type.

    Raises
    ------
    TypeError
        If an operand is no boolean.
    """
    return _ffi_api.logical_and(*as_operands(a, b), span)


def logical_or(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make `a or b`.

    Parameters
    ----------
    a
        The left operand, a boolean.
    b
        The right operand, a boolean.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' data type.

    Raises
    ------
    TypeError
        If an operand is no boolean.
    """
    return _ffi_api.logical_or(*as_operands(a, b), span)


def logical_not(a: Operand, span: Span | None = None) -> PrimExpr:
    """Make `not a`.

    Parameters
    ----------
    a
        The operand, a boolean.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operand's data type.

    Raises
    ------
    TypeError
        If the operand is no boolean.
    """
    return _ffi_api.logical_not(as_expr(a), span)


def all(*conditions: Operand) -> PrimExpr:
    """Make the condition that all of them hold.

    Parameters
    ----------
    *conditions
        Booleans.

    Returns
    -------
    PrimExpr
        The condition; the constant True without any.

    Raises
    ------
    TypeError
        If one is no boolean.
    """
    result = as_expr(True)
    for condition in conditions:
        result = logical_and(result, condition)
    return result


def any(*conditions: Operand) -> PrimExpr:
    """Make the condition that one of them holds.

    Parameters
    ----------
    *conditions
        Booleans.

    Returns
    -------
    PrimExpr
        The condition; the constant False without any.

    Raises
    ------
    TypeError
        If one is no boolean.
    """
    result = as_expr(False)
    for condition in conditions:
        result = logical_or(result, condition)
    return result
