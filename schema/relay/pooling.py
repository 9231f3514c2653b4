"""Maxima of windows, with or without their places, and means, over any number of spatial axes."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(kind="window", relation="custom", onnx="MaxPool@1", torch="aten.max_pool2d.default")
def max_pool(
    x: RelayExprNode = operand(dtype="T: number"),
    kernel: ty.Array[ty.int64_t] = ...,
    *,
    strides: ty.Optional[ty.Array[ty.int64_t]] = None,
    pads: ty.Optional[ty.Array[ty.int64_t]] = None,
    dilations: ty.Optional[ty.Array[ty.int64_t]] = None,
    ceil_mode: ty.bool = False,
    auto_pad: ty.String = "notset",
) -> RelayExprNode:
    """
    Return the greatest element of each window.

    Parameters
    ----------
    x
        Tensor of shape `(n, c, *spatial)`; numbers.
    kernel
        The extent of the window along each spatial axis; one number applies to all axes.
    strides
        The step of the window along each spatial axis; one number applies to all axes, None
        means steps of 1.
    pads
        How many elements of padding, which never are the greatest, are added before each
        spatial axis, then after each; one number applies to all axes, None means none.
    dilations
        The distance between elements of the window along each spatial axis; one number applies
        to all axes, None means 1.
    ceil_mode
        Whether to include a last window that starts before the end of the padding and reaches
        beyond it.
    auto_pad
        The padding: `notset` (that of `pads`), `valid` (none), or `same_upper` or `same_lower`,
        which give `ceil(dim / stride)` places. An odd element goes to the end (`same_upper`) or
        to the beginning (`same_lower`).

    Returns
    -------
    y
        Tensor of the data type of `x` and shape `(n, c, *places)`, where along a spatial axis
        `places = (dim + padding - dilation * (kernel - 1) - 1) // stride + 1`, rounded up with
        `ceil_mode`.

    Raises
    ------
    TypeError
        If `x` has rank less than 3 or another data type.
    ValueError
        If an attribute has not an element (`pads`: two) for each spatial axis or one out of
        range, `auto_pad` is unknown or given together with `pads`, or the window is greater
        than the padded tensor.
    """
    ...


@operator(
    kind="window",
    relation="custom",
    onnx="MaxPool@8",
    torch="aten.max_pool2d_with_indices.default",
)
def max_pool_with_indices(
    x: RelayExprNode = operand(dtype="T: number"),
    kernel: ty.Array[ty.int64_t] = ...,
    *,
    strides: ty.Optional[ty.Array[ty.int64_t]] = None,
    pads: ty.Optional[ty.Array[ty.int64_t]] = None,
    dilations: ty.Optional[ty.Array[ty.int64_t]] = None,
    ceil_mode: ty.bool = False,
    auto_pad: ty.String = "notset",
    column_major: ty.bool = False,
) -> RelayExprNode:
    """
    Return the greatest element of each window, and its index in the tensor.

    Ties resolve to the first element of the window; NaN is larger than any number.
    `take(x, indices, None)` are the elements again.

    Parameters
    ----------
    x
        Tensor of shape `(n, c, *spatial)`; numbers.
    kernel
        The extent of the window along each spatial axis; one number applies to all axes.
    strides
        The step of the window along each spatial axis; one number applies to all axes, None
        means steps of 1.
    pads
        How many elements of padding, which never are the greatest, are added before each
        spatial axis, then after each; one number applies to all axes, None means none.
    dilations
        The distance between elements of the window along each spatial axis; one number applies
        to all axes, None means 1.
    ceil_mode
        Whether to include a last window that starts before the end of the padding and reaches
        beyond it.
    auto_pad
        The padding: `notset` (that of `pads`), `valid` (none), or `same_upper` or `same_lower`,
        which give `ceil(dim / stride)` places. An odd element goes to the end (`same_upper`) or
        to the beginning (`same_lower`).
    column_major
        Whether indices count the elements of a channel with the first spatial axis fastest,
        instead of the last one.

    Returns
    -------
    outputs
        Tuple of the elements and of their indices (`int64`), both of shape `(n, c, *places)`
        as `max_pool` has it. An index counts the elements of `x` in row-major order, without
        the padding; it is -1 where a window has padding only.

    Raises
    ------
    TypeError
        If `x` has rank less than 3 or another data type.
    ValueError
        If an attribute has not an element (`pads`: two) for each spatial axis or one out of
        range, `auto_pad` is unknown or given together with `pads`, or the window is greater
        than the padded tensor.
    """
    ...


@operator(kind="window", relation="custom", onnx="AveragePool@1", torch="aten.avg_pool2d.default")
def avg_pool(
    x: RelayExprNode = operand(dtype="T: float"),
    kernel: ty.Array[ty.int64_t] = ...,
    *,
    strides: ty.Optional[ty.Array[ty.int64_t]] = None,
    pads: ty.Optional[ty.Array[ty.int64_t]] = None,
    dilations: ty.Optional[ty.Array[ty.int64_t]] = None,
    ceil_mode: ty.bool = False,
    count_include_pad: ty.bool = False,
    auto_pad: ty.String = "notset",
) -> RelayExprNode:
    """
    Return the mean of each window.

    Parameters
    ----------
    x
        Tensor of shape `(n, c, *spatial)`; floating-point.
    kernel
        The extent of the window along each spatial axis; one number applies to all axes.
    strides
        The step of the window along each spatial axis; one number applies to all axes, None
        means steps of 1.
    pads
        How many zeros are added before each spatial axis, then after each; one number applies
        to all axes, None means none.
    dilations
        The distance between elements of the window along each spatial axis; one number applies
        to all axes, None means 1.
    ceil_mode
        Whether to include a last window that starts before the end of the padding and reaches
        beyond it.
    count_include_pad
        Whether the number of elements includes padding.
    auto_pad
        The padding: `notset` (that of `pads`), `valid` (none), or `same_upper` or `same_lower`,
        which give `ceil(dim / stride)` places. An odd element goes to the end (`same_upper`) or
        to the beginning (`same_lower`).

    Returns
    -------
    y
        Tensor of the data type of `x` and shape `(n, c, *places)`, where along a spatial axis
        `places = (dim + padding - dilation * (kernel - 1) - 1) // stride + 1`, rounded up with
        `ceil_mode`.

    Raises
    ------
    TypeError
        If `x` has rank less than 3 or another data type.
    ValueError
        If an attribute has not an element (`pads`: two) for each spatial axis or one out of
        range, `auto_pad` is unknown or given together with `pads`, or the window is greater
        than the padded tensor.
    """
    ...
