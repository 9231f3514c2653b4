"""Hyperbolic functions of the elements of tensors."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator


@operator(
    kind="elementwise",
    relation="same",
    scalar="sinh(x)",
    onnx="Sinh@9",
    torch="aten.sinh.default",
)
def sinh(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return hyperbolic sines.

    `(exp(x) - exp(-x)) / 2`.

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
    scalar="cosh(x)",
    onnx="Cosh@9",
    torch="aten.cosh.default",
)
def cosh(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return hyperbolic cosines.

    `(exp(x) + exp(-x)) / 2`.

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
    scalar="tanh(x)",
    onnx="Tanh@6",
    torch="aten.tanh.default",
)
def tanh(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return hyperbolic tangents.

    `sinh(x) / cosh(x)`.

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
    scalar="asinh(x)",
    onnx="Asinh@9",
    torch="aten.asinh.default",
)
def asinh(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return inverse hyperbolic sines.

    `log(x + sqrt(x * x + 1))`.

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
    scalar="acosh(x)",
    onnx="Acosh@9",
    torch="aten.acosh.default",
)
def acosh(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return inverse hyperbolic cosines.

    `log(x + sqrt(x * x - 1))`; NaN below 1.

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
    scalar="atanh(x)",
    onnx="Atanh@9",
    torch="aten.atanh.default",
)
def atanh(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return inverse hyperbolic tangents.

    `log((1 + x) / (1 - x)) / 2`; NaN outside of [-1, 1].

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
