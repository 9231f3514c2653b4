"""Comparisons and logical operations, with promotion of the operands."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def equal(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the comparison `a == b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Source location of the expression.

    Returns
    -------
    result
        A boolean expression with the lanes of the promoted operands. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    """
    ...


@function
def not_equal(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the comparison `a != b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Source location of the expression.

    Returns
    -------
    result
        A boolean expression with the lanes of the promoted operands. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    """
    ...


@function
def less(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the comparison `a < b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Source location of the expression.

    Returns
    -------
    result
        A boolean expression with the lanes of the promoted operands. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    """
    ...


@function
def less_equal(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Return the comparison `a <= b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Source location of the expression.

    Returns
    -------
    result
        A boolean expression with the lanes of the promoted operands. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    """
    ...


@function
def greater(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the comparison `a > b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Source location of the expression.

    Returns
    -------
    result
        A boolean expression with the lanes of the promoted operands. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    """
    ...


@function
def greater_equal(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Return the comparison `a >= b`.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.
    span
        Source location of the expression.

    Returns
    -------
    result
        A boolean expression with the lanes of the promoted operands. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    """
    ...


@function
def logical_and(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Return the logical and of two booleans.

    Parameters
    ----------
    a
        The left operand, a boolean.
    b
        The right operand, a boolean with the lanes of `a`.
    span
        Source location of the expression.

    Returns
    -------
    result
        A boolean expression; one of the operands if a constant decides.

    Raises
    ------
    TypeError
        If an operand is not a boolean.
    """
    ...


@function
def logical_or(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Return the logical or of two booleans.

    Parameters
    ----------
    a
        The left operand, a boolean.
    b
        The right operand, a boolean with the lanes of `a`.
    span
        Source location of the expression.

    Returns
    -------
    result
        A boolean expression; one of the operands if a constant decides.

    Raises
    ------
    TypeError
        If an operand is not a boolean.
    """
    ...


@function
def logical_not(a: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the negation of a boolean.

    Parameters
    ----------
    a
        The operand, a boolean.
    span
        Source location of the expression.

    Returns
    -------
    result
        A boolean expression. A constant is folded.

    Raises
    ------
    TypeError
        If `a` is not a boolean.
    """
    ...
