"""Cumulative sums and products."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(
    kind="row",
    relation="(*s) -> (*s)",
    require="axis >= -len(s) and axis < len(s)",
    onnx="CumSum@11",
    torch="aten.cumsum.default",
)
def cumsum(
    x: RelayExprNode = operand(dtype="T: number"),
    axis: ty.int64_t = ...,
    *,
    exclusive: ty.bool = False,
    reverse: ty.bool = False,
) -> RelayExprNode:
    """
    Return sums of the elements up to each place along an axis.

    Integers wrap around; float16 is summed in float32.

    Parameters
    ----------
    x
        Tensor of any shape; numbers.
    axis
        The axis, from `-rank` to `rank - 1`.
    exclusive
        Whether to exclude the element at the position itself.
    reverse
        Whether elements from the place to the end are combined.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    ValueError
        If `axis` is out of range.
    """
    ...


@operator(
    kind="row",
    relation="(*s) -> (*s)",
    require="axis >= -len(s) and axis < len(s)",
    onnx="CumProd@26",
    torch="aten.cumprod.default",
)
def cumprod(
    x: RelayExprNode = operand(dtype="T: number"),
    axis: ty.int64_t = ...,
    *,
    exclusive: ty.bool = False,
    reverse: ty.bool = False,
) -> RelayExprNode:
    """
    Return products of the elements up to each place along an axis.

    Integers wrap around; float16 is multiplied in float32.

    Parameters
    ----------
    x
        Tensor of any shape; numbers.
    axis
        The axis, from `-rank` to `rank - 1`.
    exclusive
        Whether to exclude the element at the position itself.
    reverse
        Whether elements from the place to the end are combined.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    ValueError
        If `axis` is out of range.
    """
    ...
