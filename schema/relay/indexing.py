"""Operators that read or write elements at places that a tensor of integers names.

An index from `-dim` to `dim - 1` is in range; a negative one counts from the end.
"""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(kind="injective", relation="custom", onnx="Gather@1", torch="aten.index_select.default")
def take(
    x: RelayExprNode = operand(dtype="T: any"),
    indices: RelayExprNode = operand(dtype="int"),
    axis: ty.Optional[ty.int64_t] = 0,
    *,
    mode: ty.String = "raise",
) -> RelayExprNode:
    """
    Return slices along one axis.

    Parameters
    ----------
    x
        Tensor of shape `(*a, dim, *b)`, where `dim` is dimension `axis`.
    indices
        Indices along `axis`, of any shape `(*i)`; integers.
    axis
        The axis, from `-rank` to `rank - 1`; None takes elements of the tensor in row-major
        order.
    mode
        The treatment of indices out of range: `raise` an error, `clip` them to the nearest one,
        or `wrap` around.

    Returns
    -------
    y
        Tensor of shape `(*a, *i, *b)` and the data type of `x`.

    Raises
    ------
    TypeError
        If `indices` are not integers.
    ValueError
        If `axis` is out of range, or `mode` is unknown.
    IndexError
        When it runs, if an index is out of range.
    """
    ...


@operator(
    kind="injective", relation="custom", onnx="GatherElements@11", torch="aten.gather.default"
)
def take_along_axis(
    x: RelayExprNode = operand(dtype="T: any"),
    indices: RelayExprNode = operand(dtype="int"),
    axis: ty.int64_t = ...,
) -> RelayExprNode:
    """
    Return elements whose index along one axis is given.

    `y[i, j, k] = x[i, indices[i, j, k], k]` for `axis` 1 of 3.

    Parameters
    ----------
    x
        Tensor of shape `(*a, dim, *b)`, where `dim` is dimension `axis`.
    indices
        Indices along `axis` of shape `(*a, k, *b)`; integers. Dimensions other than `k` are at
        most those of `x`.
    axis
        The axis, from `-rank` to `rank - 1`.

    Returns
    -------
    y
        Tensor of shape `(*a, k, *b)`, that of `indices`, and the data type of `x`.

    Raises
    ------
    TypeError
        If `indices` are not integers, have another rank than `x`, or exceed it along another
        axis.
    ValueError
        If `axis` is out of range.
    IndexError
        When it runs, if an index is out of range.
    """
    ...


@operator(kind="injective", relation="custom", onnx="GatherND@11")
def gather_nd(
    x: RelayExprNode = operand(dtype="T: any"),
    indices: RelayExprNode = operand(dtype="int"),
    *,
    batch_dims: ty.int64_t = 0,
) -> RelayExprNode:
    """
    Return slices whose first indices are rows of a tensor.

    Parameters
    ----------
    x
        Tensor of shape `(*batch, d1, ..., dk, *rest)`.
    indices
        Indices of shape `(*batch, *rows, k)`; integers.
    batch_dims
        The number of leading axes that both operands share.

    Returns
    -------
    y
        Tensor of shape `(*batch, *rows, *rest)` and the data type of `x`.

    Raises
    ------
    TypeError
        If `indices` are not integers, or the batch dimensions differ.
    ValueError
        If rows are longer than `x` has axes, or `batch_dims` is out of range.
    IndexError
        When it runs, if an index is out of range.
    """
    ...


@operator(kind="opaque", relation="custom", onnx="ScatterND@11", torch="aten.index_put.default")
def scatter_nd(
    x: RelayExprNode = operand(dtype="T: any"),
    indices: RelayExprNode = operand(dtype="int"),
    updates: RelayExprNode = operand(dtype="T"),
    *,
    reduction: ty.String = "none",
) -> RelayExprNode:
    """
    Write slices whose first indices are rows of a tensor.

    Parameters
    ----------
    x
        Tensor of shape `(d1, ..., dk, *rest)`.
    indices
        Indices of shape `(*rows, k)`; integers.
    updates
        Slices of shape `(*rows, *rest)`.
    reduction
        The combination with the old element: `none` (it is replaced), `add`, `mul`, `min` or
        `max`. With `none` the order of writes to the same place is undefined.

    Returns
    -------
    y
        Tensor of shape `(d1, ..., dk, *rest)` and the data type of `x`, with the updates.

    Raises
    ------
    TypeError
        If `indices` are not integers, or `updates` has another shape or data type.
    ValueError
        If rows are longer than `x` has axes, or `reduction` is unknown.
    IndexError
        When it runs, if an index is out of range.
    """
    ...


@operator(kind="opaque", relation="custom", onnx="ScatterElements@11", torch="aten.scatter.src")
def scatter_elements(
    x: RelayExprNode = operand(dtype="T: any"),
    indices: RelayExprNode = operand(dtype="int"),
    updates: RelayExprNode = operand(dtype="T"),
    *,
    axis: ty.int64_t = 0,
    reduction: ty.String = "none",
) -> RelayExprNode:
    """
    Write elements whose index along one axis is given.

    `y[i, indices[i, j, k], k] = updates[i, j, k]` for `axis` 1 of 3.

    Parameters
    ----------
    x
        Tensor of shape `(*a, dim, *b)`, where `dim` is dimension `axis`.
    indices
        Indices along `axis` of shape `(*a, k, *b)`; integers. Dimensions other than `k` are at
        most those of `x`.
    updates
        Elements of shape `(*a, k, *b)`, that of `indices`.
    axis
        The axis, from `-rank` to `rank - 1`.
    reduction
        The combination with the old element: `none` (it is replaced), `add`, `mul`, `min` or
        `max`. With `none` the order of writes to the same place is undefined.

    Returns
    -------
    y
        Tensor of shape `(*a, dim, *b)` and the data type of `x`, with the updates.

    Raises
    ------
    TypeError
        If `indices` are not integers, have another rank than `x`, or exceed it along another
        axis; or if `updates` has another shape or data type.
    ValueError
        If `axis` is out of range, or `reduction` is unknown.
    IndexError
        When it runs, if an index is out of range.
    """
    ...
