"""Normalizations that take statistics of the batch, as training does."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(
    kind="opaque",
    relation="(n, c, *s), (c), (c), (c), (c) -> (n, c, *s), (c), (c)",
    decompose="""
        axes = range(1, rank(x) - 1);
        average = mean(mean(x, (0,)), axes);
        rounded = x - expand_dims(average, axes);
        centered = rounded - expand_dims(mean(mean(rounded, (0,)), axes), axes);
        spread = mean(mean(centered * centered, (0,)), axes);
        normalized = centered * expand_dims(rsqrt(spread + epsilon) * scale, axes);
        (
            normalized + expand_dims(bias, axes),
            mean * momentum + average * (1 - momentum),
            variance * momentum + spread * (1 - momentum),
        )
        if bits(x) >= 32
        else batch_norm_training(
            x, scale, bias, mean, variance, epsilon=epsilon, momentum=momentum
        )
    """,
    onnx="BatchNormalization@15",
    torch="aten._native_batch_norm_legit.default",
)
def batch_norm_training(
    x: RelayExprNode = operand(dtype="T: float"),
    scale: RelayExprNode = operand(dtype="T"),
    bias: RelayExprNode = operand(dtype="T"),
    mean: RelayExprNode = operand(dtype="T"),
    variance: RelayExprNode = operand(dtype="T"),
    *,
    epsilon: ty.float64 = 1e-5,
    momentum: ty.float64 = 0.9,
) -> RelayExprNode:
    """
    Normalize channels by the means and variances of the batch, and return running ones.

    `(x - mean(x)) / sqrt(variance(x) + epsilon) * scale + bias` (Ioffe and Szegedy, 2015). The
    variance of a channel is the mean of squared differences from its mean.

    Parameters
    ----------
    x
        Tensor of shape `(n, c, *spatial)`; floating-point.
    scale
        Factors of shape `(c,)`.
    bias
        Summands of shape `(c,)`.
    mean
        Running means of shape `(c,)`.
    variance
        Running variances of shape `(c,)`.
    epsilon
        The number added to the variance.
    momentum
        The weight of the running statistics beside those of the batch: the new ones are
        `mean * momentum + mean(x) * (1 - momentum)`, and so for the variance.

    Returns
    -------
    outputs
        Tuple of the normalized tensor, of the shape of `x`, and of the new running means and
        variances of shape `(c,)`; all of the data type of `x`.

    Raises
    ------
    TypeError
        If the data types or the numbers of channels differ.
    """
    ...
