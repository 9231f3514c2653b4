"""Rounding, absolute values, and what kind of number or which bits a value has."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def floor(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the greatest integer that is not above `x`.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def ceil(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the least integer that is not below `x`.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def trunc(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the integer part of `x`.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def round(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the integer nearest to `x`, an even one if two are as near.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def nearbyint(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the integer nearest to `x`, as the rounding mode of the machine says.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def abs(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the absolute value of `x`.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def isnan(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make whether `x` is not a number.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def isinf(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make whether `x` is infinite.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def isfinite(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make whether `x` is neither infinite nor not a number.

    Parameters
    ----------
    x
        The operand, a number.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def popcount(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make how many bits of `x` are set.

    Parameters
    ----------
    x
        The operand, an integer.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def clz(x: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make how many bits of `x` are zero above the highest that is set.

    Parameters
    ----------
    x
        The operand, an integer.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...
