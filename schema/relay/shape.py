"""Operators that change shapes, and move or repeat elements."""

from schema.ir.expr import PrimExprNode, RelayExprNode
from tschema import operand, operator, ty


@operator(kind="view", relation="custom", onnx="Reshape@5", torch="aten.view.default")
def reshape(
    x: RelayExprNode = operand(dtype="any"),
    shape: ty.Array[ty.Union[ty.int64_t, PrimExprNode]] = ...,
    *,
    allowzero: ty.bool = False,
) -> RelayExprNode:
    """
    Give the same elements another shape.

    Parameters
    ----------
    x
        Tensor of any shape and data type.
    shape
        The dimensions of the result. One of them may be -1, which is computed from the
        others; 0 means the dimension of `x` at the same position.
    allowzero
        Whether 0 is a dimension of its own.

    Returns
    -------
    y
        Tensor of the shape `shape` and the data type of `x`, with its elements in row-major
        order: `(2, 6)` becomes `(3, 4)` by `shape=[3, -1]`.

    Raises
    ------
    ValueError
        If there is more than one -1, 0 refers to a dimension that `x` lacks, or the number of
        elements differs.
    """
    ...


@operator(kind="injective", relation="custom", onnx="Transpose@1", torch="aten.permute.default")
def transpose(
    x: RelayExprNode = operand(dtype="any"),
    axes: ty.Optional[ty.Array[ty.int64_t]] = None,
) -> RelayExprNode:
    """
    Permute axes.

    Parameters
    ----------
    x
        Tensor of any shape and data type.
    axes
        For each axis of the result the axis of `x`, from `-rank` to `rank - 1`; None
        reverses the order.

    Returns
    -------
    y
        Tensor of the data type of `x` whose dimension `i` is dimension `axes[i]` of `x`:
        `(2, 3, 4)` becomes `(2, 4, 3)` by `axes=[0, 2, 1]`.

    Raises
    ------
    ValueError
        If `axes` is not a permutation of the axes of `x`.
    """
    ...


@operator(kind="view", relation="custom", onnx="Squeeze@1", torch="aten.squeeze.dims")
def squeeze(
    x: RelayExprNode = operand(dtype="any"),
    axes: ty.Optional[ty.Array[ty.int64_t]] = None,
) -> RelayExprNode:
    """
    Drop dimensions of extent 1.

    Parameters
    ----------
    x
        Tensor of shape `(*a, 1, *b)` with a 1 for each of `axes`; any data type.
    axes
        The axes to drop, from `-rank` to `rank - 1`; None for all of extent 1. Without them
        the type assumes of a symbolic dimension `n` that `n != 1`, which calls check: the
        rank of the result must be known.

    Returns
    -------
    y
        Tensor with the elements and the data type of `x`, of shape `(*a, *b)`.

    Raises
    ------
    ValueError
        If an axis is out of range or given twice.
    TypeError
        If the extent of an axis is not 1.
    """
    ...


@operator(kind="view", relation="custom", onnx="Unsqueeze@1", torch="aten.unsqueeze.default")
def expand_dims(
    x: RelayExprNode = operand(dtype="any"),
    axes: ty.Array[ty.int64_t] = ...,
) -> RelayExprNode:
    """
    Insert dimensions of extent 1.

    Parameters
    ----------
    x
        Tensor of shape `(*a, *b)`; any data type.
    axes
        Where the new axes are in the result: from `-rank` to `rank - 1`, where `rank` is
        that of the result.

    Returns
    -------
    y
        Tensor with the elements and the data type of `x`, of shape `(*a, 1, *b)` with a 1 for
        each of `axes`.

    Raises
    ------
    ValueError
        If an axis is out of range or given twice.
    """
    ...


@operator(kind="injective", relation="custom", onnx="Expand@8", torch="aten.expand.default")
def broadcast_to(
    x: RelayExprNode = operand(dtype="any"),
    shape: ty.Array[ty.Union[ty.int64_t, PrimExprNode]] = ...,
) -> RelayExprNode:
    """
    Repeat elements along new leading axes, and along axes of extent 1.

    `y[i, j] = x[j]` for `x` of shape `(4,)` and `shape` `(3, 4)`.

    Parameters
    ----------
    x
        Tensor whose shape broadcasts to `shape`. For a symbolic dimension `n` that is not known
        to equal the dimension `m` of `shape`, the type assumes `n == m or n == 1`, which calls
        check.
    shape
        The shape of the result.

    Returns
    -------
    y
        Tensor of the shape `shape` and the data type of `x`: `(4, 1)` becomes `(3, 4, 5)` by
        `shape=[3, 4, 5]`.

    Raises
    ------
    TypeError
        If the shape of `x` does not broadcast to `shape`.
    ValueError
        If a dimension of `shape` is negative.
    """
    ...


@operator(kind="injective", relation="custom", onnx="Tile@6", torch="aten.repeat.default")
def tile(
    x: RelayExprNode = operand(dtype="any"),
    repeats: ty.Array[ty.Union[ty.int64_t, PrimExprNode]] = ...,
) -> RelayExprNode:
    """
    Repeat the whole tensor along each axis.

    Parameters
    ----------
    x
        Tensor of shape `(d0, d1, ...)`; any data type.
    repeats
        How often each axis is repeated: one number for each axis of `x`.

    Returns
    -------
    y
        Tensor of shape `(repeats[0] * d0, repeats[1] * d1, ...)` and the data type of `x`.

    Raises
    ------
    ValueError
        If `repeats` has not one element for each axis, or one is negative.
    """
    ...


@operator(
    kind="opaque",
    relation="custom",
    result="int64",
    onnx="Shape@15",
    torch="aten.sym_size.int",
)
def shape_of(
    x: RelayExprNode = operand(dtype="any"),
    *,
    start: ty.int64_t = 0,
    end: ty.Optional[ty.int64_t] = None,
) -> RelayExprNode:
    """
    Return the dimensions of a tensor, or a range of them.

    Parameters
    ----------
    x
        Tensor of any shape and data type.
    start
        The first axis; a negative one counts from the end, and one that is out of range is
        clamped, as in Python's slices `shape[start:end]`.
    end
        The axis before which the range ends, likewise; None for the rank.

    Returns
    -------
    y
        Tensor of `int64`, of shape `(count,)`: `(2, 3, 4)` becomes `(2,)` by `start=1`.
    """
    ...
