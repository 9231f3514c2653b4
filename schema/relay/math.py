"""Exponential, trigonometric and hyperbolic functions of the elements of tensors."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator


@operator(
    kind="elementwise",
    relation="same",
    scalar="exp(x)",
    onnx="Exp@6",
    torch="aten.exp.default",
)
def exp(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Raise e to the power of each element.

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
    scalar="log(x)",
    onnx="Log@6",
    torch="aten.log.default",
)
def log(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return natural logarithms.

    The logarithm of a negative number is NaN, that of zero negative infinity.

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
    scalar="sqrt(x)",
    onnx="Sqrt@6",
    torch="aten.sqrt.default",
)
def sqrt(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return square roots.

    That of a negative number is NaN.

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
    scalar="rsqrt(x)",
    decompose="1 / sqrt(x)",
    torch="aten.rsqrt.default",
)
def rsqrt(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return reciprocals of square roots.

    `1 / sqrt(x)`.

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


@operator(
    kind="elementwise",
    relation="same",
    scalar="erf(x)",
    onnx="Erf@9",
    torch="aten.erf.default",
)
def erf(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return the error function of elements.

    `2 / sqrt(pi)` times the integral of `exp(-t * t)` from 0 to `x`.

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
