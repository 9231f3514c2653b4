"""Negation, absolute values and signs of the elements of tensors."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator


@operator(kind="elementwise", relation="same", scalar="-x", onnx="Neg@6", torch="aten.neg.default")
def negative(x: RelayExprNode = operand(dtype="T: number")) -> RelayExprNode:
    """
    Negate elements.

    Integers wrap around.

    Parameters
    ----------
    x
        Tensor of any shape; numbers.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    """
    ...


@operator(
    kind="elementwise",
    relation="same",
    scalar="abs(x)",
    onnx="Abs@6",
    torch="aten.abs.default",
)
def abs(x: RelayExprNode = operand(dtype="T: number")) -> RelayExprNode:
    """
    Return absolute values.

    That of the least signed integer is itself.

    Parameters
    ----------
    x
        Tensor of any shape; numbers.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    """
    ...


@operator(
    kind="elementwise",
    relation="same",
    scalar="select(x > 0, 1, select(x < 0, -1, select(x == 0, 0, x)))",
    onnx="Sign@9",
    torch="aten.sign.default",
)
def sign(x: RelayExprNode = operand(dtype="T: number")) -> RelayExprNode:
    """
    Return the signs of elements: -1, 0 or 1.

    The sign of NaN is NaN, that of -0.0 is 0.0.

    Parameters
    ----------
    x
        Tensor of any shape; numbers.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    """
    ...
