"""Sampling of images at points, and operators that put elements back where they came from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product as combinations
from math import prod

import numpy as np

from uir_nodes.ir import PrimExpr, RelayExpr

from .... import relay
from ...errors import Refused, SymbolicSizes
from ...tensors import Dim, dims, dtype_of, in_type, number, rank, scalar, symbols_of
from ..node import Converter, Node

__all__ = ["CONVERTERS", "Axis", "numbers_of", "sampled"]

# The modes of GridSample had other names before version 20.
OLD_MODES = {"bilinear": "linear", "bicubic": "cubic"}


def numbers_of(shape: Sequence[Dim], what: str) -> list[int]:
    """Return dimensions that must be numbers.

    Raises
    ------
    SymbolicSizes
        If one is symbolic.
    """
    found = [dim for dim in shape if isinstance(dim, int)]
    if len(found) < len(shape):
        raise SymbolicSizes(what, symbols_of([dim for dim in shape if isinstance(dim, PrimExpr)]))
    return found


def reflected(x: RelayExpr, low: float, high: float) -> RelayExpr:
    """Return coordinates that are mirrored at both bounds until they lie between them."""
    period = scalar(2 * (high - low), x)
    shifted = relay.subtract(x, scalar(low, x))
    laps = relay.floor(relay.divide(shifted, period))
    rest = relay.subtract(shifted, relay.multiply(laps, period))
    return relay.add(relay.minimum(rest, relay.subtract(period, rest)), scalar(low, x))


class Axis:
    """One axis of an image that is sampled.

    Parameters
    ----------
    place
        The coordinates, of shape `(batch, points)`; 0 is the first element.
    size
        The size of the axis.
    bind
        Binds an expression that has several uses to a variable.
    padding
        The elements beyond the image: `zeros`, `border` or `reflection`.
    bounds
        The coordinates at which `reflection` mirrors.
    """

    def __init__(
        self,
        place: RelayExpr,
        size: int,
        bind: Callable[[RelayExpr], RelayExpr],
        padding: str = "zeros",
        bounds: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self.place = place
        self.size = size
        self.bind = bind
        self.padding = padding
        self.bounds = bounds

    def inside(self, place: RelayExpr) -> RelayExpr:
        """Return places, those beyond the bounds mirrored if the padding is so."""
        return reflected(place, *self.bounds) if self.padding == "reflection" else place

    def at(self, place: RelayExpr) -> tuple[RelayExpr, RelayExpr | None]:
        """Return the index of a whole place, and whether it counts; None if all do."""
        place = self.inside(place)
        last = self.size - 1
        index = in_type(relay.clip(place, 0, last), "int64")
        if self.padding != "zeros":
            return index, None
        is_inside = relay.logical_and(
            relay.greater_equal(place, scalar(0, place)),
            relay.less_equal(place, scalar(last, place)),
        )
        return index, is_inside

    def taps(self, mode: str) -> Iterator[tuple[RelayExpr, RelayExpr]]:
        """Yield the indices and the weights of the elements that count at each point."""
        if mode == "nearest":
            whole = self.bind(self.inside(relay.round(self.place)))
            index, counts = self.at(whole)
            yield index, self.weight(scalar(1, whole), counts)
            return
        place = self.bind(self.inside(self.place))
        first = self.bind(relay.floor(place))
        offset = self.bind(relay.subtract(place, first))
        weigh = linear if mode == "linear" else cubic
        for shift, weight in weigh(offset):
            index, counts = self.at(relay.add(first, scalar(shift, first)))
            yield index, self.weight(weight, counts)

    def weight(self, weight: RelayExpr, counts: RelayExpr | None) -> RelayExpr:
        """Return a weight, which is 0 where an element does not count."""
        return weight if counts is None else relay.where(counts, weight, scalar(0, weight))


def axis_of_grid(coordinates: RelayExpr, size: int, node: Node) -> Axis:
    """Return an axis of `GridSample`, whose coordinates are from -1 to 1.

    Raises
    ------
    Refused
        If the axis has no elements, or one that is its own mirror image.
    """
    padding, is_aligned = node.attribute("padding_mode", "zeros"), node.flag("align_corners")
    if size == 0 or (padding == "reflection" and size == 1 and is_aligned):
        raise Refused(f"an axis of size {size}")
    bounds = (0.0, size - 1.0) if is_aligned else (-0.5, size - 0.5)
    one = scalar(1, coordinates)
    moved = relay.add(coordinates, one)
    if is_aligned:
        half = relay.multiply(moved, scalar(0.5, moved))
        place = relay.multiply(half, scalar(size - 1, moved))
    else:
        place = relay.multiply(moved, scalar(size, moved))
        place = relay.multiply(relay.subtract(place, one), scalar(0.5, place))
    return Axis(place, size, node.bind, padding, bounds)


def linear(offset: RelayExpr) -> Iterator[tuple[int, RelayExpr]]:
    """Yield the shifts and weights of both neighbors."""
    yield 0, relay.subtract(scalar(1, offset), offset)
    yield 1, offset


def cubic(offset: RelayExpr) -> Iterator[tuple[int, RelayExpr]]:
    """Yield the shifts and weights of four neighbors, with Keys' parameter -0.75."""
    a = -0.75
    far, near = (-4 * a, 8 * a, -5 * a, a), (1.0, 0.0, -(a + 3), a + 2)
    for shift, factors in ((-1, far), (0, near), (1, near), (2, far)):
        distance = relay.abs(relay.subtract(offset, scalar(shift, offset)))
        total = scalar(factors[-1], offset)
        for factor in reversed(factors[:-1]):
            total = relay.add(relay.multiply(total, distance), scalar(factor, offset))
        yield shift, total


