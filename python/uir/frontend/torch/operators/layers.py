"""Convolutions, normalizations and resizing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from uir_nodes.ir import RelayExpr

from .... import relay
from ...tensors import rank
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS", "spread"]


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
    "convolution.default": convolution,
    "native_group_norm.default": group_norm,
    "native_layer_norm.default": layer_norm,
    "upsample_bilinear2d.vec": upsample("linear"),
    "upsample_nearest2d.vec": upsample("nearest"),
}
