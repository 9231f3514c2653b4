"""Poolings: windows of one size, and windows that parts of an image are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from uir_nodes.ir import RelayExpr

from .... import relay
from ...tensors import Dim, count, dims, dtype_of, is_one, product, rank, scalar, size_tensor, sizes
from ..node import Converter, Node, Outputs
from .layers import spread

__all__ = ["CONVERTERS"]

Pool: TypeAlias = Callable[[Node, RelayExpr], list[RelayExpr]]


def pooling(pool: Pool) -> Converter:
    """Return the converter of a pooling, whose operand may lack the axis of the batch."""

    def convert(node: Node) -> Outputs:
        x = node.tensor()
        if rank(x) == spatial_count(node) + 2:
            results = pool(node, x)
        else:
            results = [relay.squeeze(y, [0]) for y in pool(node, relay.expand_dims(x, [0]))]
        return results if len(results) > 1 else results[0]

    return convert


def spatial_count(node: Node) -> int:
    """Return the number of spatial axes, which the name of the operator has."""
    found = re.search(r"(\d)d", node.operator)
    assert found is not None
    return int(found[1])


def window(node: Node) -> dict[str, Any]:
    """Return the window of a pooling; without strides, windows lie side by side."""
    axes = spatial_count(node)
    kernel, padding = (spread(node.get(name), axes) for name in ("kernel_size", "padding"))
    return {
        "kernel": kernel,
        "strides": spread(node.get("stride") or kernel, axes),
        "pads": [*padding, *padding],
        "ceil_mode": bool(node.get("ceil_mode")),
    }


def max_pool(node: Node, x: RelayExpr) -> list[RelayExpr]:
    """Return maxima of windows, and their int64 places in the image of a channel."""
    options = window(node)
    options["dilations"] = spread(node.get("dilation"), len(options["kernel"]))
    return [relay.max_pool(x, **options), in_plane(relay.max_pool_with_indices(x, **options)[1], x)]


def in_plane(places: RelayExpr, x: RelayExpr) -> RelayExpr:
    """Return places in a tensor as those in the image of one channel."""
    return relay.mod(places, count(x, range(2, rank(x))))


def avg_pool(node: Node, x: RelayExpr) -> list[RelayExpr]:
    """Return means of windows; `divisor_override` counts instead of the window's size."""
    options, divisor = window(node), node.get("divisor_override")
    if divisor is None:
        counts = bool(node.get("count_include_pad"))
        return [relay.avg_pool(x, count_include_pad=counts, **options)]
    if options["ceil_mode"]:
        x, options = with_whole_windows(x, options)
    means = relay.avg_pool(x, count_include_pad=True, **options)
    return [relay.multiply(means, scalar(product(options["kernel"]) / divisor, x))]


def with_whole_windows(x: RelayExpr, options: dict[str, Any]) -> tuple[RelayExpr, dict[str, Any]]:
    """Return an image padded by zeros for the windows of `ceil_mode`, and options without it.

    Raises
    ------
    SymbolicSizes
        If a size of the image is not a number.
    """
    kernel, strides = options["kernel"], options["strides"]
    before = options["pads"][: len(kernel)]
    image = sizes(x, "the number of windows")[2:]
    behind = [pad_behind(*one) for one in zip(image, kernel, strides, before, strict=True)]
    whole = relay.pad(x, before, behind, "constant", scalar(0, x), axes=list(range(2, rank(x))))
    return whole, {"kernel": kernel, "strides": strides}


