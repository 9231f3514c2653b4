"""Operators that fill tensors with constants and counters."""

from schema.ir.expr import PrimExprNode, RelayExprNode
from tschema import operand, operator, ty


@operator(
    kind="injective",
    relation="() -> (*shape)",
    decompose="broadcast_to(value, shape)",
    onnx="ConstantOfShape@9",
    torch="aten.full.default",
)
def full(
    value: RelayExprNode = operand(dtype="T: any"),
    shape: ty.Array[ty.Union[ty.int64_t, PrimExprNode]] = ...,
) -> RelayExprNode:
    """
    Make a tensor whose elements are all the same: `y[i, j] = value`.

    Parameters
    ----------
    value
        Scalar of any data type.
    shape
        The shape of the result.

    Returns
    -------
    y
        Tensor of the shape `shape` and the data type of `value`.

    Raises
    ------
    TypeError
        If `value` is not a scalar.
    ValueError
        If a dimension of `shape` is negative.
    """
    ...


@operator(
    kind="injective",
    relation="-> (max(0, -((start - stop) // step)))",
    require="step != 0",
    result="dtype",
    onnx="Range@11",
    torch="aten.arange.start_step",
)
def arange(
    start: ty.Union[ty.int64_t, PrimExprNode],
    stop: ty.Union[ty.int64_t, PrimExprNode],
    step: ty.int64_t = 1,
    dtype: ty.DataType = "int64",
) -> RelayExprNode:
    """
    Count from one integer to another.

    Parameters
    ----------
    start
        The first element.
    stop
        The bound before which counting ends.
    step
        The difference between elements; negative ones count down.
    dtype
        The data type of the result, a number.

    Returns
    -------
    y
        Tensor of shape `(max(0, ceil((stop - start) / step)),)` and the data type `dtype`.

    Raises
    ------
    ValueError
        If `step` is 0.
    """
    ...
