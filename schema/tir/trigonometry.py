"""Functions of angles, and hyperbolic ones."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def sin(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the sine of `x` radians.

    Parameters
    ----------
    x
        The operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def cos(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the cosine of `x` radians.

    Parameters
    ----------
    x
        The operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def tan(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the tangent of `x` radians.

    Parameters
    ----------
    x
        The operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def asin(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the angle, in radians, whose sine is `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def acos(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the angle, in radians, whose cosine is `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def atan(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the angle, in radians, whose tangent is `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def sinh(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the hyperbolic sine of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def cosh(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the hyperbolic cosine of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def tanh(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the hyperbolic tangent of `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def asinh(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the number whose hyperbolic sine is `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def acosh(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the number whose hyperbolic cosine is `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def atanh(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the number whose hyperbolic tangent is `x`.

    Parameters
    ----------
    x
        The operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...
