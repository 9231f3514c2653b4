"""Trigonometric and hyperbolic functions."""

from schema.ir.expr import PrimExprNode
from tschema import operand, operator


@operator(kind="elementwise")
def sin(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the sine of `x`, in radians."""
    ...


@operator(kind="elementwise")
def cos(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the cosine of `x`, in radians."""
    ...


@operator(kind="elementwise")
def tan(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the tangent of `x`, in radians."""
    ...


@operator(kind="elementwise")
def asin(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the arcsine of `x`, in radians."""
    ...


@operator(kind="elementwise")
def acos(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the arccosine of `x`, in radians."""
    ...


@operator(kind="elementwise")
def atan(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the arctangent of `x`, in radians."""
    ...


@operator(kind="elementwise")
def sinh(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the hyperbolic sine of `x`."""
    ...


@operator(kind="elementwise")
def cosh(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the hyperbolic cosine of `x`."""
    ...


@operator(kind="elementwise")
def tanh(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the hyperbolic tangent of `x`."""
    ...


@operator(kind="elementwise")
def asinh(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the inverse hyperbolic sine of `x`."""
    ...


@operator(kind="elementwise")
def acosh(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the inverse hyperbolic cosine of `x`."""
    ...


@operator(kind="elementwise")
def atanh(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the inverse hyperbolic tangent of `x`."""
    ...
