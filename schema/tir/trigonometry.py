"""Trigonometric and hyperbolic functions."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def sin(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the sine of `x`, in radians.

    Parameters
    ----------
    x
        The operand, floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating-point.
    """
    ...


@function
def cos(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the cosine of `x`, in radians.

    Parameters
    ----------
    x
        The operand, floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating-point.
    """
    ...


@function
def tan(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the tangent of `x`, in radians.

    Parameters
    ----------
    x
        The operand, floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating-point.
    """
    ...


@function
def asin(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the arcsine of `x`, in radians.

    Parameters
    ----------
    x
        The operand, floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating-point.
    """
    ...


@function
def acos(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the arccosine of `x`, in radians.

    Parameters
    ----------
    x
        The operand, floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating-point.
    """
    ...


@function
def atan(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the arctangent of `x`, in radians.

    Parameters
    ----------
    x
        The operand, floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating-point.
    """
    ...


@function
def sinh(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the hyperbolic sine of `x`.

    Parameters
    ----------
    x
        The operand, floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating-point.
    """
    ...


@function
def cosh(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the hyperbolic cosine of `x`.

    Parameters
    ----------
    x
        The operand, floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating-point.
    """
    ...


@function
def tanh(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the hyperbolic tangent of `x`.

    Parameters
    ----------
    x
        The operand, floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating-point.
    """
    ...


@function
def asinh(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the inverse hyperbolic sine of `x`.

    Parameters
    ----------
    x
        The operand, floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating-point.
    """
    ...


@function
def acosh(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the inverse hyperbolic cosine of `x`.

    Parameters
    ----------
    x
        The operand, floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating-point.
    """
    ...


@function
def atanh(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the inverse hyperbolic tangent of `x`.

    Parameters
    ----------
    x
        The operand, floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating-point.
    """
    ...
