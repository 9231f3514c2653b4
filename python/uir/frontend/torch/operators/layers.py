"""Convolutions, poolings, normalizations and resizing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import rank, sizes
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS"]


def spread(values: Sequence[int], count: int) -> list[int]:
    """Return a value for each axis; one stands for all."""
    return list(values) * count if len(values) == 1 else list(values)


def convolution(node: Node) -> RelayExpr:
    data, weight, bias = node.tensor("input"), node.tensor("weight"), node.optional("bias")
    count = rank(weight) - 2
    padding = spread(node.get("padding"), count)
    options: dict[str, Any] = {
        "strides": spread(node.get("stride"), count),
        "dilations": spread(node.get("dilation"), count),
        "pads": [*padding, *padding],
        "groups": node.get("groups"),
    }
    if not node.get("transposed"):
        return relay.conv(data, weight, bias, **options)
    extra = spread(node.get("output_padding"), count)
    return relay.conv_transpose(data, weight, bias, output_padding=extra, **options)


def window(node: Node) -> dict[str, Any]:
    """Return the window of a pooling; without strides, windows lie side by side."""
    kernel = spread(node.get("kernel_size"), rank(node.tensor()) - 2)
    padding = spread(node.get("padding"), len(kernel))
    return {
        "kernel": kernel,
        "strides": spread(node.get("stride") or kernel, len(kernel)),
        "pads": [*padding, *padding],
        "ceil_mode": bool(node.get("ceil_mode")),
    }


def max_pool(node: Node) -> Outputs:
    x, options = node.tensor(), window(node)
    dilations = spread(node.get("dilation"), len(options["kernel"]))
    both = node.bind(relay.max_pool_with_indices(x, dilations=dilations, **options))
    return [both[0], both[1]]


def avg_pool(node: Node) -> RelayExpr:
    if node.get("divisor_override") is not None:
        raise Refused("divisor_override")
    counts = bool(node.get("count_include_pad"))
    return relay.avg_pool(node.tensor(), count_include_pad=counts, **window(node))


def adaptive_avg_pool(node: Node) -> RelayExpr:
    """Average windows that divide the image evenly."""
    x, wanted = node.tensor(), node.get("output_size")
    if all(size == 1 for size in wanted):
        return relay.mean(x, list(range(rank(x) - len(wanted), rank(x))), keepdims=True)
    image = sizes(x, "adaptive pooling")[-len(wanted) :]
    if any(size % one for size, one in zip(image, wanted, strict=True)):
        raise Refused(f"adaptive pooling of {image} to {list(wanted)}")
    kernel = [size // one for size, one in zip(image, wanted, strict=True)]
    return relay.avg_pool(x, kernel, strides=kernel)


def batch_norm(node: Node) -> Outputs:
    x = node.tensor("input")
    operands = [node.optional(name) for name in ("weight", "bias", "running_mean", "running_var")]
    if any(one is None for one in operands):
        raise Refused("a batch norm without factors")
    given = [one for one in operands if one is not None]
    return [relay.batch_norm(x, *given, epsilon=node.get("eps")), None, None]


def layer_norm(node: Node) -> Outputs:
    x, axis = node.tensor("input"), -len(node.get("normalized_shape"))
    scale, bias = node.optional("weight"), node.optional("bias")
    return [relay.layer_norm(x, scale, bias, axis=axis, epsilon=node.get("eps")), None, None]


def group_norm(node: Node) -> Outputs:
    x, scale, bias = node.tensor("input"), node.optional("weight"), node.optional("bias")
    y = relay.group_norm(x, node.get("group"), scale, bias, epsilon=node.get("eps"))
    return [y, None, None]


def upsample(mode: str) -> Converter:
    """Return the converter of a resizing of images."""

    def convert(node: Node) -> RelayExpr:
        x, wanted = node.tensor("input"), node.get("output_size")
        factors = node.get("scale_factors")
        axes = list(range(2, rank(x)))
        corners = "align_corners" if node.get("align_corners") else "half_pixel"
        return relay.resize(
            x,
            sizes=wanted,
            scales=None if wanted is not None else [float(one) for one in factors],
            axes=axes,
            mode=mode,
            coordinate_transformation_mode="asymmetric" if mode == "nearest" else corners,
            nearest_mode="floor",
        )

    return convert


CONVERTERS: dict[str, Converter] = {
    "_adaptive_avg_pool2d.default": adaptive_avg_pool,
    "_native_batch_norm_legit_no_training.default": batch_norm,
    "adaptive_avg_pool1d.default": adaptive_avg_pool,
    "avg_pool1d.default": avg_pool,
    "avg_pool2d.default": avg_pool,
    "avg_pool3d.default": avg_pool,
    "convolution.default": convolution,
    "max_pool2d_with_indices.default": max_pool,
    "max_pool3d_with_indices.default": max_pool,
    "native_group_norm.default": group_norm,
    "native_layer_norm.default": layer_norm,
    "upsample_bilinear2d.vec": upsample("linear"),
    "upsample_nearest2d.vec": upsample("nearest"),
}
