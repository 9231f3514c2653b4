"""Trigonometric functions of the elements of tensors."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator


@operator(
    kind="elementwise",
    relation="same",
    scalar="sin(x)",
    onnx="Sin@7",
    torch="aten.sin.default",
)
def sin(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return sines of angles in radians.

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
    scalar="cos(x)",
    onnx="Cos@7",
    torch="aten.cos.default",
)
def cos(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return cosines of angles in radians.

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
    scalar="tan(x)",
    onnx="Tan@7",
    torch="aten.tan.default",
)
def tan(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return tangents of angles in radians.

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
    scalar="asin(x)",
    onnx="Asin@7",
    torch="aten.asin.default",
)
def asin(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return inverse sines, in radians.

    The results are from -pi/2 to pi/2; NaN outside of [-1, 1].

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
    scalar="acos(x)",
    onnx="Acos@7",
    torch="aten.acos.default",
)
def acos(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return inverse cosines, in radians.

    The results are from 0 to pi; NaN outside of [-1, 1].

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
    scalar="atan(x)",
    onnx="Atan@7",
    torch="aten.atan.default",
)
def atan(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return inverse tangents, in radians.

    The results are from -pi/2 to pi/2.

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
