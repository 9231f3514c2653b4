"""Floating-point functions of one operand: powers, logarithms, roots."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def exp(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return e raised to the power of `x`.

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
def exp2(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return 2 raised to the power of `x`.

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
def exp10(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return 10 raised to the power of `x`.

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
def log(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the natural logarithm of `x`.

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
def log2(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the base-2 logarithm of `x`.

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
def log10(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the base-10 logarithm of `x`.

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
def log1p(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the natural logarithm of `1 + x`, accurate near 0.

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
def sqrt(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the square root of `x`.

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
def rsqrt(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the reciprocal square root of `x`.

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
def erf(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the error function of `x`.

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
def sigmoid(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the logistic function of `x`, `1 / (1 + exp(-x))`.

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
