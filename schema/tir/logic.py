"""Comparisons and logical expressions."""

from schema.ir.expr import PrimExprNode
from tschema import declare, field, ty


@declare
class CmpOpNode(PrimExprNode):
    """
    Base of the comparisons.

    Both operands have the same data type; vectors are compared lane by lane.

    See Also
    --------
    CmpOp

    Attributes
    ----------
    a
        The left operand.
    b
        The right operand, of the data type of `a`.
    dtype
        `bool`, with as many lanes as the operands have.
    """

    type_key = "uir.tir.CmpOp"
    abstract = True
    post_init = True
    a: PrimExprNode
    b: PrimExprNode
    dtype: ty.DataType = field(init=False)


@declare
class EQNode(CmpOpNode):
    """
    Whether `a == b`.

    See Also
    --------
    EQ
    """

    type_key = "uir.tir.EQ"


@declare
class NENode(CmpOpNode):
    """
    Whether `a != b`.

    See Also
    --------
    NE
    """

    type_key = "uir.tir.NE"


@declare
class LTNode(CmpOpNode):
    """
    Whether `a < b`.

    See Also
    --------
    LT
    """

    type_key = "uir.tir.LT"


@declare
class LENode(CmpOpNode):
    """
    Whether `a <= b`.

    See Also
    --------
    LE
    """

    type_key = "uir.tir.LE"


@declare
class GTNode(CmpOpNode):
    """
    Whether `a > b`.

    See Also
    --------
    GT
    """

    type_key = "uir.tir.GT"


@declare
class GENode(CmpOpNode):
    """
    Whether `a >= b`.

    See Also
    --------
    GE
    """

    type_key = "uir.tir.GE"


@declare
class LogicalOpNode(PrimExprNode):
    """
    Base of the binary logical expressions.

    See Also
    --------
    LogicalOp

    Attributes
    ----------
    a
        The left operand, a boolean.
    b
        The right operand, a boolean with as many lanes as `a` has.
    dtype
        The data type of the operands.
    """

    type_key = "uir.tir.LogicalOp"
    abstract = True
    post_init = True
    a: PrimExprNode
    b: PrimExprNode
    dtype: ty.DataType = field(init=False)


@declare
class AndNode(LogicalOpNode):
    """
    Logical and. For scalars, `b` is evaluated only if `a` is true.

    See Also
    --------
    And
    """

    type_key = "uir.tir.And"


@declare
class OrNode(LogicalOpNode):
    """
    Logical or. For scalars, `b` is evaluated only if `a` is false.

    See Also
    --------
    Or
    """

    type_key = "uir.tir.Or"


@declare
class NotNode(PrimExprNode):
    """
    Logical not.

    See Also
    --------
    Not

    Attributes
    ----------
    a
        The operand, a boolean.
    dtype
        The data type of the operand.
    """

    type_key = "uir.tir.Not"
    post_init = True
    a: PrimExprNode
    dtype: ty.DataType = field(init=False)
