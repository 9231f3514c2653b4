"""ONNX's convolutions, poolings and normalizations."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from uir.relay import reference as relay

from .node import Array, Node, Refused, Run, scalar


def window(node: Node, kernel: Sequence[int]) -> dict[str, Any]:
    """Return strides, dilations and padding."""
    rank = len(kernel)
    auto_pad = node.attribute("auto_pad", "NOTSET").lower()
    pads = node.attribute("pads", None) if auto_pad == "notset" else None
    return {
        "strides": list(node.attribute("strides", [1] * rank)),
        "dilations": list(node.attribute("dilations", [1] * rank)),
        "pads": None if pads is None else list(pads),
        "auto_pad": auto_pad,
    }


def conv(node: Node) -> Array:
    data, weight = node.input(0), node.input(1)
    options = window(node, weight.shape[2:])
    groups = node.attribute("group", 1)
    return relay.conv(data, weight, node.optional(2), groups=groups, **options)


def conv_transpose(node: Node) -> Array:
    data, weight = node.input(0), node.input(1)
    options = window(node, weight.shape[2:])
    shape = node.attribute("output_shape")
    if shape is not None:
        options["pads"] = None
    return relay.conv_transpose(
        data,
        weight,
        node.optional(2),
        output_padding=list(node.attribute("output_padding", [0] * (data.ndim - 2))),
        output_shape=None if shape is None else list(shape),
        groups=node.attribute("group", 1),
        **options,
    )


def max_pool(node: Node) -> Array | list[Array]:
    x, kernel = node.input(0), list(node.attribute("kernel_shape"))
    options = window(node, kernel)
    ceil_mode = bool(node.attribute("ceil_mode", 0))
    if not node.has_output(1):
        return relay.max_pool(x, kernel=kernel, ceil_mode=ceil_mode, **options)
    options["column_major"] = bool(node.attribute("storage_order", 0))
    return list(relay.max_pool_with_indices(x, kernel=kernel, ceil_mode=ceil_mode, **options))


def avg_pool(node: Node) -> Array:
    x, kernel = node.input(0), list(node.attribute("kernel_shape"))
    return relay.avg_pool(
        x,
        kernel=kernel,
        ceil_mode=bool(node.attribute("ceil_mode", 0)),
        count_include_pad=bool(node.attribute("count_include_pad", 0)),
        **window(node, kernel),
    )


def lp_pool(node: Node) -> Array:
    """Take the root of the sum of powers, which is the mean times the size of the window."""
    x, kernel, p = node.input(0), list(node.attribute("kernel_shape")), node.attribute("p", 2)
    powers = relay.power(relay.abs(x), scalar(p, x))
    means = relay.avg_pool(
        powers,
        kernel=kernel,
        ceil_mode=bool(node.attribute("ceil_mode", 0)),
        count_include_pad=True,
        **window(node, kernel),
    )
    return relay.power(relay.multiply(means, scalar(prod(kernel), x)), scalar(1 / p, x))


def global_pool(node: Node) -> Array:
    x = node.input(0)
    pool = relay.max if node.proto.op_type == "GlobalMaxPool" else relay.mean
    return pool(x, list(range(2, x.ndim)), keepdims=True)


def batch_norm(node: Node) -> Array | list[Array]:
    operands = [node.input(place) for place in range(5)]
    epsilon = node.attribute("epsilon", 1e-5)
    if not node.attribute("training_mode", 0):
        return relay.batch_norm(*operands, epsilon=epsilon)
    momentum = node.attribute("momentum", 0.9)
    return list(relay.batch_norm_training(*operands, epsilon=epsilon, momentum=momentum))


def layer_norm(node: Node) -> list[Array]:
    axis, epsilon = node.attribute("axis", -1), node.attribute("epsilon", 1e-5)
    return list(
        relay.layer_norm_with_statistics(
            node.input(0), node.input(1), node.optional(2), axis=axis, epsilon=epsilon
        )
    )


def group_norm(node: Node) -> Array:
    x, scale, bias = (node.input(place) for place in range(3))
    groups = node.attribute("num_groups", x.shape[1])
    return relay.group_norm(x, groups, scale, bias, epsilon=node.attribute("epsilon", 1e-5))


def rms_norm(node: Node) -> Array:
    return relay.rms_norm(
        node.input(0),
        node.input(1),
        axis=node.attribute("axis", -1),
        epsilon=node.attribute("epsilon", 1e-5),
    )


def lp_normalization(node: Node) -> Array:
    x, axis = node.input(0), [node.attribute("axis", -1)]
    if node.attribute("p", 2) == 1:
        length = relay.sum(relay.abs(x), axis, keepdims=True)
    else:
        length = relay.sqrt(relay.sum(relay.multiply(x, x), axis, keepdims=True))
    zero = relay.equal(length, scalar(0, x))
    return relay.divide(x, relay.where(zero, scalar(1, x), length))


def local_response_norm(node: Node) -> Array:
    """Average squares over neighboring channels: a pooling along the channels."""
    x, size = node.input(0), node.attribute("size")
    n, c = x.shape[:2]
    squares = relay.reshape(relay.multiply(x, x), shape=[n, 1, c, -1])
    pads = [(size - 1) // 2, 0, size // 2, 0]
    means = relay.avg_pool(squares, kernel=[size, 1], pads=pads, count_include_pad=True)
    alpha = scalar(node.attribute("alpha", 1e-4), x)
    scaled = relay.multiply(relay.reshape(means, shape=x.shape), alpha)
    total = relay.add(scaled, scalar(node.attribute("bias", 1.0), x))
    return relay.divide(x, relay.power(total, scalar(node.attribute("beta", 0.75), x)))


def softmax(node: Node) -> Array:
    if node.opset < 13:
        raise Refused("softmax over several axes")
    function = relay.softmax if node.proto.op_type == "Softmax" else relay.log_softmax
    return function(node.input(0), node.attribute("axis", -1))


NODES: dict[str, Run] = {
    "AveragePool": avg_pool,
    "BatchNormalization": batch_norm,
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "GlobalAveragePool": global_pool,
    "GlobalMaxPool": global_pool,
    "GroupNormalization": group_norm,
    "InstanceNormalization": group_norm,
    "LRN": local_response_norm,
    "LayerNormalization": layer_norm,
    "LogSoftmax": softmax,
    "LpNormalization": lp_normalization,
    "LpPool": lp_pool,
    "MaxPool": max_pool,
    "RMSNormalization": rms_norm,
    "Softmax": softmax,
}
