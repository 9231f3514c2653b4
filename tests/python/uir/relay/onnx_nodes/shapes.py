"""ONNX's nodes that move elements, and those that make tensors."""

from __future__ import annotations

from math import ceil

import numpy as np
from onnx import helper, numpy_helper

from uir.relay import reference as relay

from .node import Array, Node, Refused, Run, scalar


def reshape(node: Node) -> Array:
    shape = node.integers(1, "shape")
    assert shape is not None
    return relay.reshape(node.input(0), shape=shape, allowzero=bool(node.attribute("allowzero", 0)))


def flatten(node: Node) -> Array:
    x = node.input(0)
    axis = node.attribute("axis", 1)
    rows = int(np.prod(x.shape[: axis if axis >= 0 else x.ndim + axis]))
    return relay.reshape(x, shape=[rows, x.size // rows if rows else 0], allowzero=True)


def space_to_depth(node: Node) -> Array:
    x, block = node.input(0), node.attribute("blocksize")
    n, c, h, w = x.shape
    cut = relay.reshape(x, shape=[n, c, h // block, block, w // block, block])
    if node.attribute("mode", "DCR") == "DCR":
        moved = relay.transpose(cut, [0, 3, 5, 1, 2, 4])
    else:
        moved = relay.transpose(cut, [0, 1, 3, 5, 2, 4])
    return relay.reshape(moved, shape=[n, c * block * block, h // block, w // block])


def depth_to_space(node: Node) -> Array:
    x, block = node.input(0), node.attribute("blocksize")
    n, c, h, w = x.shape
    depth = c // block**2
    if node.attribute("mode", "DCR") == "DCR":
        cut = relay.reshape(x, shape=[n, block, block, depth, h, w])
        moved = relay.transpose(cut, [0, 3, 4, 1, 5, 2])
    else:
        cut = relay.reshape(x, shape=[n, depth, block, block, h, w])
        moved = relay.transpose(cut, [0, 1, 4, 2, 5, 3])
    return relay.reshape(moved, shape=[n, depth, h * block, w * block])


def unsqueeze(node: Node) -> Array:
    axes = node.integers(1, "axes")
    assert axes is not None
    return relay.expand_dims(node.input(0), axes=axes)


def split(node: Node) -> tuple[Array, ...]:
    x, sizes, axis = node.input(0), node.integers(1, "split"), node.attribute("axis", 0)
    if sizes is not None:
        return relay.split(x, sizes, axis=axis)
    return relay.split(x, axis=axis, sections=node.attribute("num_outputs", len(node.outputs)))


def slice_(node: Node) -> Array:
    begin, end = node.integers(1, "starts"), node.integers(2, "ends")
    assert begin is not None and end is not None
    return relay.strided_slice(
        node.input(0), begin=begin, end=end, axes=node.integers(3, "axes"), strides=node.integers(4)
    )


def expand(node: Node) -> Array:
    x, wanted = node.input(0), node.integers(1)
    assert wanted is not None
    # Expand broadcasts both ways: a 1 in the shape keeps the dimension of the tensor.
    return relay.broadcast_to(x, shape=np.broadcast_shapes(x.shape, tuple(wanted)))


def pad(node: Node) -> Array:
    x, value = node.input(0), node.optional(2)
    pads = node.integers(1, "pads")
    assert pads is not None
    half, mode = len(pads) // 2, node.attribute("mode", "constant")
    return relay.pad(x, pads[:half], pads[half:], mode, value, axes=node.integers(3))


def shape_(node: Node) -> Array:
    start, end = node.attribute("start", 0), node.attribute("end")
    return relay.shape_of(node.input(0), start=start, end=end)


def size(node: Node) -> Array:
    return relay.prod(relay.shape_of(node.input(0)))


def constant(node: Node) -> Array:
    for name, dtype in (("value_float", "float32"), ("value_int", "int64")):
        if node.attribute(name) is not None:
            return np.array(node.attribute(name), dtype)
    for name, dtype in (("value_floats", "float32"), ("value_ints", "int64")):
        if node.attribute(name) is not None:
            return np.array(list(node.attribute(name)), dtype)
    if node.attribute("value") is None:
        raise Refused("a constant of strings")
    return numpy_helper.to_array(node.attribute("value"))


def constant_of_shape(node: Node) -> Array:
    shape, value = node.integers(0), node.attribute("value")
    fill = np.zeros(1, np.float32) if value is None else numpy_helper.to_array(value)
    assert shape is not None
    return relay.full(relay.reshape(fill, shape=[]), shape=shape)


def range_(node: Node) -> Array:
    start, stop, step = (node.input(place) for place in range(3))
    count = max(0, ceil((stop.item() - start.item()) / step.item()))
    counter = relay.arange(0, count, dtype=str(start.dtype))
    return relay.add(relay.multiply(counter, step), start)


def _diagonal(rows: int, columns: int, offset: int) -> tuple[Array, Array]:
    """Return counters of rows, shifted by the offset of a diagonal, and of columns."""
    down = relay.add(relay.arange(0, rows, dtype="int64"), np.array(offset))
    return relay.expand_dims(down, axes=[1]), relay.arange(0, columns, dtype="int64")


def eye_like(node: Node) -> Array:
    x = node.input(0)
    down, across = _diagonal(x.shape[0], x.shape[1], node.attribute("k", 0))
    to = node.attribute("dtype")
    dtype = x.dtype if to is None else helper.tensor_dtype_to_np_dtype(to)
    return relay.cast(relay.equal(down, across), dtype=str(dtype))


def trilu(node: Node) -> Array:
    x, offset = node.input(0), node.optional(1)
    down, across = _diagonal(x.shape[-2], x.shape[-1], 0 if offset is None else offset.item())
    upper = bool(node.attribute("upper", 1))
    kept = relay.less_equal(down, across) if upper else relay.greater_equal(down, across)
    return relay.where(kept, x, scalar(0, x))


def one_hot(node: Node) -> Array:
    indices, depth, values = node.input(0), node.input(1), node.input(2)
    count = depth.reshape(-1)[0].item()
    wanted = relay.mod(relay.cast(indices, dtype="int64"), np.array(int(count)))
    in_range = relay.logical_and(
        relay.less(indices, scalar(count, indices)),
        relay.greater_equal(indices, scalar(-count, indices)),
    )
    axis = node.attribute("axis", -1) % (indices.ndim + 1)
    classes = [1] * indices.ndim
    classes.insert(axis, int(count))
    counter = relay.reshape(relay.arange(0, int(count), dtype="int64"), shape=classes)
    hot = relay.logical_and(
        relay.equal(relay.expand_dims(wanted, axes=[axis]), counter),
        relay.expand_dims(in_range, axes=[axis]),
    )
    off, on = relay.split(values, [1, 1])
    return relay.where(hot, relay.reshape(on, shape=[]), relay.reshape(off, shape=[]))


NODES: dict[str, Run] = {
    "Concat": lambda node: relay.concatenate(
        [node.input(i) for i in range(len(node.inputs))], node.attribute("axis")
    ),
    "Constant": constant,
    "ConstantOfShape": constant_of_shape,
    "DepthToSpace": depth_to_space,
    "Expand": expand,
    "EyeLike": eye_like,
    "Flatten": flatten,
    "OneHot": one_hot,
    "Pad": pad,
    "Range": range_,
    "Reshape": reshape,
    "Shape": shape_,
    "Size": size,
    "Slice": slice_,
    "SpaceToDepth": space_to_depth,
    "Split": split,
    "Squeeze": lambda node: relay.squeeze(node.input(0), node.integers(1, "axes")),
    "Tile": lambda node: relay.tile(node.input(0), repeats=node.integers(1) or []),
    "Transpose": lambda node: relay.transpose(node.input(0), node.attribute("perm")),
    "Trilu": trilu,
    "Unsqueeze": unsqueeze,
}