def grid_sample(node: Node) -> RelayExpr:
    """Return elements of images at points, whose coordinates are from -1 to 1, the last axis first.

    Images have the shape `(batch, channels, *sizes)`, points `(batch, *points, axes)`.

    Raises
    ------
    Refused
        If there is no such mode, cubic images have borders, or the ranks do not fit.
    """
    x, grid = node.input(0), node.input(1)
    mode = node.attribute("mode", "linear")
    mode = OLD_MODES.get(mode, mode)
    padding = node.attribute("padding_mode", "zeros")
    if mode not in ("nearest", "linear", "cubic"):
        raise Refused(f"mode {mode}")
    if padding not in ("zeros", "border", "reflection"):
        raise Refused(f"`padding_mode` {padding}")
    if mode == "cubic" and padding == "border":
        # onnxruntime clamps the neighbors of a point, and the reference of ONNX the point itself.
        raise Refused("mode cubic and `padding_mode` border")
    if not dtype_of(x).startswith("float"):
        raise Refused(f"images of data type {dtype_of(x)}")
    if rank(x) < 3:
        raise Refused(f"images of rank {rank(x)}")
    batch, channels, *spatial = dims(x)
    shape = numbers_of(spatial, "the size of images")
    if rank(grid) != rank(x) or not shape or dims(grid)[-1] != len(shape):
        raise Refused(f"points of rank {rank(grid)} in images of rank {rank(x)}")
    points, count = dims(grid)[1:-1], len(shape)
    flat = node.bind(relay.reshape(grid, [dims(grid)[0], -1, count]))
    axes = [
        axis_of_grid(relay.squeeze(flat[:, :, count - 1 - at : count - at], [2]), size, node)
        for at, size in enumerate(shape)
    ]
    rows = relay.reshape(x, [batch, channels, prod(shape)], allowzero=True)
    found = sampled(node.bind(rows), axes, mode)
    return relay.reshape(found, [batch, channels, *points], allowzero=True)


def sampled(rows: RelayExpr, axes: Sequence[Axis], mode: str) -> RelayExpr:
    """Return the values of images at points: `(batch, channels, points)`.

    Parameters
    ----------
    rows
        The images, of shape `(batch, channels, size)`; the elements of all axes are side by side.
    axes
        The axes with the coordinates of the points.
    mode
        `nearest`, `linear` or `cubic`.
    """
    found, shape = None, [axis.size for axis in axes]
    taps = [[(axis.bind(i), axis.bind(w)) for i, w in axis.taps(mode)] for axis in axes]
    for chosen in combinations(*taps):
        value = weighted(rows, [place for place, _ in chosen], [one for _, one in chosen], shape)
        found = value if found is None else relay.add(found, value)
    assert found is not None
    return found


def weighted(
    rows: RelayExpr, places: Sequence[RelayExpr], weights: Sequence[RelayExpr], shape: Sequence[int]
) -> RelayExpr:
    """Return elements at places, times the product of weights: `(batch, channels, points)`."""
    index, weight = places[0], weights[0]
    for place, one, size in zip(places[1:], weights[1:], shape[1:], strict=True):
        index = relay.add(relay.multiply(index, number(size, "int64")), place)
        weight = relay.multiply(weight, one)
    batch, channels, _ = dims(rows)
    every = relay.broadcast_to(relay.expand_dims(index, [1]), [batch, channels, dims(index)[1]])
    value = relay.take_along_axis(rows, every, 2)
    if rank(weight):
        weight = relay.expand_dims(weight, [1])
    return relay.multiply(value, in_type(weight, dtype_of(rows)))


