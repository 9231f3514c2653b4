"""Arithmetic operations, with promotion of the operands."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def add(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the sum `a + b`.

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
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    """
    ...


@function
def sub(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the difference `a - b`.

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
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    """
    ...


@function
def mul(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the product `a * b`.

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
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    """
    ...


@function
def div(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the floating-point quotient `a / b`.

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
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If neither operand is floating-point; use `truncdiv` or `floordiv` for integers, or if
        the data types cannot be promoted.
    """
    ...


@function
def truncdiv(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the quotient of integers, rounded towards zero.

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
        If `b` is the constant 0.
    """
    ...


@function
def truncmod(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the remainder of `truncdiv`, with the sign of `a`.

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
        If `b` is the constant 0.
    """
    ...


@function
def floordiv(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the quotient, rounded down.

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
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    ValueError
        If `b` is the integer constant 0.
    """
    ...


@function
def floormod(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the remainder of `floordiv`, with the sign of `b`.

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
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    ValueError
        If `b` is the integer constant 0.
    """
    ...


@function
def min(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the smaller of two values.

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
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    """
    ...


@function
def max(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the larger of two values.

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
        The expression, of the promoted data type. Constants are folded.

    Raises
    ------
    TypeError
        If the data types cannot be promoted.
    """
    ...


@function
def neg(a: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the negation `-a`.

    Parameters
    ----------
    a
        The operand, integer or floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `a`. A constant is folded.
    """
    ...