def pad_behind(size: int, kernel: int, stride: int, padding: int) -> int:
    """Return the zeros behind an axis; the last window begins in the image or before it."""
    count = -(-(size + 2 * padding - kernel) // stride) + 1
    if (count - 1) * stride >= size + padding:
        count -= 1
    return max(padding, (count - 1) * stride + kernel - size - padding)


def adaptive_avg_pool(node: Node, x: RelayExpr) -> list[RelayExpr]:
    """Return means over as many windows along each spatial axis as are wanted."""
    wanted = wanted_sizes(node, x)
    if all(is_one(size) for size in wanted):
        return [relay.mean(x, list(range(2, rank(x))), keepdims=True)]
    kernel = even_windows(dims(x)[2:], wanted)
    if kernel is not None:
        return [relay.avg_pool(x, kernel, strides=kernel)]
    y = relay.cast(x, "float32") if dtype_of(x) == "float16" else x
    for axis, size in enumerate(wanted, 2):
        if not is_same(dims(y)[axis], size):
            y = mean_of_windows(y, axis, size)
    return [y if dtype_of(y) == dtype_of(x) else relay.cast(y, dtype_of(x))]


def wanted_sizes(node: Node, x: RelayExpr) -> list[Dim]:
    """Return one size for each spatial axis; a single one counts for all."""
    wanted = list(node.get("output_size"))
    return wanted * (rank(x) - 2) if len(wanted) == 1 else wanted


def is_same(a: Dim, b: Dim) -> bool:
    """Return whether dimensions are equal numbers or have equal texts."""
    return str(a) == str(b) if not isinstance(a, int) or not isinstance(b, int) else a == b


def even_windows(image: Sequence[Dim], wanted: Sequence[Dim]) -> list[int] | None:
    """Return the sizes of windows that divide an image evenly; None if there are none."""
    kernel = []
    for size, number in zip(image, wanted, strict=True):
        if not isinstance(size, int) or not isinstance(number, int) or not number or size % number:
            return None
        kernel.append(size // number)
    return kernel


class Windows:
    """The windows of an axis: from `floor(i * size / count)` to `ceil((i + 1) * size / count)`.

    Parameters
    ----------
    x
        The tensor.
    axis
        The axis.
    number
        The number of windows.
    """

    def __init__(self, x: RelayExpr, axis: int, number: Dim) -> None:
        size, extent, total = dims(x)[axis], count(x, [axis]), size_tensor(number)
        counter = relay.expand_dims(relay.arange(0, number, dtype="int64"), [1])
        one = size_tensor(1)
        self.start = relay.divide(relay.multiply(counter, extent), total)
        more = relay.add(relay.multiply(relay.add(counter, one), extent), total)
        self.end = relay.divide(relay.subtract(more, one), total)
        # No window is longer, and in shorter ones the last element is repeated.
        longest = (size + number - 1) // number + 1
        places = relay.add(self.start, relay.arange(0, longest, dtype="int64"))
        self.is_inside = relay.less(places, self.end)
        self.places = relay.minimum(places, relay.subtract(self.end, one))


def mean_of_windows(x: RelayExpr, axis: int, number: Dim) -> RelayExpr:
    """Return the means of `number` windows along an axis."""
    windows = Windows(x, axis, number)
    behind = list(range(1, rank(x) - axis))
    mask = relay.expand_dims(windows.is_inside, [1 + place for place in behind])
    elements = relay.where(mask, relay.take(x, windows.places, axis), scalar(0, x))
    lengths = relay.squeeze(relay.subtract(windows.end, windows.start), [1])
    factors = relay.cast(relay.expand_dims(lengths, behind), dtype_of(x))
    return relay.divide(relay.sum(elements, [axis + 1]), factors)


def adaptive_max_pool(node: Node, x: RelayExpr) -> list[RelayExpr]:
    """Return maxima over windows, and their int64 places in the image of a channel."""
    wanted = wanted_sizes(node, x)
    kernel = even_windows(dims(x)[2:], wanted)
    if kernel is not None:
        both = relay.max_pool_with_indices(x, kernel, strides=kernel)
        return [relay.max_pool(x, kernel, strides=kernel), in_plane(both[1], x)]
    image = dims(x)[2:]
    counter = relay.arange(0, product(image), dtype="int64")
    places = relay.broadcast_to(relay.reshape(counter, image), dims(x))
    # The last axis is first, so that of equal elements the first one of a window is taken.
    for axis, number in reversed(list(enumerate(wanted, 2))):
        windows = Windows(x, axis, number)
        elements = relay.take(x, windows.places, axis)
        found = relay.argmax(elements, axis + 1, keepdims=True)
        inside = relay.take(places, windows.places, axis)
        places = relay.squeeze(relay.take_along_axis(inside, found, axis + 1), [axis + 1])
        x = relay.max(elements, [axis + 1])
    return [x, places]


CONVERTERS: dict[str, Converter] = {
    "_adaptive_avg_pool2d.default": pooling(adaptive_avg_pool),
    "_adaptive_avg_pool3d.default": pooling(adaptive_avg_pool),
    "adaptive_avg_pool1d.default": pooling(adaptive_avg_pool),
    "adaptive_avg_pool2d.default": pooling(adaptive_avg_pool),
    "adaptive_avg_pool3d.default": pooling(adaptive_avg_pool),
    "adaptive_max_pool2d.default": pooling(adaptive_max_pool),
    "adaptive_max_pool3d.default": pooling(adaptive_max_pool),
    "avg_pool1d.default": pooling(avg_pool),
    "avg_pool2d.default": pooling(avg_pool),
    "avg_pool3d.default": pooling(avg_pool),
    "max_pool2d_with_indices.default": pooling(max_pool),
    "max_pool3d_with_indices.default": pooling(max_pool),
}
