"""Exponentials less one."""

from schema.ir.expr import PrimExprNode
from tschema import operand, operator


@operator(kind="elementwise")
def expm1(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return `exp(x) - 1`, accurate near 0."""
    ...
