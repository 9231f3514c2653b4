"""Comparisons and logic on expressions, with the data types of the operands matched first.

A number takes the data type of the expression beside it.
"""

from __future__ import annotations

from uir_nodes.ir import PrimExpr

from . import _ffi_api
from .op import Operand, as_expr, as_operands

__all__ = [
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


def equal(a: Operand, b: Operand) -> PrimExpr:
    """Make the comparison `a == b`, which Python's operator does not: it compares references.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    PrimExpr
        The comparison, `bool` with the operands' lanes.

    Raises
    ------
    TypeError
        If the operands have no common data type.
    """
    return _ffi_api.equal(*as_operands(a, b))


def not_equal(a: Operand, b: Operand) -> PrimExpr:
    """Make the comparison `a != b`, which Python's operator does not: it compares references.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    PrimExpr
        The comparison, `bool` with the operands' lanes.

    Raises
    ------
    TypeError
        If the operands have no common data type.
    """
    return _ffi_api.not_equal(*as_operands(a, b))


def less(a: Operand, b: Operand) -> PrimExpr:
    """Make the comparison `a < b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    PrimExpr
        The comparison, `bool` with the operands' lanes.

    Raises
    ------
    TypeError
        If the operands have no common data type.
    """
    return _ffi_api.less(*as_operands(a, b))


def less_equal(a: Operand, b: Operand) -> PrimExpr:
    """Make the comparison `a <= b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    PrimExpr
        The comparison, `bool` with the operands' lanes.

    Raises
    ------
    TypeError
        If the operands have no common data type.
    """
    return _ffi_api.less_equal(*as_operands(a, b))


def greater(a: Operand, b: Operand) -> PrimExpr:
    """Make the comparison `a > b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    PrimExpr
        The comparison, `bool` with the operands' lanes.

    Raises
    ------
    TypeError
        If the operands have no common data type.
    """
    return _ffi_api.greater(*as_operands(a, b))


def greater_equal(a: Operand, b: Operand) -> PrimExpr:
    """Make the comparison `a >= b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    PrimExpr
        The comparison, `bool` with the operands' lanes.

    Raises
    ------
    TypeError
        If the operands have no common data type.
    """
    return _ffi_api.greater_equal(*as_operands(a, b))


def logical_and(a: Operand, b: Operand) -> PrimExpr:
    """Make `a and b`.

    Parameters
    ----------
    a
        The left operand, a boolean.
    b
        The right operand, a boolean.

    Returns
    -------
    PrimExpr
        The expression, of the operands' data type.

    Raises
    ------
    TypeError
        If an operand is no boolean.
    """
    return _ffi_api.logical_and(*as_operands(a, b))


def logical_or(a: Operand, b: Operand) -> PrimExpr:
    """Make `a or b`.

    Parameters
    ----------
    a
        The left operand, a boolean.
    b
        The right operand, a boolean.

    Returns
    -------
    PrimExpr
        The expression, of the operands' data type.

    Raises
    ------
    TypeError
        If an operand is no boolean.
    """
    return _ffi_api.logical_or(*as_operands(a, b))


def logical_not(a: Operand) -> PrimExpr:
    """Make `not a`.

    Parameters
    ----------
    a
        The operand, a boolean.

    Returns
    -------
    PrimExpr
        The expression, of the operand's data type.

    Raises
    ------
    TypeError
        If the operand is no boolean.
    """
    return _ffi_api.logical_not(as_expr(a))
