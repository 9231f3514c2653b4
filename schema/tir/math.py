"""Functions of a floating-point number: powers, logarithms, roots."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def exp(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make e to the power of `x`.

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
def exp2(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make 2 to the power of `x`.

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
def exp10(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make 10 to the power of `x`.

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
def log(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the natural logarithm of `x`.

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
def log2(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the logarithm of `x` to the base 2.

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
def log10(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the logarithm of `x` to the base 10.

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
def log1p(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the natural logarithm of `1 + x`, exact near 0.

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
def sqrt(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the square root of `x`.

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
def rsqrt(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make one over the square root of `x`.

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
def erf(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the error function of `x`.

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
def sigmoid(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the logistic function of `x`.

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
