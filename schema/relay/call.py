"""Calls of operators, from operands of any kind."""

from schema.ir.attrs import AttrsNode
from schema.ir.expr import RelayExprNode
from schema.ir.op import OpNode
from schema.ir.span import SpanNode
from schema.relay.expr import ConstantNode
from tschema import function, ty


@function
def make_call(
    op: OpNode,
    operands: ty.Array[ty.Any],
    attrs: ty.Optional[AttrsNode] = None,
    span: ty.Optional[SpanNode] = None,
) -> RelayExprNode:
    """
    Make a call of an operator, whose type is inferred at once if its operands have types.

    Parameters
    ----------
    op
        The operator.
    operands
        One for each declared operand: an expression, None for an absent one, an array for a
        variadic one.
    attrs
        The attributes; None if the operator has none.
    span
        Source location of the expression.

    Returns
    -------
    call
        The call. An absent operand is the empty tuple, a variadic one a tuple.

    Raises
    ------
    TypeError
        If an operand has another type than the operator takes.
    ValueError
        If the attributes do not fit the operands.
    """
    ...


@function
def as_operand(value: ty.Any, like: ty.Optional[RelayExprNode] = None) -> RelayExprNode:
    """
    Make a scalar constant of a plain number.

    Parameters
    ----------
    value
        A number or a boolean.
    like
        The operand whose data type the constant takes.

    Returns
    -------
    constant
        A constant of shape `()`.

    Raises
    ------
    TypeError
        If there is no operand beside the number whose data type is known, or the number does
        not fit that data type.
    """
    ...


@function
def constant(
    elements: ty.Array[ty.Any], shape: ty.Array[ty.int64_t], dtype: ty.DataType
) -> ConstantNode:
    """
    Make a constant of plain numbers.

    Parameters
    ----------
    elements
        The numbers or booleans, in row-major order.
    shape
        Extent of each dimension, outermost first.
    dtype
        The data type of the elements.

    Returns
    -------
    constant
        The constant.

    Raises
    ------
    TypeError
        If a number does not fit the data type.
    ValueError
        If the number of elements is not that of the shape.
    """
    ...
