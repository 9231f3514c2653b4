"""Bitwise operations on integers, with promotion of the operands."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def left_shift(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Return `a << b`.

    Parameters
    ----------
    a
        The left operand, an integer.
    b
        The right operand, an integer.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If an operand is not an integer.
    ValueError
        If `b` is a constant below 0, or not less than the number of bits.
    """
    ...


@function
def right_shift(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Return `a >> b`, an arithmetic shift for signed integers.

    Parameters
    ----------
    a
        The left operand, an integer.
    b
        The right operand, an integer.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If an operand is not an integer.
    ValueError
        If `b` is a constant below 0, or not less than the number of bits.
    """
    ...


@function
def bitwise_and(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Return `a & b`; of booleans, the logical and.

    Parameters
    ----------
    a
        The left operand, an integer or a boolean.
    b
        The right operand, an integer or a boolean.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If the operands are neither integers nor booleans.
    """
    ...


@function
def bitwise_or(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Return `a | b`; of booleans, the logical or.

    Parameters
    ----------
    a
        The left operand, an integer or a boolean.
    b
        The right operand, an integer or a boolean.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If the operands are neither integers nor booleans.
    """
    ...


@function
def bitwise_xor(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Return `a ^ b`; of booleans, `a != b`.

    Parameters
    ----------
    a
        The left operand, an integer or a boolean.
    b
        The right operand, an integer or a boolean.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If the operands are neither integers nor booleans.
    """
    ...


@function
def bitwise_not(a: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return `~a`; of a boolean, the logical not.

    Parameters
    ----------
    a
        The operand, an integer or a boolean.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `a`. A constant is folded.

    Raises
    ------
    TypeError
        If `a` is neither an integer nor a boolean.
    """
    ...
