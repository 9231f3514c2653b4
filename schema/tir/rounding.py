"""Rounding, absolute values and floating-point predicates."""

from schema.ir.expr import PrimExprNode
from tschema import operand, operator


@operator(kind="elementwise", custom=True)
def floor(x: PrimExprNode = operand(dtype="T: number")) -> PrimExprNode:
    """
    Return the greatest integer not greater than `x`.

    Returns
    -------
    result
        The expression, of the data type of `x`; `x` itself if it is an integer. A constant is
        folded.
    """
    ...


@operator(kind="elementwise", custom=True)
def ceil(x: PrimExprNode = operand(dtype="T: number")) -> PrimExprNode:
    """
    Return the least integer not less than `x`.

    Returns
    -------
    result
        The expression, of the data type of `x`; `x` itself if it is an integer. A constant is
        folded.
    """
    ...


@operator(kind="elementwise", custom=True)
def trunc(x: PrimExprNode = operand(dtype="T: number")) -> PrimExprNode:
    """
    Return `x` rounded towards zero.

    Returns
    -------
    result
        The expression, of the data type of `x`; `x` itself if it is an integer. A constant is
        folded.
    """
    ...


@operator(kind="elementwise", custom=True)
def round(x: PrimExprNode = operand(dtype="T: number")) -> PrimExprNode:
    """
    Return `x` rounded to the nearest integer, ties to even.

    Returns
    -------
    result
        The expression, of the data type of `x`; `x` itself if it is an integer. A constant is
        folded.
    """
    ...


@operator(kind="elementwise", custom=True)
def nearbyint(x: PrimExprNode = operand(dtype="T: number")) -> PrimExprNode:
    """
    Return `x` rounded to an integer in the current rounding mode.

    Returns
    -------
    result
        The expression, of the data type of `x`; `x` itself if it is an integer. A constant is
        folded.
    """
    ...


@operator(kind="elementwise", custom=True)
def abs(x: PrimExprNode = operand(dtype="T: number")) -> PrimExprNode:
    """
    Return the absolute value of `x`.

    Returns
    -------
    result
        The expression, of the data type of `x`; `x` itself if it is unsigned. A constant is
        folded.
    """
    ...


@operator(kind="elementwise", result="bool", custom=True)
def isnan(x: PrimExprNode = operand(dtype="number")) -> PrimExprNode:
    """
    Return whether `x` is NaN.

    Returns
    -------
    result
        A boolean expression with the lanes of `x`; the constant False for an integer. A
        constant is folded.
    """
    ...


@operator(kind="elementwise", result="bool", custom=True)
def isinf(x: PrimExprNode = operand(dtype="number")) -> PrimExprNode:
    """
    Return whether `x` is infinite.

    Returns
    -------
    result
        A boolean expression with the lanes of `x`; the constant False for an integer. A
        constant is folded.
    """
    ...


@operator(kind="elementwise", result="bool", custom=True)
def isfinite(x: PrimExprNode = operand(dtype="number")) -> PrimExprNode:
    """
    Return whether `x` is finite: neither infinite nor NaN.

    Returns
    -------
    result
        A boolean expression with the lanes of `x`; the constant True for an integer. A
        constant is folded.
    """
    ...


@operator(kind="elementwise")
def popcount(x: PrimExprNode = operand(dtype="T: int")) -> PrimExprNode:
    """Return the number of set bits of `x`."""
    ...


@operator(kind="elementwise")
def clz(x: PrimExprNode = operand(dtype="T: int")) -> PrimExprNode:
    """Return the number of leading zeros of `x`."""
    ...
