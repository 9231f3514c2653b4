"""Functions of two floating-point numbers."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def pow(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make `a` to the power of `b`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def atan2(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the angle, in radians, of the point `(b, a)`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def hypot(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the distance of the point `(a, b)` from the origin.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def copysign(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the magnitude of `a` with the sign of `b`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def fmod(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the remainder of `a / b` rounded towards zero.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def nextafter(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the number next to `a` on the way to `b`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...
