"""Normalizations by mean and variance, and softmax."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(
    kind="broadcast",
    compute="""
        y[n, c, *s] = (x[n, c, *s] - mean[c]) * rsqrt(variance[c] + epsilon) * scale[c] +
        bias[c]
    """,
    decompose="""
        axes = range(1, rank(x) - 1);
        normalized = (x - expand_dims(mean, axes)) * rsqrt(expand_dims(variance, axes) + epsilon);
        normalized * expand_dims(scale, axes) + expand_dims(bias, axes)
        if bits(x) >= 32
        else batch_norm(x, scale, bias, mean, variance, epsilon=epsilon)
    """,
    onnx="BatchNormalization@7",
    torch="aten._native_batch_norm_legit_no_training.default",
)
def batch_norm(
    x: RelayExprNode = operand(dtype="T: float"),
    scale: RelayExprNode = operand(dtype="T"),
    bias: RelayExprNode = operand(dtype="T"),
    mean: RelayExprNode = operand(dtype="T"),
    variance: RelayExprNode = operand(dtype="T"),
    *,
    epsilon: ty.float64 = 1e-5,
) -> RelayExprNode:
    """
    Normalize channels by given means and variances.

    `(x - mean) / sqrt(variance + epsilon) * scale + bias` (Ioffe and Szegedy, 2015).

    Parameters
    ----------
    x
        Tensor of shape `(n, c, *spatial)`; floating-point.
    scale
        Factors of shape `(c,)`.
    bias
        Summands of shape `(c,)`.
    mean
        Means of shape `(c,)`.
    variance
        Variances of shape `(c,)`.
    epsilon
        The number added to the variance.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If the data types or the numbers of channels differ.
    """
    ...


@operator(
    kind="row",
    relation="custom",
    decompose="""
        axes = range(axis if axis < 0 else axis - rank(x), 0);
        centered = x - mean(x, axes, keepdims=True);
        normalized = centered * rsqrt(mean(centered * centered, axes, keepdims=True) + epsilon);
        normalized * (scale if is_given(scale) else 1) + (bias if is_given(bias) else -0.0)
        if bits(x) >= 32
        else layer_norm(x, scale, bias, axis=axis, epsilon=epsilon)
    """,
    onnx="LayerNormalization@17",
    torch="aten.layer_norm.default",
)
def layer_norm(
    x: RelayExprNode = operand(dtype="T: float"),
    scale: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    bias: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    *,
    axis: ty.int64_t = -1,
    epsilon: ty.float64 = 1e-5,
) -> RelayExprNode:
    """
    Normalize by the mean and the variance of the last axes.

    `(x - mean) / sqrt(variance + epsilon) * scale + bias` (Ba et al., 2016).

    Parameters
    ----------
    x
        Tensor of shape `(*a, *b)`, where `*b` begins at `axis`; floating-point.
    scale
        Factors whose shape broadcasts to `(*b)`.
    bias
        Summands whose shape broadcasts to `(*b)`.
    axis
        The first of the axes over which mean and variance are taken, from `-rank` to `rank
        - 1`.
    epsilon
        The number added to the variance.

    Returns
    -------
    y
        Tensor of shape `(*a, *b)` and the data type of `x`.

    Raises
    ------
    TypeError
        If the data types differ, or a shape does not broadcast.
    ValueError
        If `axis` is out of range.
    """
    ...


@operator(
    kind="row",
    relation="custom",
    decompose="""
        axes = range(axis if axis < 0 else axis - rank(x), 0);
        average = mean(x, axes, keepdims=True);
        centered = x - average;
        factor = rsqrt(mean(centered * centered, axes, keepdims=True) + epsilon);
        scaled = centered * factor * (scale if is_given(scale) else 1);
        (scaled + (bias if is_given(bias) else -0.0), average, factor)
        if bits(x) >= 32
        else layer_norm_with_statistics(x, scale, bias, axis=axis, epsilon=epsilon)
    """,
    onnx="LayerNormalization@17",
    torch="aten.native_layer_norm.default",
)
def layer_norm_with_statistics(
    x: RelayExprNode = operand(dtype="T: float"),
    scale: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    bias: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    *,
    axis: ty.int64_t = -1,
    epsilon: ty.float64 = 1e-5,
) -> RelayExprNode:
    """
    Normalize as `layer_norm` does, and return the means and the factors too.

    A factor is `1 / sqrt(variance + epsilon)` (Ba et al., 2016).

    Parameters
    ----------
    x
        Tensor of shape `(*a, *b)`, where `*b` begins at `axis`; floating-point.
    scale
        Factors whose shape broadcasts to `(*b)`.
    bias
        Summands whose shape broadcasts to `(*b)`.
    axis
        The first of the axes over which mean and variance are taken, from `-rank` to `rank
        - 1`.
    epsilon
        The number added to the variance.

    Returns
    -------
    outputs
        Tuple of the normalized tensor of shape `(*a, *b)`, the means and the factors, both of
        shape `(*a, 1, ...)` with a 1 for each of `*b`; all of the data type of `x`.

    Raises
    ------
    TypeError
        If the data types differ, or a shape does not broadcast.
    ValueError
        If `axis` is out of range.
    """
    ...


@operator(
    kind="row",
    relation="custom",
    decompose="""
        axes = range(axis if axis < 0 else axis - rank(x), 0);
        normalized = x * rsqrt(mean(x * x, axes, keepdims=True) + epsilon);
        normalized * (scale if is_given(scale) else 1)
        if bits(x) >= 32
        else rms_norm(x, scale, axis=axis, epsilon=epsilon)
    """,
    onnx="RMSNormalization@23",
    torch="aten.rms_norm.default",
)
def rms_norm(
    x: RelayExprNode = operand(dtype="T: float"),
    scale: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    *,
    axis: ty.int64_t = -1,
    epsilon: ty.float64 = 1e-5,
) -> RelayExprNode:
    """
    Divide by the root of the mean square of the last axes.

    `x / sqrt(mean(x * x) + epsilon) * scale` (Zhang and Sennrich, 2019).

    Parameters
    ----------
    x
        Tensor of shape `(*a, *b)`, where `*b` begins at `axis`; floating-point.
    scale
        Factors whose shape broadcasts to `(*b)`.
    axis
        The first of the axes over which the mean is taken, from `-rank` to `rank - 1`.
    epsilon
        The number added to the mean square.

    Returns
    -------
    y
        Tensor of shape `(*a, *b)` and the data type of `x`.

    Raises
    ------
    TypeError
        If the data types differ, or the shape of `scale` does not broadcast.
    ValueError
        If `axis` is out of range.
    """
    ...


@operator(
    kind="reduction",
    relation="(n, c, *s), (c)?, (c)? -> (n, c, *s)",
    require="groups >= 1 and c % groups == 0",
    decompose="""
        channels = size(x, (1,));
        parts = (0, groups, channels // groups, -1) if is_given(channels) else (0, groups, -1);
        grouped = reshape(cast(x, wide(x)), parts);
        axes = (2, 3) if is_given(channels) else (2,);
        rounded = grouped - mean(grouped, axes, keepdims=True);
        centered = rounded - mean(rounded, axes, keepdims=True);
        normalized = centered * rsqrt(mean(centered * centered, axes, keepdims=True) + epsilon);
        each = (groups, -1, 1);
        behind = range(1, rank(x) - 1);
        has_no_batch = is_given(size(x, (0,))) and size(x, (0,)) == 0;
        has_no_channel = is_given(channels) and channels == 0;
        x if has_no_batch or has_no_channel else
        cast(
            reshape(
                normalized * (reshape(cast(scale, wide(x)), each) if is_given(scale) else 1)
                + (reshape(cast(bias, wide(x)), each) if is_given(bias) else -0.0),
                shape(x),
                allowzero=True,
            )
            if is_given(channels)
            else reshape(normalized, shape(x), allowzero=True)
            * (expand_dims(cast(scale, wide(x)), behind) if is_given(scale) else 1)
            + (expand_dims(cast(bias, wide(x)), behind) if is_given(bias) else -0.0),
            dtype(x),
        )
    """,
    onnx="GroupNormalization@21",
    torch="aten.native_group_norm.default",
)
def group_norm(
    x: RelayExprNode = operand(dtype="T: float"),
    groups: ty.int64_t = ...,
    scale: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    bias: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    *,
    epsilon: ty.float64 = 1e-5,
) -> RelayExprNode:
    """
    Normalize groups of channels by their means and variances.

    `(x - mean) / sqrt(variance + epsilon) * scale + bias` (Wu and He, 2018). The rounding error
    of the mean is subtracted too, so no precision is lost if the mean is large compared with
    the deviations.

    Parameters
    ----------
    x
        Tensor of shape `(n, c, *spatial)`; floating-point.
    groups
        The number of groups: 1 normalizes all channels together, `c` each one by itself.
    scale
        Factors of shape `(c,)`.
    bias
        Summands of shape `(c,)`.
    epsilon
        The number added to the variance.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If the data types or the numbers of channels differ.
    ValueError
        If the channels do not divide into the groups.
    """
    ...


@operator(
    kind="row",
    relation="(*s) -> (*s)",
    require="axis >= -max(len(s), 1) and axis < max(len(s), 1)",
    decompose="""
        axes = range(axis, axis + 1) if rank(x) > 0 else range(0, 0);
        powers = exp(x - max(x, axes, keepdims=True));
        powers / sum(powers, axes, keepdims=True)
    """,
    onnx="Softmax@13",
    torch="aten._softmax.default",
)
def softmax(x: RelayExprNode = operand(dtype="T: float"), axis: ty.int64_t = -1) -> RelayExprNode:
    """
    Return the softmax along one axis.

    `exp(x) / sum(exp(x))`, computed from `x - max(x)` so that powers do not overflow.

    Parameters
    ----------
    x
        Tensor of any rank; floating-point.
    axis
        The axis whose elements sum to 1, from `-rank` to `rank - 1`. A scalar is a row of
        one element, whose axis is 0 or -1.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of floating-point elements.
    ValueError
        If `axis` is out of range.
    """
    ...


@operator(
    kind="row",
    relation="(*s) -> (*s)",
    require="axis >= -max(len(s), 1) and axis < max(len(s), 1)",
    decompose="""
        axes = range(axis, axis + 1) if rank(x) > 0 else range(0, 0);
        shifted = x - max(x, axes, keepdims=True);
        shifted - log(sum(exp(shifted), axes, keepdims=True))
    """,
    onnx="LogSoftmax@13",
    torch="aten._log_softmax.default",
)
def log_softmax(
    x: RelayExprNode = operand(dtype="T: float"),
    axis: ty.int64_t = -1,
) -> RelayExprNode:
    """
    Return the logarithm of the softmax along one axis.

    `x - log(sum(exp(x)))`, computed from `x - max(x)` so that powers do not overflow.

    Parameters
    ----------
    x
        Tensor of any rank; floating-point.
    axis
        The axis whose exponentials sum to 1, from `-rank` to `rank - 1`. A scalar is a row of
        one element, whose axis is 0 or -1.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of floating-point elements.
    ValueError
        If `axis` is out of range.
    """
    ...
