"""Reductions over axes."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(kind="reduction", relation="reduce", onnx="ReduceSum@13", torch="aten.sum.dim_IntList")
def sum(
    x: RelayExprNode = operand(dtype="T: number"),
    axis: ty.Optional[ty.Array[ty.int64_t]] = None,
    *,
    keepdims: ty.bool = False,
) -> RelayExprNode:
    """
    Add up elements over axes.

    Integers wrap around; float16 is summed in float32. The sum of no elements is 0.

    Parameters
    ----------
    x
        Tensor of any shape; numbers.
    axis
        The axes that are reduced, from `-rank` to `rank - 1`; None for all.
    keepdims
        Whether reduced axes remain, with extent 1.

    Returns
    -------
    y
        Tensor of the shape of `x` without the reduced axes, and of its data type.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    ValueError
        If an axis is out of range or given twice.
    """
    ...


@operator(kind="reduction", relation="reduce", onnx="ReduceProd@1", torch="aten.prod.dim_int")
def prod(
    x: RelayExprNode = operand(dtype="T: number"),
    axis: ty.Optional[ty.Array[ty.int64_t]] = None,
    *,
    keepdims: ty.bool = False,
) -> RelayExprNode:
    """
    Multiply elements over axes.

    Integers wrap around; float16 is multiplied in float32. The product of no elements is 1.

    Parameters
    ----------
    x
        Tensor of any shape; numbers.
    axis
        The axes that are reduced, from `-rank` to `rank - 1`; None for all.
    keepdims
        Whether reduced axes remain, with extent 1.

    Returns
    -------
    y
        Tensor of the shape of `x` without the reduced axes, and of its data type.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    ValueError
        If an axis is out of range or given twice.
    """
    ...


@operator(
    kind="reduction",
    relation="reduce",
    decompose="""
        sum(x, axis, keepdims=keepdims) / size(x, axis)
        if is_float(x) and bits(x) >= 32 and is_given(size(x, axis))
        else mean(x, axis, keepdims=keepdims)
    """,
    onnx="ReduceMean@1",
    torch="aten.mean.dim",
)
def mean(
    x: RelayExprNode = operand(dtype="T: number"),
    axis: ty.Optional[ty.Array[ty.int64_t]] = None,
    *,
    keepdims: ty.bool = False,
) -> RelayExprNode:
    """
    Return arithmetic means over axes.

    Float16 is summed in float32; the mean of no elements is NaN. Integers are summed in 64
    bits, and the quotient is truncated towards zero; the mean of none is undefined.

    Parameters
    ----------
    x
        Tensor of any shape; numbers.
    axis
        The axes that are reduced, from `-rank` to `rank - 1`; None for all.
    keepdims
        Whether reduced axes remain, with extent 1.

    Returns
    -------
    y
        Tensor of the shape of `x` without the reduced axes, and of its data type.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    ValueError
        If an axis is out of range or given twice.
    """
    ...


@operator(kind="reduction", relation="reduce", onnx="ReduceMax@1", torch="aten.amax.default")
def max(
    x: RelayExprNode = operand(dtype="T: any"),
    axis: ty.Optional[ty.Array[ty.int64_t]] = None,
    *,
    keepdims: ty.bool = False,
) -> RelayExprNode:
    """
    Return the greatest elements over axes.

    If an element is NaN, so is the result. That of no elements is the least value of the data
    type.

    Parameters
    ----------
    x
        Tensor of any shape and data type.
    axis
        The axes that are reduced, from `-rank` to `rank - 1`; None for all.
    keepdims
        Whether reduced axes remain, with extent 1.

    Returns
    -------
    y
        Tensor of the shape of `x` without the reduced axes, and of its data type.

    Raises
    ------
    ValueError
        If an axis is out of range or given twice.
    """
    ...


@operator(kind="reduction", relation="reduce", onnx="ReduceMin@1", torch="aten.amin.default")
def min(
    x: RelayExprNode = operand(dtype="T: any"),
    axis: ty.Optional[ty.Array[ty.int64_t]] = None,
    *,
    keepdims: ty.bool = False,
) -> RelayExprNode:
    """
    Return the smallest elements over axes.

    If an element is NaN, so is the result. That of no elements is the greatest value of the
    data type.

    Parameters
    ----------
    x
        Tensor of any shape and data type.
    axis
        The axes that are reduced, from `-rank` to `rank - 1`; None for all.
    keepdims
        Whether reduced axes remain, with extent 1.

    Returns
    -------
    y
        Tensor of the shape of `x` without the reduced axes, and of its data type.

    Raises
    ------
    ValueError
        If an axis is out of range or given twice.
    """
    ...


@operator(
    kind="reduction",
    relation="custom",
    onnx="ArgMax@1",
    torch="aten.argmax.default",
)
def argmax(
    x: RelayExprNode = operand(dtype="T: number"),
    axis: ty.Optional[ty.int64_t] = None,
    *,
    keepdims: ty.bool = False,
    select_last: ty.bool = False,
) -> RelayExprNode:
    """
    Return the indices of the greatest elements along an axis.

    Parameters
    ----------
    x
        Tensor of any shape, which has elements along the axis; numbers.
    axis
        The axis, from `-rank` to `rank - 1`; None for the index in row-major order.
    keepdims
        Whether reduced axes remain, with extent 1.
    select_last
        Whether ties resolve to the last equal element instead of the first.

    Returns
    -------
    y
        Tensor of `int64`, of the shape of `x` without the axis: `(3, 4)` becomes `(3)` by
        `axis=1`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    ValueError
        If `axis` is out of range, or has no elements.
    """
    ...


@operator(
    kind="reduction",
    relation="custom",
    onnx="ArgMin@1",
    torch="aten.argmin.default",
)
def argmin(
    x: RelayExprNode = operand(dtype="T: number"),
    axis: ty.Optional[ty.int64_t] = None,
    *,
    keepdims: ty.bool = False,
    select_last: ty.bool = False,
) -> RelayExprNode:
    """
    Return the indices of the smallest elements along an axis.

    Parameters
    ----------
    x
        Tensor of any shape, which has elements along the axis; numbers.
    axis
        The axis, from `-rank` to `rank - 1`; None for the index in row-major order.
    keepdims
        Whether reduced axes remain, with extent 1.
    select_last
        Whether ties resolve to the last equal element instead of the first.

    Returns
    -------
    y
        Tensor of `int64`, of the shape of `x` without the axis: `(3, 4)` becomes `(3)` by
        `axis=1`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    ValueError
        If `axis` is out of range, or has no elements.
    """
    ...
