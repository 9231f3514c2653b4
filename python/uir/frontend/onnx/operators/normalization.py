"""Normalizations and softmax."""

from __future__ import annotations

from collections.abc import Callable

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused, SymbolicSizes
from ...tensors import (
    dims,
    dims_of_rank,
    dtype_of,
    in_type,
    product,
    rank,
    scalar,
    sizes,
    symbols_of,
    widened,
)
from ..node import Converter, Node, Outputs
from ..scalars import of_any_rank

__all__ = ["CONVERTERS", "layer_norm", "of_rows", "rms_norm"]

EPSILON = 1e-5


def batch_norm(node: Node) -> Outputs:
    """Normalize channels; in training, also return the running means and variances."""
    operands = [node.input(place) for place in range(5)]
    epsilon = node.attribute("epsilon", EPSILON)
    if not node.flag("training_mode"):
        if node.has_output(1):
            raise Refused("statistics as outputs without training_mode")
        return relay.batch_norm(*operands, epsilon=epsilon)
    momentum = node.attribute("momentum", 0.9)
    all_three = relay.batch_norm_training(*operands, epsilon=epsilon, momentum=momentum)
    return list(node.bind(all_three))


def layer_norm(node: Node) -> Outputs:
    """Normalize the axes from `axis` on; further outputs are means and inverse deviations."""
    operands = node.input(0), node.input(1), node.optional(2)
    axis, epsilon = node.attribute("axis", -1), node.attribute("epsilon", EPSILON)
    if not node.has_output(1) and not node.has_output(2):
        return relay.layer_norm(*operands, axis=axis, epsilon=epsilon)
    both = relay.layer_norm_with_statistics(*operands, axis=axis, epsilon=epsilon)
    return list(node.bind(both))


def group_norm(node: Node) -> RelayExpr:
    """Normalize groups of channels; before version 21 scale and bias are per group."""
    x, scale, bias = (node.input(place) for place in range(3))
    groups = node.attribute("num_groups") or sizes(x, "the channels")[1]
    if node.operator == "GroupNormalization" and node.opset < 21:
        scale, bias = per_channel(x, scale), per_channel(x, bias)
    return relay.group_norm(x, groups, scale, bias, epsilon=node.attribute("epsilon", EPSILON))


def per_channel(x: RelayExpr, factors: RelayExpr) -> RelayExpr:
    """Return factors of groups, as versions before 21 have them, as those of channels."""
    channels, groups = dims(x)[1], dims(factors)[0]
    repeated = relay.broadcast_to(relay.expand_dims(factors, [1]), [groups, channels // groups])
    return relay.reshape(repeated, [channels])


def instance_norm(node: Node) -> RelayExpr:
    """Normalize each channel of each element of the batch."""
    x, scale, bias = (node.input(place) for place in range(3))
    (channels,) = dims_of_rank(scale, 1)
    if not isinstance(channels, int):
        raise SymbolicSizes("the number of channels", symbols_of([channels]))
    return relay.group_norm(x, channels, scale, bias, epsilon=node.attribute("epsilon", EPSILON))


def rms_norm(node: Node) -> RelayExpr:
    """Divide by the root of the mean square over the axes from `axis` on."""
    axis, epsilon = node.attribute("axis", -1), node.attribute("epsilon", EPSILON)
    return relay.rms_norm(node.input(0), node.input(1), axis=axis, epsilon=epsilon)


def lp_normalization(node: Node) -> RelayExpr:
    """Divide by the norm `p` along an axis; a vector of norm 0 stays 0."""
    x, axis = widened(node.input(0)), [node.attribute("axis", -1)]
    if node.attribute("p", 2) == 1:
        length = relay.sum(relay.abs(x), axis, keepdims=True)
    else:
        length = relay.sqrt(relay.sum(relay.multiply(x, x), axis, keepdims=True))
    zero = relay.equal(length, scalar(0, x))
    y = relay.divide(x, relay.where(zero, scalar(1, x), length))
    return in_type(y, dtype_of(node.input(0)))


def mean_variance_normalization(node: Node) -> RelayExpr:
    """Subtract the mean and divide by the deviation over the axes."""
    x, axes = widened(node.input(0)), list(node.attribute("axes", [0, 2, 3]))
    rounded = node.bind(relay.subtract(x, relay.mean(x, axes, keepdims=True)))
    # The rounding error of a mean counts where the mean is large beside the deviations.
    centered = node.bind(relay.subtract(rounded, relay.mean(rounded, axes, keepdims=True)))
    variance = relay.mean(relay.multiply(centered, centered), axes, keepdims=True)
    y = relay.divide(centered, relay.add(relay.sqrt(variance), scalar(1e-9, x)))
    return in_type(y, dtype_of(node.input(0)))


def softmax(node: Node) -> RelayExpr:
    """Return softmax or its logarithm; before version 13 over all axes from `axis` on."""
    x = node.input(0)
    function = relay.softmax if node.operator == "Softmax" else relay.log_softmax
    if node.opset >= 13:
        return function(x, node.attribute("axis", -1))
    return of_rows(function, x, node.attribute("axis", 1))


def of_rows(function: Callable[[RelayExpr], RelayExpr], x: RelayExpr, axis: int) -> RelayExpr:
    """Return a function over an axis and all that follow it, as versions before 13 normalize."""
    shape, axis = dims(x), axis % rank(x)
    rows = relay.reshape(x, [product(shape[:axis]), product(shape[axis:])], allowzero=True)
    return relay.reshape(function(rows), shape, allowzero=True)


CONVERTERS: dict[str, Converter] = {
    "BatchNormalization": batch_norm,
    "GroupNormalization": group_norm,
    "InstanceNormalization": instance_norm,
    "LayerNormalization": of_any_rank(layer_norm),
    "LogSoftmax": of_any_rank(softmax),
    "LpNormalization": of_any_rank(lp_normalization),
    "MeanVarianceNormalization": mean_variance_normalization,
    "RMSNormalization": of_any_rank(rms_norm),
    "Softmax": of_any_rank(softmax),
}
