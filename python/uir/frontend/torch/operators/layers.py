"""Convolutions, normalizations and resizing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Array, Dim, dims, dtype_of, number, rank, size_tensor
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS", "spread"]


def spread(values: Sequence[int], count: int) -> list[int]:
    """Return a value for each axis; a single value applies to all."""
    return list(values) * count if len(values) == 1 else list(values)


def convolution(node: Node) -> RelayExpr:
    """Convolve or, if `transposed` is set, transpose a convolution."""
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
    """Normalize the last axes; only the first of the three results is known."""
    x, axis = node.tensor("input"), -len(node.get("normalized_shape"))
    scale, bias = node.optional("weight"), node.optional("bias")
    return [relay.layer_norm(x, scale, bias, axis=axis, epsilon=node.get("eps")), None, None]


def group_norm(node: Node) -> Outputs:
    """Normalize groups of channels; only the first of the three results is known."""
    x, scale, bias = node.tensor("input"), node.optional("weight"), node.optional("bias")
    y = relay.group_norm(x, node.get("group"), scale, bias, epsilon=node.get("eps"))
    return [y, None, None]


def bilinear(node: Node) -> RelayExpr:
    """Interpolate; where corners are aligned the sizes count, not the factors."""
    wanted = node.get("output_size")
    if not node.get("align_corners"):
        return resized(node, wanted, "linear", "half_pixel")
    if wanted is None:
        wanted = dims(resized(node, None, "linear", "half_pixel"))[2:]
    return resized(node, wanted, "linear", "align_corners")


def resized(node: Node, wanted: Sequence[Dim] | None, mode: str, coordinates: str) -> RelayExpr:
    """Resize the axes of images to sizes, or by the factors of the node."""
    return relay.resize(
        node.tensor("input"),
        sizes=wanted,
        scales=None if wanted is not None else [float(one) for one in node.get("scale_factors")],
        axes=list(range(2, rank(node.tensor("input")))),
        mode=mode,
        coordinate_transformation_mode=coordinates,
        nearest_mode="floor",
    )


def antialiased(mode: str) -> Converter:
    """Return the converter that interpolates with kernels as wide as a smaller result needs.

    The cubic kernel is that of Pillow.
    """

    def convert(node: Node) -> RelayExpr:
        x = node.tensor()
        if node.get("align_corners") or "float" not in dtype_of(x):
            raise Refused("antialiased corners or integers")
        given = [node.get("scales_h"), node.get("scales_w")]
        return relay.resize(
            x,
            sizes=node.get("output_size"),
            scales=None if None in given else [float(one) for one in given],
            axes=[2, 3],
            mode=mode,
            cubic_coeff_a=-0.5,
            exclude_outside=True,
            antialias=True,
        )

    return convert


def nearest(node: Node) -> RelayExpr:
    """Repeat or drop elements, at the places that PyTorch finds in floats."""
    x, factors = node.tensor("input"), node.get("scale_factors")
    whole = resized(node, node.get("output_size"), "nearest", "asymmetric")
    before, after = dims(x)[2:], dims(whole)[2:]
    axes = [
        Resized(*one) for one in zip(before, after, factors or [None] * len(before), strict=True)
    ]
    is_image, dtype = len(axes) == 2, np.float64 if dtype_of(x) == "float64" else np.float32
    if all(axis.is_repeated(is_image, dtype) for axis in axes):
        is_exact = all(one % 1 == 0 for one in factors or [])
        return whole if is_exact else resized(node, after, "nearest", "asymmetric")
    for place, axis in enumerate(axes, 2):
        x = relay.take(x, axis.places(is_image, dtype), place)
    return x


# A factor that is right for so many elements is right for all sizes of images.
MOST_REPEATED = 1 << 16


class Resized(NamedTuple):
    """An axis: its sizes, and the factor if that places its elements."""

    before: Dim
    after: Dim
    factor: float | None

    def is_repeated(self, is_image: bool, dtype: type[object]) -> bool:
        """Return whether PyTorch repeats each element as often along the axis."""
        if isinstance(self.before, int) and isinstance(self.after, int):
            if not self.before or self.after % self.before:
                return False
            often = self.after // self.before
            found = self.known_places(self.before, self.after, is_image, dtype)
            return bool((found == np.arange(self.after) // often).all())
        if self.factor is None or self.factor < 1 or self.factor % 1:
            return False
        found = float_places(MOST_REPEATED, 1 / self.factor, dtype)
        return bool((found == np.arange(MOST_REPEATED) // int(self.factor)).all())

    def known_places(self, before: int, after: int, is_image: bool, dtype: type[Any]) -> Array:
        """Return the places of the elements of a result; PyTorch takes some images exactly."""
        if is_image and after in (before, 2 * before):
            return np.arange(after) // (after // before)
        step = dtype(before) / dtype(after) if self.factor is None else 1 / self.factor
        return np.minimum(float_places(after, step, dtype), before - 1)

    def places(self, is_image: bool, dtype: type[object]) -> RelayExpr:
        """Return the places of the elements of a result, which may be computed when it runs."""
        if isinstance(self.before, int) and isinstance(self.after, int):
            return relay.const(self.known_places(self.before, self.after, is_image, dtype))
        name = np.dtype(dtype).name
        step = number(0 if self.factor is None else 1 / self.factor, name)
        if self.factor is None:
            step = relay.divide(size_tensor(self.before, name), size_tensor(self.after, name))
        counter = relay.cast(relay.arange(0, self.after, dtype="int64"), name)
        found = relay.cast(relay.floor(relay.multiply(counter, step)), "int64")
        return relay.minimum(found, size_tensor(self.before - 1))


def float_places(count: int, step: float, dtype: type[Any]) -> Array:
    """Return `floor(i * step)` of the first `count` integers in `dtype`, as int64."""
    found: Array = np.floor(np.arange(count, dtype=dtype) * dtype(step)).astype(np.int64)
    return found


CONVERTERS: dict[str, Converter] = {
    "_upsample_bicubic2d_aa.default": antialiased("cubic"),
    "_upsample_bilinear2d_aa.default": antialiased("linear"),
    "convolution.default": convolution,
    "native_group_norm.default": group_norm,
    "native_layer_norm.default": layer_norm,
    "upsample_bilinear2d.vec": bilinear,
    **{f"upsample_nearest{count}d.vec": nearest for count in (1, 2, 3)},
}
