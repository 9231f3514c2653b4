"""Convolutions over any number of spatial axes."""

from schema.ir.expr import PrimExprNode, RelayExprNode
from tschema import operand, operator, ty


@operator(
    kind="contraction",
    relation="custom",
    decompose="""
        y = conv(
            data, weight, strides=strides, pads=pads, dilations=dilations, groups=groups,
            auto_pad=auto_pad
        );
        y + expand_dims(bias, range(1, rank(data) - 1)) if is_given(bias) else y
    """,
    onnx="Conv@1",
    torch="aten.convolution.default",
)
def conv(
    data: RelayExprNode = operand(dtype="T: number"),
    weight: RelayExprNode = operand(dtype="T"),
    bias: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    *,
    strides: ty.Optional[ty.Array[ty.int64_t]] = None,
    pads: ty.Optional[ty.Array[ty.int64_t]] = None,
    dilations: ty.Optional[ty.Array[ty.int64_t]] = None,
    groups: ty.int64_t = 1,
    auto_pad: ty.String = "notset",
) -> RelayExprNode:
    """
    Convolve images, or signals of any number of spatial axes, with kernels.

    The cross-correlation that neural networks call convolution:
    `y[n, o, p] = bias[o] + sum(weight[o, c, k] * data[n, c, p * strides + k * dilations -
    pads])` over the channels of the group and the places of the kernel. Integers wrap around;
    float16 is summed in float32.

    Parameters
    ----------
    data
        Data of shape `(n, c, *spatial)`; numbers.
    weight
        Kernels of shape `(o, c / groups, *kernel)`.
    bias
        The summands of the output channels, of shape `(o,)`.
    strides
        The step of the window along each spatial axis; one number applies to all axes, None
        means steps of 1.
    pads
        How many elements of padding are added before each spatial axis, then after each;
        one number applies to all axes, None means none.
    dilations
        The distance between elements of the window along each spatial axis; one number applies
        to all axes, None means 1.
    groups
        The number of groups of channels that are convolved apart.
    auto_pad
        The padding: `notset` (that of `pads`), `valid` (none), or `same_upper` or `same_lower`,
        which give `ceil(dim / stride)` places. An odd element goes to the end (`same_upper`) or
        to the beginning (`same_lower`).

    Returns
    -------
    y
        Tensor of shape `(n, o, *places)` and the data type of `data`; along a spatial axis
        `places = (dim + padding - dilation * (kernel - 1) - 1) // stride + 1`.

    Raises
    ------
    TypeError
        If data types, ranks or the numbers of channels do not fit.
    ValueError
        If channels do not divide into groups, or an attribute has not an element (`pads`:
        two) for each spatial axis or one out of range, or `auto_pad` is unknown or given
        together with `pads`, or the window is greater than the padded data.
    """
    ...


@operator(
    kind="contraction",
    relation="custom",
    result="int32",
)
def integer_conv(
    data: RelayExprNode = operand(dtype="A: int"),
    rows: RelayExprNode = operand(dtype="B: int"),
    *,
    kernel: ty.Array[ty.int64_t],
    strides: ty.Optional[ty.Array[ty.int64_t]] = None,
    dilations: ty.Optional[ty.Array[ty.int64_t]] = None,
    groups: ty.int64_t = 1,
) -> RelayExprNode:
    """
    Convolve images of integers with kernels of integers, and add the products up as int32.

    `y[n, o, p] = sum(rows[o, t] * data[n, c, p * strides + k * dilations])` over the terms `t` of
    the window. They count the places `k` of the kernel, and fastest the channels `c` of the group.
    Elements are converted to int32 before they are multiplied, and sums wrap around. For uint8 and
    int8, a machine with instructions for four products at once uses them, if a row of the window
    has a multiple of four terms. `relay.pad` adds padding.

    Parameters
    ----------
    data
        Data of shape `(n, c, *spatial)`; integers.
    rows
        Kernels of shape `(o, t)`, where `t` is the number of places of the kernel times `c /
        groups`; integers, perhaps of another data type.
    kernel
        The extent of the window along each spatial axis.
    strides
        The step of the window along each spatial axis; one number applies to all axes, None
        means steps of 1.
    dilations
        The distance between elements of the window along each spatial axis; one number applies
        to all axes, None means 1.
    groups
        The number of groups of channels that are convolved apart.

    Returns
    -------
    y
        Tensor of shape `(n, o, *places)` and the data type int32; along a spatial axis `places =
        (dim - dilation * (kernel - 1) - 1) // stride + 1`.

    Raises
    ------
    TypeError
        If an operand has no integers, or ranks, or the numbers of channels or terms do not fit.
    ValueError
        If channels do not divide into groups, or an attribute has not an element for each spatial
        axis or one out of range, or the window is greater than the data.
    """
    ...


