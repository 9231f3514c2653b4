"""Exponentials less one and logarithms of one more, accurate near 0."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator


@operator(
    kind="elementwise",
    relation="same",
    scalar="expm1(x)",
    torch="aten.expm1.default",
)
def expm1(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return `exp(x) - 1` of each element, accurate near 0.

    Parameters
    ----------
    x
        Tensor of any shape; floating-point.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of floating-point elements.
    """
    ...


@operator(
    kind="elementwise",
    relation="same",
    scalar="log1p(x)",
    torch="aten.log1p.default",
)
def log1p(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return the natural logarithm of `1 + x` for each element, accurate near 0.

    Parameters
    ----------
    x
        Tensor of any shape; floating-point.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`; -inf where `x` is -1, NaN where it is less.

    Raises
    ------
    TypeError
        If `x` is not a tensor of floating-point elements.
    """
    ...