def reverse_sequence(node: Node) -> RelayExpr:
    """Reverse the first elements of each sequence, as many as the second input says.

    Raises
    ------
    Refused
        If the axes of time and of the batch are not the first two.
    """
    x, lengths = node.input(0), node.input(1)
    time, batch = node.attribute("time_axis", 0), node.attribute("batch_axis", 1)
    if {time, batch} != {0, 1} or rank(x) < 2:
        raise Refused(f"`time_axis` {time} and `batch_axis` {batch}")
    along = relay.expand_dims(relay.arange(0, dims(x)[time], dtype="int64"), [batch])
    length = relay.expand_dims(in_type(lengths, "int64"), [time])
    back = relay.subtract(relay.subtract(length, number(1, "int64")), along)
    index = relay.where(relay.less(along, length), back, along)
    index = relay.expand_dims(index, list(range(2, rank(x)))) if rank(x) > 2 else index
    return relay.take_along_axis(x, relay.broadcast_to(index, dims(x)), time)


def max_unpool(node: Node) -> RelayExpr:
    """Put the maxima of windows back at their places in the whole tensor; other elements are 0.

    Raises
    ------
    Refused
        If `output_shape` is not the one that follows from the windows.
    """
    x, kernel = node.input(0), list(node.attribute("kernel_shape"))
    count = len(kernel)
    strides = node.attribute("strides", [1] * count)
    pads = node.attribute("pads", [0] * (2 * count))
    shape = numbers_of(dims(x), "the shape of `MaxUnpool`")
    if len(shape) != count + 2:
        raise Refused(f"a window of {count} axes in a tensor of rank {len(shape)}")
    inferred = shape[:2] + [
        (size - 1) * strides[axis] - pads[axis] - pads[count + axis] + kernel[axis]
        for axis, size in enumerate(shape[2:])
    ]
    wanted = node.integers(2) if len(node.values) > 2 and node.values[2] is not None else inferred
    if wanted != inferred:
        raise Refused(f"`output_shape` {wanted}, and the windows have {inferred}")
    zeros = relay.full(scalar(0, x), [prod(inferred)])
    places, values = (relay.reshape(one, [prod(shape)]) for one in (node.input(1), x))
    return relay.reshape(relay.scatter_elements(zeros, places, values), inferred)


def col2im(node: Node) -> RelayExpr:
    """Add blocks, of shape `(batch, channels * block, blocks)`, where they lie in an image.

    Raises
    ------
    Refused
        If the blocks do not fit the image.
    """
    x, image, block = node.input(0), node.integers(1), node.integers(2)
    if image is None or block is None or rank(x) != 3 or len(image) != len(block):
        raise Refused("an image or blocks of another rank")
    count = len(image)
    strides, dilations = (node.attribute(name) or [1] * count for name in ("strides", "dilations"))
    pads = node.attribute("pads") or [0] * (2 * count)
    padded = [size + pads[axis] + pads[count + axis] for axis, size in enumerate(image)]
    steps = [
        (padded[axis] - dilations[axis] * (block[axis] - 1) - 1) // strides[axis] + 1
        for axis in range(count)
    ]
    batch, depth, blocks = dims(x)
    if not isinstance(depth, int) or depth % prod(block) or blocks != prod(steps):
        raise Refused(f"{blocks} blocks of {depth} elements in an image of {image}")
    offsets, starts = (np.indices(one).reshape(count, -1) for one in (block, steps))
    places = offsets[:, :, None] * np.reshape(dilations, (count, 1, 1)) + starts[
        :, None, :
    ] * np.reshape(strides, (count, 1, 1))
    index = relay.const(np.ravel_multi_index(list(places), padded).reshape(1, 1, -1))
    shape: list[Dim] = [batch, depth // prod(block)]
    values = relay.reshape(x, [*shape, prod(block) * prod(steps)], allowzero=True)
    zeros = relay.full(scalar(0, x), [*shape, prod(padded)])
    every = relay.broadcast_to(index, dims(values))
    sums = relay.scatter_elements(zeros, every, values, axis=2, reduction="add")
    whole = relay.reshape(sums, [*shape, *padded], allowzero=True)
    ends = [pads[axis] + size for axis, size in enumerate(image)]
    return relay.strided_slice(whole, pads[:count], ends, axes=list(range(2, count + 2)))


CONVERTERS: dict[str, Converter] = {
    "Col2Im": col2im,
    "GridSample": grid_sample,
    "MaxUnpool": max_unpool,
    "ReverseSequence": reverse_sequence,
}
