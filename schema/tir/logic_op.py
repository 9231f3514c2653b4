"""Comparisons and logic."""

from schema.ir.expr import PrimExprNode
from schema.tir.logic import (
    AndNode,
    EQNode,
    GENode,
    GTNode,
    LENode,
    LTNode,
    NENode,
    NotNode,
    OrNode,
)
from tschema import operand, operator


@operator(builds=EQNode, custom=True)
def equal(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the comparison `a == b`.

    Returns
    -------
    result
        A boolean expression with the lanes of the operands. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    """
    ...


@operator(builds=NENode, custom=True)
def not_equal(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the comparison `a != b`.

    Returns
    -------
    result
        A boolean expression with the lanes of the operands. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    """
    ...


@operator(builds=LTNode, custom=True)
def less(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the comparison `a < b`.

    Returns
    -------
    result
        A boolean expression with the lanes of the operands. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    """
    ...


@operator(builds=LENode, custom=True)
def less_equal(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the comparison `a <= b`.

    Returns
    -------
    result
        A boolean expression with the lanes of the operands. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    """
    ...


@operator(builds=GTNode, custom=True)
def greater(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the comparison `a > b`.

    Returns
    -------
    result
        A boolean expression with the lanes of the operands. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    """
    ...


@operator(builds=GENode, custom=True)
def greater_equal(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the comparison `a >= b`.

    Returns
    -------
    result
        A boolean expression with the lanes of the operands. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    """
    ...


@operator(builds=AndNode, custom=True)
def logical_and(
    a: PrimExprNode = operand(dtype="T: bool"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the logical and of two booleans.

    Returns
    -------
    result
        A boolean expression; one of the operands if a constant decides.
    """
    ...


@operator(builds=OrNode, custom=True)
def logical_or(
    a: PrimExprNode = operand(dtype="T: bool"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the logical or of two booleans.

    Returns
    -------
    result
        A boolean expression; one of the operands if a constant decides.
    """
    ...


@operator(builds=NotNode, custom=True)
def logical_not(a: PrimExprNode = operand(dtype="bool")) -> PrimExprNode:
    """
    Return the negation of a boolean.

    Returns
    -------
    result
        A boolean expression. A constant is folded.
    """
    ...
