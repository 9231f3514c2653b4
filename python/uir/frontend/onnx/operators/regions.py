"""Sampling of images inside of regions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import (
    Dim,
    dims,
    dims_of_rank,
    dtype_of,
    in_type,
    number,
    positive,
    scalar,
    size_tensor,
    widened,
)
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


class Side(NamedTuple):
    """Both neighbors of each sample along one axis: their indices and their weights.

    All have the shape `(regions, samples)`. Indices are `int64`.
    """

    indices: tuple[RelayExpr, RelayExpr]
    weights: tuple[RelayExpr, RelayExpr]


def roi_align(node: Node) -> RelayExpr:
    """Return means or maxima of samples in regions: `(regions, channels, height, width)`.

    Raises
    ------
    Refused
        If there is no such mode, or the number of samples depends on the regions.
    """
    x, regions = node.input(0), node.bind(widened(node.input(1)))
    batch, channels, rows, columns = dims_of_rank(x, 4)
    count, mode = node.attribute("sampling_ratio", 0), node.attribute("mode", "avg")
    if count < 1:
        raise Refused("`sampling_ratio` 0: the number of samples depends on elements")
    if mode not in ("avg", "max"):
        raise Refused(f"mode {mode}")
    height, width = (
        positive(node.attribute(f"output_{one}", 1), one) for one in ("height", "width")
    )
    down = side(node, regions, 1, rows, height)
    across = side(node, regions, 0, columns, width)
    images = relay.reshape(relay.transpose(x, [0, 2, 3, 1]), [batch * rows * columns, channels])
    first = relay.multiply(in_type(node.input(2), "int64"), size_tensor(rows * columns))
    first, images = relay.reshape(first, [-1, 1, 1]), node.bind(images)
    corners = []
    for i in (0, 1):
        for j in (0, 1):
            above = relay.multiply(relay.expand_dims(down.indices[i], [2]), size_tensor(columns))
            index = relay.add(relay.add(first, above), relay.expand_dims(across.indices[j], [1]))
            weight = relay.multiply(
                relay.expand_dims(down.weights[i], [2, 3]),
                relay.expand_dims(across.weights[j], [1, 3]),
            )
            found = relay.take(images, index, 0)
            corners.append(node.bind(relay.multiply(found, in_type(weight, dtype_of(x)))))
    join, reduce = (relay.add, relay.mean) if mode == "avg" else (relay.maximum, relay.max)
    joined = join(join(corners[0], corners[1]), join(corners[2], corners[3]))
    shape: list[Dim] = [dims(regions)[0], height, count, width, count, channels]
    return relay.transpose(reduce(relay.reshape(joined, shape), [2, 4]), [0, 3, 1, 2])


def side(node: Node, regions: RelayExpr, first: int, size: Dim, parts: int) -> Side:
    """Return the neighbors of samples, which divide each part of the regions evenly.

    Parameters
    ----------
    node
        The node.
    regions
        The corners of the regions, of shape `(regions, 4)`.
    first
        The column of the lower bounds; that of the upper ones is two columns later.
    size
        The size of the axis of the images.
    parts
        The number of parts of a region.
    """
    new, old = "half_pixel", "output_half_pixel"
    mode = node.attribute("coordinate_transformation_mode", new if node.opset >= 16 else old)
    if mode not in (new, old):
        raise Refused(f"`coordinate_transformation_mode` {mode}")
    count = node.attribute("sampling_ratio", 0)
    scale = scalar(node.attribute("spatial_scale", 1.0), regions)
    begin, end = (
        relay.subtract(
            relay.multiply(regions[:, column : column + 1], scale),
            scalar(0.5 if mode == new else 0.0, regions),
        )
        for column in (first, first + 2)
    )
    begin, length = node.bind(begin), relay.subtract(end, begin)
    if mode == old:
        length = relay.maximum(length, scalar(1, length))
    part = node.bind(relay.divide(length, scalar(parts, length)))
    dtype = dtype_of(regions)
    starts = relay.const(np.repeat(np.arange(parts), count), dtype)
    within = relay.const(np.tile(np.arange(count) + 0.5, parts), dtype)
    place = relay.add(begin, relay.multiply(starts, part))
    inner = relay.divide(relay.multiply(within, part), scalar(count, part))
    return neighbors(node, node.bind(relay.add(place, inner)), size)


def neighbors(node: Node, place: RelayExpr, size: Dim) -> Side:
    """Return both neighbors of places; weights are 0 more than one element beyond the axis."""
    dtype, one = dtype_of(place), number(1, "int64")
    last = relay.subtract(size_tensor(size), one)
    is_inside = relay.logical_and(
        relay.greater_equal(place, scalar(-1, place)),
        relay.less_equal(place, size_tensor(size, dtype)),
    )
    clipped = relay.minimum(relay.maximum(place, scalar(0, place)), relay.cast(last, dtype))
    clipped = node.bind(clipped)
    low = node.bind(relay.cast(relay.floor(clipped), "int64"))
    offset = relay.subtract(clipped, relay.cast(low, dtype))
    weights = (relay.subtract(scalar(1, offset), offset), offset)
    a, b = (node.bind(relay.where(is_inside, each, scalar(0, each))) for each in weights)
    return Side((low, node.bind(relay.minimum(relay.add(low, one), last))), (a, b))


CONVERTERS: dict[str, Converter] = {"RoiAlign": roi_align}