@operator(
    kind="contraction",
    relation="custom",
    decompose="""
        y = conv_transpose(
            data, weight, strides=strides, pads=pads, dilations=dilations,
            output_padding=output_padding, output_shape=output_shape, groups=groups,
            auto_pad=auto_pad
        );
        y + expand_dims(bias, range(1, rank(data) - 1)) if is_given(bias) else y
    """,
    onnx="ConvTranspose@1",
    torch="aten.convolution.default",
)
def conv_transpose(
    data: RelayExprNode = operand(dtype="T: number"),
    weight: RelayExprNode = operand(dtype="T"),
    bias: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    *,
    strides: ty.Optional[ty.Array[ty.int64_t]] = None,
    pads: ty.Optional[ty.Array[ty.int64_t]] = None,
    dilations: ty.Optional[ty.Array[ty.int64_t]] = None,
    output_padding: ty.Optional[ty.Array[ty.int64_t]] = None,
    output_shape: ty.Optional[ty.Array[ty.Union[ty.int64_t, PrimExprNode]]] = None,
    groups: ty.int64_t = 1,
    auto_pad: ty.String = "notset",
) -> RelayExprNode:
    """
    Compute the gradient of a convolution by its data.

    Also called deconvolution (Zeiler et al., 2010). Integers wrap around; float16 is summed in
    float32.

    Parameters
    ----------
    data
        Data of shape `(n, c, *spatial)`; numbers.
    weight
        Kernels of shape `(c, o / groups, *kernel)`.
    bias
        The summands of the output channels, of shape `(o,)`.
    strides
        The step of the window along each spatial axis; one number applies to all axes, None
        means steps of 1.
    pads
        How many elements are cut off before each spatial axis, then after each; one number
        applies to all axes, None means none.
    dilations
        The distance between elements of the window along each spatial axis; one number applies
        to all axes, None means 1.
    output_padding
        How many elements are added after each spatial axis; None for none.
    output_shape
        The spatial dimensions of the result, in place of `pads`: what exceeds them is cut off
        half before and half after, of an odd number one more before, but after for
        `same_upper`; what lacks is added after. None for what `pads` leave.
    groups
        The number of groups of channels that are convolved apart.
    auto_pad
        The padding: `notset` (that of `pads`), `valid` (none), or `same_upper` or `same_lower`,
        which make dimensions those of `data` times the strides. An odd element goes to the end
        (`same_upper`) or to the beginning (`same_lower`).

    Returns
    -------
    y
        Tensor of shape `(n, o, *places)` and the data type of `data`; along a spatial axis
        `places = (dim - 1) * stride + dilation * (kernel - 1) + 1 + output_padding - padding`.

    Raises
    ------
    TypeError
        If data types, ranks or the numbers of channels do not fit.
    ValueError
        If channels do not divide into groups, or an attribute has not an element (`pads`:
        two) for each spatial axis or one out of range, or `auto_pad` is unknown or given
        together with `pads`, `output_shape` is given together with `pads`, or `pads` remove
        more elements than exist.
    """
    ...
