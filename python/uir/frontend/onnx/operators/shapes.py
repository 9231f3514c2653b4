"""Operators that move elements."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import dims, dims_of_rank, positive, product, rank, scalar
from ..broadcasting import common_shape
from ..node import Converter, Node, Outputs
from ..refusals import split_reason

__all__ = ["CONVERTERS"]


def reshape(node: Node) -> RelayExpr:
    """Give elements another shape, in which 0 copies a dimension unless `allowzero` is set."""
    shape = node.dimensions(1, "shape")
    if shape is None:
        raise Refused("the shape is missing")
    return relay.reshape(node.input(0), shape, allowzero=node.flag("allowzero"))


def flatten(node: Node) -> RelayExpr:
    """Return a matrix: the axes before `axis` are rows, the others are columns."""
    x = node.input(0)
    axis, shape = node.attribute("axis", 1), dims(x)
    if not -rank(x) <= axis <= rank(x):
        raise Refused(f"axis {axis} of a tensor of rank {rank(x)}")
    if axis < 0:
        axis += rank(x)
    return relay.reshape(x, [product(shape[:axis]), product(shape[axis:])], allowzero=True)


def space_to_depth(node: Node) -> RelayExpr:
    """Move blocks of shape (b, b) into channels: (n, c, h, w) to (n, c*b*b, h/b, w/b)."""
    x, block = node.input(0), positive(node.attribute("blocksize"), "blocksize")
    n, c, h, w = dims_of_rank(x, 4)
    cut = relay.reshape(x, [n, c, h // block, block, w // block, block])
    is_depth_first = node.attribute("mode", "DCR") == "DCR"
    moved = relay.transpose(cut, [0, 3, 5, 1, 2, 4] if is_depth_first else [0, 1, 3, 5, 2, 4])
    return relay.reshape(moved, [n, c * block * block, h // block, w // block])


def depth_to_space(node: Node) -> RelayExpr:
    """Move channels into blocks of shape (b, b), in the order DCR or CRD."""
    x, block = node.input(0), positive(node.attribute("blocksize"), "blocksize")
    n, c, h, w = dims_of_rank(x, 4)
    depth = c // block**2
    if node.attribute("mode", "DCR") == "DCR":
        cut = relay.reshape(x, [n, block, block, depth, h, w])
        moved = relay.transpose(cut, [0, 3, 4, 1, 5, 2])
    else:
        cut = relay.reshape(x, [n, depth, block, block, h, w])
        moved = relay.transpose(cut, [0, 1, 4, 2, 5, 3])
    return relay.reshape(moved, [n, depth, h * block, w * block])


def unsqueeze(node: Node) -> RelayExpr:
    """Insert axes of length 1, whose places count in the result."""
    axes = node.integers(1, "axes")
    if axes is None:
        raise Refused("the axes are missing")
    return relay.expand_dims(node.input(0), axes)


def split(node: Node) -> Outputs:
    """Cut along an axis, by lengths or into as many parts as there are outputs."""
    x, parts, axis = node.input(0), node.dimensions(1, "split"), node.attribute("axis", 0)
    if parts is None:
        sections = node.attribute("num_outputs", node.output_count)
        if sections != node.output_count:
            raise Refused(split_reason(sections, node.output_count))
        return list(node.bind(relay.split(x, axis=axis, sections=sections)))
    return list(node.bind(relay.split(x, parts, axis)))


def expand(node: Node) -> RelayExpr:
    """Broadcast to a shape; a dimension of 1 in it keeps that of the input."""
    x, wanted = node.input(0), node.dimensions(1)
    if wanted is None:
        raise Refused("the shape is missing")
    return relay.broadcast_to(x, common_shape([dims(x), wanted]))


def pad(node: Node) -> RelayExpr:
    """Pad by `begin` and `end` widths; negative ones crop, and the value is 0 by default."""
    x, value = node.input(0), node.optional(2)
    pads = node.dimensions(1, "pads")
    if pads is None:
        raise Refused("the widths are missing")
    if value is not None and rank(value):
        value = relay.reshape(value, [])
    if value is None and node.attribute("value") is not None:
        value = scalar(node.attribute("value"), x)
    half, mode = len(pads) // 2, node.attribute("mode", "constant")
    return relay.pad(x, pads[:half], pads[half:], mode, value, axes=node.integers(3))


def squeeze(node: Node) -> RelayExpr:
    """Remove the given axes of length 1, or all of them if none are given."""
    return relay.squeeze(node.input(0), node.integers(1, "axes"))


def tile(node: Node) -> RelayExpr:
    """Repeat each axis as often as the second input says."""
    return relay.tile(node.input(0), node.dimensions(1) or [])


CONVERTERS: dict[str, Converter] = {
    "DepthToSpace": depth_to_space,
    "Expand": expand,
    "Flatten": flatten,
    "Pad": pad,
    "Reshape": reshape,
    "SpaceToDepth": space_to_depth,
    "Split": split,
    "Squeeze": squeeze,
    "Tile": tile,
    "Transpose": lambda node: relay.transpose(node.input(0), node.attribute("perm")),
    "Unsqueeze": unsqueeze,
}
