"""Arithmetic expressions."""

from schema.ir.expr import PrimExprNode
from tschema import declare, field, ty


@declare
class BinaryOpNode(PrimExprNode):
    """
    Base of the binary arithmetic expressions.

    The operands and the result have the same data type; vectors are computed lane by lane.
    Integers wrap around at the width of their type.

    See Also
    --------
    BinaryOp

    Attributes
    ----------
    a
        The left operand: integer or floating-point.
    b
        The right operand, of the data type of `a`.
    dtype
        The data type of the operands.
    """

    type_key = "uir.tir.BinaryOp"
    abstract = True
    post_init = True
    a: PrimExprNode
    b: PrimExprNode
    dtype: ty.DataType = field(init=False)


@declare
class AddNode(BinaryOpNode):
    """
    Sum `a + b`.

    See Also
    --------
    Add
    """

    type_key = "uir.tir.Add"


@declare
class SubNode(BinaryOpNode):
    """
    Difference `a - b`.

    See Also
    --------
    Sub
    """

    type_key = "uir.tir.Sub"


@declare
class MulNode(BinaryOpNode):
    """
    Product `a * b`.

    See Also
    --------
    Mul
    """

    type_key = "uir.tir.Mul"


@declare
class DivNode(BinaryOpNode):
    """
    Quotient `a / b` as in C: integer division rounds towards zero.

    See Also
    --------
    Div
    """

    type_key = "uir.tir.Div"


@declare
class ModNode(BinaryOpNode):
    """
    Remainder `a - b * trunc(a / b)` as in C, with the sign of `a`.

    See Also
    --------
    Mod
    """

    type_key = "uir.tir.Mod"


@declare
class FloorDivNode(BinaryOpNode):
    """
    Quotient `floor(a / b)`.

    See Also
    --------
    FloorDiv
    """

    type_key = "uir.tir.FloorDiv"


@declare
class FloorModNode(BinaryOpNode):
    """
    Remainder `a - b * floor(a / b)`, with the sign of `b`.

    See Also
    --------
    FloorMod
    """

    type_key = "uir.tir.FloorMod"


@declare
class MinNode(BinaryOpNode):
    """
    The smaller of two values.

    If an operand is NaN, the result is `b`.

    See Also
    --------
    Min
    """

    type_key = "uir.tir.Min"


@declare
class MaxNode(BinaryOpNode):
    """
    The larger of two values.

    If an operand is NaN, the result is `b`.

    See Also
    --------
    Max
    """

    type_key = "uir.tir.Max"
