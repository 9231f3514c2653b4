"""Rounding, predicates of floating-point elements, conversion of data types."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(
    kind="elementwise",
    relation="same",
    scalar="floor(x)",
    onnx="Floor@6",
    torch="aten.floor.default",
)
def floor(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Round down to integers.

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
    scalar="ceil(x)",
    onnx="Ceil@6",
    torch="aten.ceil.default",
)
def ceil(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Round up to integers.

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
    scalar="round(x)",
    onnx="Round@11",
    torch="aten.round.default",
)
def round(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Round to the nearest integers.

    Halves are rounded to the even integer, as in IEEE 754.

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
    result="bool",
    scalar="isnan(x)",
    decompose="x != x",
    onnx="IsNaN@9",
    torch="aten.isnan.default",
)
def isnan(x: RelayExprNode = operand(dtype="T: float")) -> RelayExprNode:
    """
    Return whether elements are NaN.

    Parameters
    ----------
    x
        Tensor of any shape; floating-point.

    Returns
    -------
    y
        Tensor of `bool`, of the shape of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of floating-point elements.
    """
    ...


@operator(
    kind="elementwise",
    relation="same",
    result="bool",
    scalar="isinf(x) and (x > 0 and detect_positive or x < 0 and detect_negative)",
    onnx="IsInf@10",
    torch="aten.isinf.default",
)
def isinf(
    x: RelayExprNode = operand(dtype="T: float"),
    *,
    detect_negative: ty.bool = True,
    detect_positive: ty.bool = True,
) -> RelayExprNode:
    """
    Return whether elements are infinite.

    Parameters
    ----------
    x
        Tensor of any shape; floating-point.
    detect_negative
        Whether negative infinity counts.
    detect_positive
        Whether positive infinity counts.

    Returns
    -------
    y
        Tensor of `bool`, of the shape of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of floating-point elements.
    """
    ...


@operator(
    kind="elementwise",
    relation="same",
    result="dtype",
    scalar="cast(x, dtype)",
    onnx="Cast@9",
    torch="aten._to_copy.default",
)
def cast(x: RelayExprNode = operand(dtype="any"), dtype: ty.DataType = ...) -> RelayExprNode:
    """
    Convert elements to another data type.

    A float becomes an integer by truncation; out of the range of the integer the result is
    undefined. A number becomes a boolean, which is False for 0; a boolean becomes 0 or 1.

    Parameters
    ----------
    x
        Tensor of any shape and data type.
    dtype
        The data type of the result: a number of any kind, or `bool`.

    Returns
    -------
    y
        Tensor of the shape of `x` and the data type `dtype`.
    """
    ...
