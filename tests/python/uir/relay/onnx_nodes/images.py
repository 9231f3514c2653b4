"""ONNX's resizing of images."""

from __future__ import annotations

from math import floor

from uir.relay import reference as relay

from .node import Array, Node, Run


def resize(node: Node) -> Array:
    x = node.input(0)
    axes = [axis % x.ndim for axis in node.attribute("axes", range(x.ndim))]
    scales, sizes = node.optional(2), node.integers(3)
    factors = None if scales is None or not scales.size else [float(one) for one in scales]
    sizes = sizes or None
    policy = node.attribute("keep_aspect_ratio_policy", "stretch")
    if sizes is not None and policy != "stretch":
        choose = min if policy == "not_larger" else max
        factor = choose(size / x.shape[axis] for size, axis in zip(sizes, axes, strict=True))
        factors = [factor] * len(axes)
        sizes = [floor(factor * x.shape[axis] + 0.5) for axis in axes]
    roi = node.optional(1)
    return relay.resize(
        x,
        sizes=sizes,
        scales=factors,
        axes=axes,
        roi=None if roi is None or not roi.size else [float(one) for one in roi],
        mode=node.attribute("mode", "nearest"),
        coordinate_transformation_mode=node.attribute(
            "coordinate_transformation_mode", "half_pixel"
        ),
        nearest_mode=node.attribute("nearest_mode", "round_prefer_floor"),
        cubic_coeff_a=node.attribute("cubic_coeff_a", -0.75),
        exclude_outside=bool(node.attribute("exclude_outside", 0)),
        antialias=bool(node.attribute("antialias", 0)),
        extrapolation_value=node.attribute("extrapolation_value", 0.0),
    )


def upsample(node: Node) -> Array:
    """Repeat elements, as Resize did before it had coordinates."""
    return relay.resize(
        node.input(0),
        scales=[float(one) for one in node.input(1)],
        mode=node.attribute("mode", "nearest"),
        coordinate_transformation_mode="asymmetric",
        nearest_mode="floor",
    )


NODES: dict[str, Run] = {"Resize": resize, "Upsample": upsample}
