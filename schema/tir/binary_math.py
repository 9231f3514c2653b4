"""Functions of two operands: floating-point numbers, or numbers for `pow`."""

from schema.ir.expr import PrimExprNode
from tschema import operand, operator


@operator(kind="elementwise")
def pow(
    x: PrimExprNode = operand(dtype="T: number"), y: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return `x` raised to the power of `y`.

    Powers of integers wrap around; a negative exponent of integers is undefined.
    """
    ...


@operator(kind="elementwise")
def atan2(
    x: PrimExprNode = operand(dtype="T: float"), y: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """Return the angle of the point `(y, x)`, in radians."""
    ...


@operator(kind="elementwise")
def hypot(
    x: PrimExprNode = operand(dtype="T: float"), y: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """Return the Euclidean norm of `(x, y)`."""
    ...


@operator(kind="elementwise")
def copysign(
    x: PrimExprNode = operand(dtype="T: float"), y: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """Return the magnitude of `x` with the sign of `y`."""
    ...


@operator(kind="elementwise")
def fmod(
    x: PrimExprNode = operand(dtype="T: float"), y: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """Return the remainder of `x / y`, with the sign of `x`."""
    ...


@operator(kind="elementwise")
def nextafter(
    x: PrimExprNode = operand(dtype="T: float"), y: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """Return the next representable number after `x` towards `y`."""
    ...
