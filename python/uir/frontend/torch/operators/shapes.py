"""Operators that move elements."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .... import relay
from ...tensors import Dim, dims, dtype_of, rank
from ..node import Converter, Node, Outputs
from .indexing import LAST, bound

__all__ = ["CONVERTERS"]


def view(node: Node) -> RelayExpr:
    """Give elements another shape; one dimension may be -1."""
    return relay.reshape(node.tensor(), node.get("size") or node.get("shape") or [], allowzero=True)


def expand(node: Node) -> RelayExpr:
    """Broadcast to sizes, of which -1 keeps the operand's own."""
    x, wanted = node.tensor(), list(node.get("size"))
    own = [*[1] * (len(wanted) - rank(x)), *dims(x)]
    kept = [a if is_minus_one(b) else b for a, b in zip(own, wanted, strict=True)]
    return relay.broadcast_to(x, kept)


def is_minus_one(dim: Dim) -> bool:
    """Return whether a dimension is the number -1."""
    return isinstance(dim, int) and dim == -1


def permute(node: Node) -> RelayExpr:
    """Reorder the axes."""
    return relay.transpose(node.tensor(), [axis % rank(node.tensor()) for axis in node.get("dims")])


def transpose(node: Node) -> RelayExpr:
    """Swap two axes."""
    x = node.tensor()
    axes = list(range(rank(x)))
    one, other = node.get("dim0") % rank(x), node.get("dim1") % rank(x)
    axes[one], axes[other] = axes[other], axes[one]
    return relay.transpose(x, axes)


def squeeze(node: Node) -> RelayExpr:
    """Remove those of the axes whose extent is 1; a tensor of rank 0 has none."""
    x = node.tensor()
    axes = [axis % rank(x) for axis in node.axes() or []] if rank(x) else []
    ones = [axis for axis in axes if isinstance(dims(x)[axis], int) and dims(x)[axis] == 1]
    return relay.squeeze(x, ones) if ones else x


def unsqueeze(node: Node) -> RelayExpr:
    """Insert an axis of length 1."""
    return relay.expand_dims(node.tensor(), [node.get("dim")])


def cat(node: Node) -> RelayExpr:
    """Join tensors; of another rank there may be empty ones of shape (0,), which add nothing."""
    given = node.tensors("tensors")
    tensors = [one for one in given if not is_legacy_empty(one)] or given[:1]
    wanted = [
        one if dtype_of(one) == node.dtype else relay.cast(one, node.dtype) for one in tensors
    ]
    return wanted[0] if len(wanted) == 1 else relay.concatenate(wanted, node.get("dim"))


def is_legacy_empty(x: RelayExpr) -> bool:
    """Return whether a tensor has the shape (0,), which `cat` leaves out."""
    shape = dims(x)
    return len(shape) == 1 and isinstance(shape[0], int) and shape[0] == 0


def split(node: Node) -> Outputs:
    """Cut along an axis into parts of the given lengths."""
    parts = node.bind(relay.split(node.tensor(), node.get("split_sizes"), node.get("dim")))
    return [parts[place] for place in range(len(node.get("split_sizes")))]


def slice_(node: Node) -> RelayExpr:
    """Cut an axis from `start` to `end` by `step`."""
    axis = node.get("dim") % rank(node.tensor())
    start, end = bound(node, "start", 0, axis), bound(node, "end", LAST, axis)
    axes, strides = [node.get("dim")], [node.get("step")]
    return relay.strided_slice(node.tensor(), [start], [end], axes=axes, strides=strides)


def select(node: Node) -> RelayExpr:
    """Take one element of an axis, which the result lacks."""
    x, index = node.tensor(), node.get("index")
    axis = node.get("dim") % rank(x)
    if node.is_negative("index"):
        index = dims(x)[axis] + index
    end = index + 1
    return relay.squeeze(relay.strided_slice(x, [index], [end], axes=[axis]), [axis])


def flip(node: Node) -> RelayExpr:
    """Reverse the order of elements along axes."""
    axes = node.get("dims")
    starts, ends, steps = [-1] * len(axes), [-LAST] * len(axes), [-1] * len(axes)
    return relay.strided_slice(node.tensor(), starts, ends, axes=axes, strides=steps)


def repeat(node: Node) -> RelayExpr:
    """Repeat a tensor along each axis; missing axes come first."""
    x, repeats = node.tensor(), node.get("repeats")
    longer = len(repeats) - rank(x)
    return relay.tile(relay.expand_dims(x, list(range(longer))) if longer else x, repeats)


def pad(node: Node) -> RelayExpr:
    """Pad the last axes with one value; negative widths crop."""
    value = node.converted("value") if node.get("value") is not None else None
    return padded(node.tensor(), node.get("pad"), "constant", value)


def padded(x: RelayExpr, widths: list[Dim], mode: str, value: RelayExpr | None) -> RelayExpr:
    """Pad the last axes; the widths begin with those of the last one."""
    axes = list(range(rank(x) - 1, rank(x) - 1 - len(widths) // 2, -1))
    return relay.pad(x, widths[0::2], widths[1::2], mode, value, axes=axes)


def padding(mode: str) -> Converter:
    """Return the converter that pads with reflected or repeated elements."""
    return lambda node: padded(node.tensor(), node.get("padding"), mode, None)


PADDINGS = {"reflection_pad": "reflect", "replication_pad": "edge"}

CONVERTERS: dict[str, Converter] = {
    **{
        f"{name}{count}d.default": padding(mode)
        for name, mode in PADDINGS.items()
        for count in (1, 2, 3)
    },
    "_unsafe_view.default": view,
    "cat.default": cat,
    "constant_pad_nd.default": pad,
    "expand.default": expand,
    "flip.default": flip,
    "permute.default": permute,
    "repeat.default": repeat,
    "reshape.default": view,
    "select.int": select,
    "slice.Tensor": slice_,
    "split_with_sizes.default": split,
    "squeeze.dim": squeeze,
    "squeeze.dims": squeeze,
    "transpose.int": transpose,
    "unsqueeze.default": unsqueeze,
    "view.default": view,
}
