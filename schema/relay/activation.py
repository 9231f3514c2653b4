"""Activation functions of neural networks, element by element."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(
    kind="elementwise",
    relation="same",
    scalar="sigmoid(x)",
    decompose="1 / (1 + exp(-x))",
    onnx="Sigmoid@6",
    torch="aten.sigmoid.default",
)
def sigmoid(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return the logistic function of elements.

    `1 / (1 + exp(-x))`.

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
    scalar="max(x, 0)",
    onnx="Relu@6",
    torch="aten.relu.default",
)
def relu(x: RelayExprNode = operand(dtype="T: number")) -> RelayExprNode:
    """
    Replace negative elements by 0.

    The rectified linear unit (Fukushima, 1969), `max(x, 0)`.

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
    scalar="select(x < 0, alpha * x, x)",
    decompose="where(x < 0, alpha * x, x)",
    onnx="LeakyRelu@6",
    torch="aten.leaky_relu.default",
)
def leaky_relu(
    x: RelayExprNode = operand(dtype="T: float"),
    *,
    alpha: ty.float64 = 0.01,
) -> RelayExprNode:
    """
    Scale negative elements.

    `x` where it is at least 0, else `alpha * x` (Maas et al., 2013).

    Parameters
    ----------
    x
        Tensor of any shape; floating-point.
    alpha
        The factor of negative elements.

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
    scalar="""
        x / (1 + exp(-1.5957691216057308 * multiply_add(0.044715 * x * x, x, x))) if approximate
        else 0.5 * x * (1 + erf(x * 0.7071067811865476))
    """,
    decompose="""
        x / (1 + exp(-1.5957691216057308 * (x + 0.044715 * x * x * x))) if approximate
        else 0.5 * x * (1 + erf(x * 0.7071067811865476))
    """,
    onnx="Gelu@20",
    torch="aten.gelu.default",
)
def gelu(
    x: RelayExprNode = operand(dtype="T: float"),
    *,
    approximate: ty.bool = False,
) -> RelayExprNode:
    """
    Return Gaussian error linear units of elements.

    `x` times the cumulative distribution function of the normal distribution (Hendrycks and
    Gimpel, 2016): `0.5 * x * (1 + erf(x / sqrt(2)))`, or approximately `0.5 * x * (1 +
    tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))`. The latter is computed as
    `x / (1 + exp(-2 * u))` with `u` the argument of `tanh`: the same function, which does not
    cancel below zero.

    Parameters
    ----------
    x
        Tensor of any shape; floating-point.
    approximate
        Whether to use the approximation with the hyperbolic tangent.

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
    scalar="x * sigmoid(x)",
    decompose="x * sigmoid(x)",
    onnx="Swish@24",
    torch="aten.silu.default",
)
def silu(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Multiply elements by their logistic function.

    The sigmoid linear unit, also called swish (Ramachandran et al., 2017): `x / (1 + exp(-x))`.

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
