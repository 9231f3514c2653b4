"""Comparisons and logic on expressions, with the data types of the operands matched first."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def equal(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the comparison `a == b`.

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
    result
        The expression.
    """
    ...


@function
def not_equal(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the comparison `a != b`.

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
    result
        The expression.
    """
    ...


@function
def less(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the comparison `a < b`.

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
    result
        The expression.
    """
    ...


@function
def less_equal(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Make the comparison `a <= b`.

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
    result
        The expression.
    """
    ...


@function
def greater(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the comparison `a > b`.

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
    result
        The expression.
    """
    ...


@function
def greater_equal(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Make the comparison `a >= b`.

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
    result
        The expression.
    """
    ...


@function
def logical_and(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Make `a and b`.

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
    result
        The expression.
    """
    ...


@function
def logical_or(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Make `a or b`.

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
    result
        The expression.
    """
    ...


@function
def logical_not(a: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make `not a`.

    Parameters
    ----------
    a
        The operand, a boolean.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...
