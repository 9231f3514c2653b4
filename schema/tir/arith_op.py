"""Arithmetic, with conversion of the operands to their common data type."""

from schema.ir.expr import PrimExprNode
from schema.tir.arith import (
    AddNode,
    DivNode,
    FloorDivNode,
    FloorModNode,
    MaxNode,
    MinNode,
    ModNode,
    MulNode,
    SubNode,
)
from tschema import operand, operator


@operator(builds=AddNode, custom=True)
def add(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the sum `a + b`.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    """
    ...


@operator(builds=SubNode, custom=True)
def sub(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the difference `a - b`.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    """
    ...


@operator(builds=MulNode, custom=True)
def mul(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the product `a * b`.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    """
    ...


@operator(builds=DivNode, custom=True)
def div(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the floating-point quotient `a / b`.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If neither operand is floating-point (use `truncdiv` or `floordiv` for integers), or the
        data types have no common one.
    """
    ...


@operator(builds=DivNode, custom=True)
def truncdiv(
    a: PrimExprNode = operand(dtype="T: int"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the quotient of integers, rounded towards zero.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If an operand is not an integer.
    ValueError
        If `b` is the constant 0.
    """
    ...


@operator(builds=ModNode, custom=True)
def truncmod(
    a: PrimExprNode = operand(dtype="T: int"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the remainder of `truncdiv`, with the sign of `a`.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If an operand is not an integer.
    ValueError
        If `b` is the constant 0.
    """
    ...


@operator(builds=FloorDivNode, custom=True)
def floordiv(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the quotient, rounded down.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    ValueError
        If `b` is the integer constant 0.
    """
    ...


@operator(builds=FloorModNode, custom=True)
def floormod(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the remainder of `floordiv`, with the sign of `b`.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    ValueError
        If `b` is the integer constant 0.
    """
    ...


@operator(builds=MinNode, custom=True)
def min(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the smaller of two values.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    """
    ...


@operator(builds=MaxNode, custom=True)
def max(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the larger of two values.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types have no common one.
    """
    ...


@operator(builds=SubNode, custom=True)
def neg(a: PrimExprNode = operand(dtype="T: number")) -> PrimExprNode:
    """
    Return the negation `-a`.

    Returns
    -------
    result
        The expression, of the data type of `a`. A constant is folded.
    """
    ...
