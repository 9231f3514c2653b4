"""Floating-point functions of one operand: powers, logarithms, roots."""

from schema.ir.expr import PrimExprNode
from tschema import operand, operator


@operator(kind="elementwise")
def exp(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return e raised to the power of `x`."""
    ...


@operator(kind="elementwise")
def exp2(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return 2 raised to the power of `x`."""
    ...


@operator(kind="elementwise")
def exp10(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return 10 raised to the power of `x`."""
    ...


@operator(kind="elementwise")
def expm1(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return `exp(x) - 1`, accurate near 0."""
    ...


@operator(kind="elementwise")
def log(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the natural logarithm of `x`."""
    ...


@operator(kind="elementwise")
def log2(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the base-2 logarithm of `x`."""
    ...


@operator(kind="elementwise")
def log10(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the base-10 logarithm of `x`."""
    ...


@operator(kind="elementwise")
def log1p(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the natural logarithm of `1 + x`, accurate near 0."""
    ...


@operator(kind="elementwise")
def sqrt(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the square root of `x`."""
    ...


@operator(kind="elementwise")
def rsqrt(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the reciprocal square root of `x`."""
    ...


@operator(kind="elementwise")
def erf(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the error function of `x`."""
    ...


@operator(kind="elementwise")
def sigmoid(x: PrimExprNode = operand(dtype="T: float")) -> PrimExprNode:
    """Return the logistic function of `x`, `1 / (1 + exp(-x))`."""
    ...
