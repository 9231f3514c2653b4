"""Comparisons and logic on expressions, with the data types of the operands matched first."""

from schema.ir.expr import PrimExprNode
from tschema import function


@function
def equal(a: PrimExprNode, b: PrimExprNode) -> PrimExprNode:
    """
    Make the comparison `a == b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def not_equal(a: PrimExprNode, b: PrimExprNode) -> PrimExprNode:
    """
    Make the comparison `a != b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def less(a: PrimExprNode, b: PrimExprNode) -> PrimExprNode:
    """
    Make the comparison `a < b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def less_equal(a: PrimExprNode, b: PrimExprNode) -> PrimExprNode:
    """
    Make the comparison `a <= b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def greater(a: PrimExprNode, b: PrimExprNode) -> PrimExprNode:
    """
    Make the comparison `a > b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def greater_equal(a: PrimExprNode, b: PrimExprNode) -> PrimExprNode:
    """
    Make the comparison `a >= b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def logical_and(a: PrimExprNode, b: PrimExprNode) -> PrimExprNode:
    """
    Make `a and b`.

    Parameters
    ----------
    a
        The left operand, a boolean.
    b
        The right operand, a boolean.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def logical_or(a: PrimExprNode, b: PrimExprNode) -> PrimExprNode:
    """
    Make `a or b`.

    Parameters
    ----------
    a
        The left operand, a boolean.
    b
        The right operand, a boolean.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def logical_not(a: PrimExprNode) -> PrimExprNode:
    """
    Make `not a`.

    Parameters
    ----------
    a
        The operand, a boolean.

    Returns
    -------
    result
        The expression.
    """
    ...
