"""Exponentials, logarithms, roots and the error function of the elements of tensors."""

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
