"""Rounding, absolute values, floating-point predicates and bit counts."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def floor(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the greatest integer not greater than `x`.

    Parameters
    ----------
    x
        The operand, integer or floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`; `x` itself if it is an integer. A constant is
        folded.

    Raises
    ------
    TypeError
        If `x` is not a number.
    """
    ...


@function
def ceil(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the least integer not less than `x`.

    Parameters
    ----------
    x
        The operand, integer or floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`; `x` itself if it is an integer. A constant is
        folded.

    Raises
    ------
    TypeError
        If `x` is not a number.
    """
    ...


@function
def trunc(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return `x` rounded towards zero.

    Parameters
    ----------
    x
        The operand, integer or floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`; `x` itself if it is an integer. A constant is
        folded.

    Raises
    ------
    TypeError
        If `x` is not a number.
    """
    ...


@function
def round(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return `x` rounded to the nearest integer, ties to even.

    Parameters
    ----------
    x
        The operand, integer or floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`; `x` itself if it is an integer. A constant is
        folded.

    Raises
    ------
    TypeError
        If `x` is not a number.
    """
    ...


@function
def nearbyint(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return `x` rounded to an integer in the current rounding mode.

    Parameters
    ----------
    x
        The operand, integer or floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`; `x` itself if it is an integer. A constant is
        folded.

    Raises
    ------
    TypeError
        If `x` is not a number.
    """
    ...


@function
def abs(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the absolute value of `x`.

    Parameters
    ----------
    x
        The operand, integer or floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`; `x` itself if it is unsigned. A constant is
        folded.

    Raises
    ------
    TypeError
        If `x` is not a number.
    """
    ...


@function
def isnan(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return whether `x` is NaN.

    Parameters
    ----------
    x
        The operand, integer or floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        A boolean expression with the lanes of `x`; constant False for an integer. A constant
        is folded.

    Raises
    ------
    TypeError
        If `x` is not a number.
    """
    ...


@function
def isinf(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return whether `x` is infinite.

    Parameters
    ----------
    x
        The operand, integer or floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        A boolean expression with the lanes of `x`; constant False for an integer. A constant
        is folded.

    Raises
    ------
    TypeError
        If `x` is not a number.
    """
    ...


@function
def isfinite(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return whether `x` is finite: neither infinite nor NaN.

    Parameters
    ----------
    x
        The operand, integer or floating-point.
    span
        Source location of the expression.

    Returns
    -------
    result
        A boolean expression with the lanes of `x`; constant True for an integer. A constant is
        folded.

    Raises
    ------
    TypeError
        If `x` is not a number.
    """
    ...


@function
def popcount(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the number of set bits of `x`.

    Parameters
    ----------
    x
        The operand, an integer.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not an integer.
    """
    ...


@function
def clz(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the number of leading zeros of `x`.

    Parameters
    ----------
    x
        The operand, an integer.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not an integer.
    """
    ...
