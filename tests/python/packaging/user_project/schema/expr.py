"""An expression of a user's own."""

from tschema import declare, ty
from uir.schema.ir.expr import PrimExprNode


@declare
class DoubleNode(PrimExprNode):
    """
    A value, doubled.

    Attributes
    ----------
    operand
        The value.
    times
        How often it is doubled.
    """

    type_key = "toy.Double"

    operand: PrimExprNode
    times: ty.int32_t = 1
