"""A product and a sum in one instruction, where the machine has it."""

from schema.ir.expr import PrimExprNode
from tschema import operand, operator


@operator(kind="elementwise")
def multiply_add(
    a: PrimExprNode = operand(dtype="T: float"),
    b: PrimExprNode = operand(dtype="T"),
    c: PrimExprNode = operand(dtype="T"),
) -> PrimExprNode:
    """
    Return `a * b + c`, rounded once where the machine has an instruction for it, else twice.

    All elements of a compiled function are rounded in the same way. `fma` rounds once on every
    machine, and calls a function where there is no instruction.
    """
    ...
