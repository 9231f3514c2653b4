"""Arithmetic on expressions, with the data types of the operands matched first."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def add(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make `a + b`.

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
def sub(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make `a - b`.

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
def mul(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make `a * b`.

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
def div(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make `a / b`, one of them floating-point; integers have `truncdiv` and `floordiv`.

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
def truncdiv(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the quotient of integers, rounded towards zero; 0 as divisor is an error.

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
def truncmod(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the remainder of `truncdiv`; 0 as divisor is an error.

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
def floordiv(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the quotient, rounded down; the integer 0 as divisor is an error.

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
def floormod(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the remainder of `floordiv`; the integer 0 as divisor is an error.

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
def min(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the smaller of two values.

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
def max(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the larger of two values.

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
def neg(a: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make `-a`.

    Parameters
    ----------
    a
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...
