"""Reductions over axes, and scans along one."""

from schema.ir.expr import PrimExprNode, RelayExprNode
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
        Tensor without the reduced axes, of the data type of `x`.

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
        Tensor without the reduced axes, of the data type of `x`.

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
        sum(x, axis, keepdims=keepdims) / size(x, axis) if bits(x) >= 32 and is_given(size(x, axis))
        else mean(x, axis, keepdims=keepdims)
    """,
    onnx="ReduceMean@1",
    torch="aten.mean.dim",
)
def mean(
    x: RelayExprNode = operand(dtype="T: float"),
    axis: ty.Optional[ty.Array[ty.int64_t]] = None,
    *,
    keepdims: ty.bool = False,
) -> RelayExprNode:
    """
    Return arithmetic means over axes.

    Float16 is summed in float32. The mean of no elements is NaN.

    Parameters
    ----------
    x
        Tensor of any shape; floating-point.
    axis
        The axes that are reduced, from `-rank` to `rank - 1`; None for all.
    keepdims
        Whether reduced axes remain, with extent 1.

    Returns
    -------
    y
        Tensor without the reduced axes, of the data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of floating-point elements.
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
        Tensor without the reduced axes, of the data type of `x`.

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
        Tensor without the reduced axes, of the data type of `x`.

    Raises
    ------
    ValueError
        If an axis is out of range or given twice.
    """
    ...


@operator(
    kind="reduction",
    relation="reduce",
    result="int64",
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
        Whether the last of several equal elements counts, and not the first.

    Returns
    -------
    y
        Tensor of `int64`, without the axis.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    ValueError
        If `axis` is out of range.
    """
    ...


@operator(
    kind="reduction",
    relation="reduce",
    result="int64",
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
        Whether the last of several equal elements counts, and not the first.

    Returns
    -------
    y
        Tensor of `int64`, without the axis.

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
    onnx="CumSum@11",
    torch="aten.cumsum.default",
)
def cumsum(
    x: RelayExprNode = operand(dtype="T: number"),
    *,
    axis: ty.int64_t,
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
        Whether the element at the place itself is left out.
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
    *,
    axis: ty.int64_t,
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
        Whether the element at the place itself is left out.
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


@operator(kind="opaque", relation="custom", onnx="TopK@1", torch="aten.topk.default")
def topk(
    x: RelayExprNode = operand(dtype="T: number"),
    *,
    k: ty.Union[ty.int64_t, PrimExprNode],
    axis: ty.int64_t = -1,
    largest: ty.bool = True,
    sorted: ty.bool = True,
) -> RelayExprNode:
    """
    Return the greatest or smallest elements along an axis.

    Of equal elements the one of the lower index comes first; NaN is greater than all others.

    Parameters
    ----------
    x
        Tensor of any shape; numbers.
    k
        How many elements: from 0 to the dimension of the axis.
    axis
        The axis, from `-rank` to `rank - 1`.
    largest
        Whether the greatest elements are returned, and not the smallest.
    sorted
        Whether the elements are in order.

    Returns
    -------
    outputs
        Tuple of the elements and of their indices (`int64`), both of the shape of `x` with
        `k` elements along the axis.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    ValueError
        If `axis` is out of range, or `k` is greater than its dimension.
    """
    ...
