"""Convolutions whose taps are moved by offsets."""

from __future__ import annotations

from math import prod

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Array, dims, dtype_of, rank, widened
from ..node import Converter, Node
from .sampling import Axis, numbers_of, sampled

__all__ = ["CONVERTERS"]


def deform_conv(node: Node) -> RelayExpr:
    """Return a convolution whose taps are moved by offsets, to between the elements of images.

    Raises
    ------
    Refused
        If the shapes do not fit.
    """
    x, weight, offset, mask = node.input(0), node.input(1), node.input(2), node.optional(4)
    if rank(x) < 3 or rank(weight) != rank(x) or rank(offset) != rank(x):
        raise Refused(f"images of rank {rank(x)}")
    batch, (channels, *image) = dims(x)[0], numbers_of(dims(x)[1:], "the size of images")
    outputs, depth, *kernel = numbers_of(dims(weight), "the weights")
    steps = numbers_of(dims(offset)[2:], "the size of the result")
    groups, parts = node.attribute("group", 1), node.attribute("offset_group", 1)
    taps, points = prod(kernel), prod(steps)
    if (channels, outputs % groups, channels % parts, dims(offset)[1]) != (
        *(depth * groups, 0, 0),
        parts * taps * len(image),
    ):
        raise Refused(f"offsets {dims(offset)} of weights {dims(weight)} in images {dims(x)}")
    whole = [batch * parts, taps * points]
    moved = relay.reshape(widened(offset), [whole[0], taps, len(image), points], allowzero=True)
    moved, axes = node.bind(moved), []
    for axis, (size, base) in enumerate(
        zip(image, places(node, image, kernel, steps), strict=True)
    ):
        along = relay.squeeze(moved[:, :, axis : axis + 1], [2])
        place = relay.add(along, relay.const(base, dtype_of(along)))
        axes.append(Axis(relay.reshape(place, whole, allowzero=True), size, node.bind))
    rows = relay.reshape(x, [whole[0], channels // parts, prod(image)], allowzero=True)
    found = sampled(node.bind(rows), axes, "linear")
    if mask is not None:
        factor = relay.reshape(mask, whole, allowzero=True)
        found = relay.multiply(found, relay.expand_dims(factor, [1]))
    columns = relay.reshape(found, [batch, groups, depth * taps, points], allowzero=True)
    factors = relay.reshape(weight, [1, groups, outputs // groups, depth * taps], allowzero=True)
    y = relay.reshape(relay.matmul(factors, columns), [batch, outputs, *steps], allowzero=True)
    bias = node.optional(3)
    if bias is None:
        return y
    return relay.add(y, relay.expand_dims(bias, list(range(1, rank(x) - 1))))


def places(node: Node, image: list[int], kernel: list[int], steps: list[int]) -> list[Array]:
    """Return where the taps lie without offsets, along each axis.

    Parameters
    ----------
    node
        The node.
    image
        The size of images.
    kernel
        The size of the window.
    steps
        The size of the result.

    Returns
    -------
    places
        Coordinates of shape `(taps, points)` for each axis.

    Raises
    ------
    Refused
        If windows on the images give a result of another size.
    """
    count = len(image)
    strides, dilations = (node.attribute(name) or [1] * count for name in ("strides", "dilations"))
    pads = node.attribute("pads") or [0] * (2 * count)
    padded = [size + pads[axis] + pads[count + axis] for axis, size in enumerate(image)]
    reach = [dilation * (size - 1) for dilation, size in zip(dilations, kernel, strict=True)]
    ends = zip(padded, reach, strides, strict=True)
    fitting = [(size - last - 1) // stride + 1 for size, last, stride in ends]
    if fitting != steps:
        raise Refused(f"offsets for {steps} points, and the windows have {fitting}")
    offsets, starts = (np.indices(one).reshape(count, -1) for one in (kernel, steps))
    return [
        np.add.outer(offsets[axis] * dilations[axis], starts[axis] * strides[axis] - pads[axis])
        for axis in range(count)
    ]


CONVERTERS: dict[str, Converter] = {"DeformConv": deform_conv}
