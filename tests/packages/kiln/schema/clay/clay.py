"""Operators on scalar expressions that are data: no C++ of this package is needed."""

from tschema import declare, dialect, operand, operator, ty
from uir.schema.ir.expr import PrimExprNode
from uir.schema.ir.span import SpanNode
from uir.schema.tir.arith import AddNode


@declare
class Heat(ty.IntEnum):
    """
    How hot a kiln is.

    Attributes
    ----------
    COLD
        Not at all.
    HOT
        Very.
    """

    COLD = 0
    HOT = 3


@dialect
class ClayDialect:
    """
    Operators on clay.

    Attributes
    ----------
    heat
        What an operator needs.
    glazed
        Whether the result shines.
    """

    operand = PrimExprNode
    make = "uir.tir.make_call"
    number = "uir.tir.as_expr"
    span = SpanNode
    heat: Heat = Heat.COLD
    glazed: ty.bool = False


@operator(kind="elementwise", scalar="max(x, low)", heat=Heat.HOT)
def bake(x: PrimExprNode = operand(dtype="T: number"), low: ty.int64_t = 0) -> PrimExprNode:
    """
    Bake clay.

    Parameters
    ----------
    x
        Wet clay.
    low
        The least value of the result.
    """
    ...


@operator(kind="elementwise", decompose="bake(x) + y", glazed=True)
def blend(
    x: PrimExprNode = operand(dtype="T: float"), y: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """Blend two lumps."""
    ...


@operator(kind="opaque", effect="read_state", result="int32", since="0.2")
def count(
    lumps: ty.Array[PrimExprNode] = operand(dtype="T: any"),
    mould: ty.Optional[PrimExprNode] = operand(dtype="handle", default=None),
    *,
    label: ty.String = "clay",
) -> PrimExprNode:
    """
    Count lumps.

    Parameters
    ----------
    lumps
        What is counted.
    mould
        Where they lie.
    label
        Their name.
    """
    ...


@operator(builds=AddNode)
def join(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """Join two lumps of one data type."""
    ...


@operator(kind="elementwise", custom=True, api=False)
def fire(x: PrimExprNode = operand(dtype="T: number")) -> PrimExprNode:
    """Fire a lump; what is fired already stays as it is."""
    ...
