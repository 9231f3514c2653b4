"""Limits of data types, as constants."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function(api=True)
def min_value(dtype: ty.DataType, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the least finite value of a data type.

    Parameters
    ----------
    dtype
        A scalar number or boolean type.
    span
        Source location of the constant.

    Returns
    -------
    result
        The constant, of data type `dtype`.

    Raises
    ------
    TypeError
        If `dtype` is not a scalar number or boolean type.
    """
    ...


@function(api=True)
def max_value(dtype: ty.DataType, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the greatest finite value of a data type.

    Parameters
    ----------
    dtype
        A scalar number or boolean type.
    span
        Source location of the constant.

    Returns
    -------
    result
        The constant, of data type `dtype`.

    Raises
    ------
    TypeError
        If `dtype` is not a scalar number or boolean type.
    ValueError
        If `dtype` is `uint64`: constants reach 2^63 - 1 only.
    """
    ...


@function(api=True)
def infinity(dtype: ty.DataType, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return positive infinity.

    Parameters
    ----------
    dtype
        A scalar floating-point type with an infinity.
    span
        Source location of the constant.

    Returns
    -------
    result
        The constant, of data type `dtype`.

    Raises
    ------
    TypeError
        If `dtype` is not such a type.
    """
    ...
