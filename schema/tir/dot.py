"""Products of integers of 8 bits, four of which lie in an integer of 32 bits."""

from schema.ir.expr import PrimExprNode
from tschema import operand, operator


@operator(kind="elementwise", custom=True)
def dot4(
    sum: PrimExprNode = operand(dtype="T: int"),
    a: PrimExprNode = operand(dtype="T"),
    b: PrimExprNode = operand(dtype="T"),
) -> PrimExprNode:
    """
    Add the dot product of four bytes of uint8 and four of int8 to a sum.

    The bytes are the bits of an int32, byte `i` those from `8 * i` on. One instruction computes it
    where the machine has one. The sum wraps around; products and their sums are never saturated.

    Parameters
    ----------
    sum
        An int32.
    a
        An int32 with the bits of four uint8.
    b
        An int32 with the bits of four int8.

    Returns
    -------
    result
        The expression, of the data type int32. Constants are folded.

    Raises
    ------
    TypeError
        If an operand is not of the data type int32, or vectors have different numbers of lanes.
    """
    ...
