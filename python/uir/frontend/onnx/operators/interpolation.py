"""Resizing of images."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Dim, rank, sizes
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def resize(node: Node) -> RelayExpr:
    """Resize axes to sizes or by factors; versions before 11 have another operator."""
    if node.opset < 11:
        return upsample(node)
    x = node.input(0)
    axes = [axis % rank(x) for axis in node.attribute("axes", range(rank(x)))]
    factors, wanted = node.numbers(2), node.dimensions(3) or None
    policy = node.attribute("keep_aspect_ratio_policy", "stretch")
    if wanted is not None and policy != "stretch":
        factors, wanted = fitted(
            node, [sizes(x, "keep_aspect_ratio_policy")[axis] for axis in axes], policy
        )
    return relay.resize(
        x,
        sizes=wanted,
        scales=factors,
        axes=axes,
        roi=node.numbers(1),
        mode=node.attribute("mode", "nearest"),
        coordinate_transformation_mode=node.attribute(
            "coordinate_transformation_mode", "half_pixel"
        ),
        nearest_mode=node.attribute("nearest_mode", "round_prefer_floor"),
        cubic_coeff_a=node.attribute("cubic_coeff_a", -0.75),
        exclude_outside=node.flag("exclude_outside"),
        antialias=node.flag("antialias"),
        extrapolation_value=node.attribute("extrapolation_value", 0.0),
    )


def fitted(node: Node, shape: Sequence[int], policy: str) -> tuple[list[float], list[Dim]]:
    """Return one factor for all axes, and the sizes that follow from it."""
    wanted = node.integers(3)
    assert wanted is not None
    if len(wanted) != len(shape):
        raise Refused(f"{len(wanted)} sizes of {len(shape)} axes")
    choose = min if policy == "not_larger" else max
    factor = choose(size / dim for size, dim in zip(wanted, shape, strict=True))
    return [factor] * len(shape), [floor(factor * dim + 0.5) for dim in shape]


def upsample(node: Node) -> RelayExpr:
    """Repeat or interpolate elements, as Resize did before it had coordinates."""
    return relay.resize(
        node.input(0),
        scales=node.attribute("scales") or node.numbers(1),
        mode=node.attribute("mode", "nearest"),
        coordinate_transformation_mode="asymmetric",
        nearest_mode="floor",
    )


CONVERTERS: dict[str, Converter] = {"Resize": resize, "Upsample": upsample}
