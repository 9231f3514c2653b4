"""Comparisons and logical operations, with promotion of the operands.

A number takes the data type of the other operand.
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
    """Return the comparison `a == b`; the operator `==` compares references.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Source location.

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
    """Return the comparison `a != b`; the operator `!=` compares references.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Source location.

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
    """Return the comparison `a < b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Source location.

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
    """Return the comparison `a <= b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Source location.

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
    """Return the comparison `a > b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Source location.

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
    """Return the comparison `a >= b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Source location.

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
    """Return the logical and of two booleans.

    Parameters
    ----------
    a
        The left operand, a boolean.
    b
        The right operand, a boolean.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' data type.

    Raises
    ------
    TypeError
        If an operand is not a boolean.
    """
    return _ffi_api.logical_and(*as_operands(a, b), span)


def logical_or(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the logical or of two booleans.

    Parameters
    ----------
    a
        The left operand, a boolean.
    b
        The right operand, a boolean.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' data type.

    Raises
    ------
    TypeError
        If an operand is not a boolean.
    """
    return _ffi_api.logical_or(*as_operands(a, b), span)


def logical_not(a: Operand, span: Span | None = None) -> PrimExpr:
    """Return the negation of a boolean.

    Parameters
    ----------
    a
        The operand, a boolean.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operand's data type.

    Raises
    ------
    TypeError
        If the operand is not a boolean.
    """
    return _ffi_api.logical_not(as_expr(a), span)


def all(*conditions: Operand) -> PrimExpr:
    """Return the conjunction of conditions.

    Parameters
    ----------
    *conditions
        Booleans.

    Returns
    -------
    PrimExpr
        The conjunction; the constant True if there are no conditions.

    Raises
    ------
    TypeError
        If a condition is not a boolean.
    """
    result = as_expr(True)
    for condition in conditions:
        result = logical_and(result, condition)
    return result


def any(*conditions: Operand) -> PrimExpr:
    """Return the disjunction of conditions.

    Parameters
    ----------
    *conditions
        Booleans.

    Returns
    -------
    PrimExpr
        The disjunction; the constant False if there are no conditions.

    Raises
    ------
    TypeError
        If a condition is not a boolean.
    """
    result = as_expr(False)
    for condition in conditions:
        result = logical_or(result, condition)
    return result
