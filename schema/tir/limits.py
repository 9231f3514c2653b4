"""The ends of data types, as constants."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def min_value(dtype: ty.DataType, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the least finite value of a data type.

    Parameters
    ----------
    dtype
        The data type, a number.
    span
        Where that is written.

    Returns
    -------
    result
        The constant.
    """
    ...


@function
def max_value(dtype: ty.DataType, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the greatest finite value of a data type; constants of `uint64` do not reach it.

    Parameters
    ----------
    dtype
        The data type, a number.
    span
        Where that is written.

    Returns
    -------
    result
        The constant.
    """
    ...


@function
def infinity(dtype: ty.DataType, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return infinity.

    Parameters
    ----------
    dtype
        The data type, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    result
        The constant.
    """
    ...
