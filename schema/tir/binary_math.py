"""Floating-point functions of two operands."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def pow(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return `a` raised to the power of `b`.

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
        The expression, of the promoted data type.

    Raises
    ------
    TypeError
        If neither operand is floating-point.
    """
    ...


@function
def atan2(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the angle of the point `(b, a)`, in radians.

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
        The expression, of the promoted data type.

    Raises
    ------
    TypeError
        If neither operand is floating-point.
    """
    ...


@function
def hypot(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the Euclidean norm of `(a, b)`.

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
        The expression, of the promoted data type.

    Raises
    ------
    TypeError
        If neither operand is floating-point.
    """
    ...


@function
def copysign(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the magnitude of `a` with the sign of `b`.

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
        The expression, of the promoted data type.

    Raises
    ------
    TypeError
        If neither operand is floating-point.
    """
    ...


@function
def fmod(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the remainder of `a / b`, with the sign of `a`.

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
        The expression, of the promoted data type.

    Raises
    ------
    TypeError
        If neither operand is floating-point.
    """
    ...


@function
def nextafter(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the next representable number after `a` towards `b`.

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
        The expression, of the promoted data type.

    Raises
    ------
    TypeError
        If neither operand is floating-point.
    """
    ...
