"""The common properties of the operators on scalar expressions."""

from schema.ir.expr import PrimExprNode
from schema.ir.op import OpNode
from schema.ir.span import SpanNode
from tschema import dialect, function, ty


@dialect
class TirDialect:
    """Operators on scalar expressions: intrinsics, and functions that make nodes."""

    operand = PrimExprNode
    make = "uir.tir.make_call"
    number = "uir.tir.as_expr"
    span = SpanNode
    tests = "tests/python/uir/tir/test_*.py"


@function
def make_call(
    op: OpNode,
    operands: ty.Array[ty.Any],
    attributes: ty.Array[ty.Any],
    span: ty.Optional[SpanNode] = None,
) -> PrimExprNode:
    """
    Call a declared operator.

    Operands whose types share a variable are converted to their common data type.

    Parameters
    ----------
    op
        The operator.
    operands
        One element for each declared operand: an expression, None for an absent one, an array
        for a variadic one.
    attributes
        Its attributes, in order.
    span
        Source location.

    Returns
    -------
    call
        The call, of the data type that the operator declares.

    Raises
    ------
    TypeError
        If an operand is not of the class of data types that the operator declares.
    ValueError
        If the operator has no declaration.
    """
    ...
