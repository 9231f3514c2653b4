"""Operators that move elements."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Dim, dims, rank
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS"]

# What `slice` has as the end of an axis.
LAST = 2**63 - 1


def view(node: Node) -> RelayExpr:
    return relay.reshape(node.tensor(), node.get("size") or node.get("shape") or [], allowzero=True)


def expand(node: Node) -> RelayExpr:
    x, wanted = node.tensor(), list(node.get("size"))
    own = [*[1] * (len(wanted) - rank(x)), *dims(x)]
    kept = [a if is_minus_one(b) else b for a, b in zip(own, wanted, strict=True)]
    return relay.broadcast_to(x, kept)


def is_minus_one(dim: Dim) -> bool:
    return isinstance(dim, int) and dim == -1


def permute(node: Node) -> RelayExpr:
    return relay.transpose(node.tensor(), [axis % rank(node.tensor()) for axis in node.get("dims")])


def transpose(node: Node) -> RelayExpr:
    x = node.tensor()
    axes = list(range(rank(x)))
    one, other = node.get("dim0") % rank(x), node.get("dim1") % rank(x)
    axes[one], axes[other] = axes[other], axes[one]
    return relay.transpose(x, axes)


def squeeze(node: Node) -> RelayExpr:
    """Remove those of the axes whose extent is 1."""
    x = node.tensor()
    axes = [axis % rank(x) for axis in node.axes() or []]
    ones = [axis for axis in axes if isinstance(dims(x)[axis], int) and dims(x)[axis] == 1]
    return relay.squeeze(x, ones) if ones else x


def unsqueeze(node: Node) -> RelayExpr:
    return relay.expand_dims(node.tensor(), [node.get("dim")])


def cat(node: Node) -> RelayExpr:
    return relay.concatenate(node.tensors("tensors"), node.get("dim"))


def split(node: Node) -> Outputs:
    parts = node.bind(relay.split(node.tensor(), node.get("split_sizes"), node.get("dim")))
    return [parts[place] for place in range(len(node.get("split_sizes")))]


def slice_(node: Node) -> RelayExpr:
    start = 0 if node.get("start") is None else node.get("start")
    end = LAST if node.get("end") is None else node.get("end")
    axes, strides = [node.get("dim")], [node.get("step")]
    return relay.strided_slice(node.tensor(), [start], [end], axes=axes, strides=strides)


def select(node: Node) -> RelayExpr:
    x, axis, index = node.tensor(), node.get("dim"), node.get("index")
    end = LAST if isinstance(index, int) and index == -1 else index + 1
    return relay.squeeze(relay.strided_slice(x, [index], [end], axes=[axis]), [axis])


def flip(node: Node) -> RelayExpr:
    axes = node.get("dims")
    starts, ends, steps = [-1] * len(axes), [-LAST] * len(axes), [-1] * len(axes)
    return relay.strided_slice(node.tensor(), starts, ends, axes=axes, strides=steps)


def repeat(node: Node) -> RelayExpr:
    x, repeats = node.tensor(), node.get("repeats")
    longer = len(repeats) - rank(x)
    return relay.tile(relay.expand_dims(x, list(range(longer))) if longer else x, repeats)


def pad(node: Node) -> RelayExpr:
    """Pad the last axes; the widths begin with those of the last one."""
    x, widths = node.tensor(), node.get("pad")
    axes = list(range(rank(x) - 1, rank(x) - 1 - len(widths) // 2, -1))
    value = node.converted("value") if node.get("value") is not None else None
    return relay.pad(x, widths[0::2], widths[1::2], "constant", value, axes=axes)


def index_select(node: Node) -> RelayExpr:
    return relay.take(node.tensor(), node.tensor("index"), node.get("dim"))


def gather(node: Node) -> RelayExpr:
    return relay.take_along_axis(node.tensor(), node.tensor("index"), node.get("dim"))


def scatter(node: Node) -> RelayExpr:
    places, updates = node.tensor("index"), node.tensor("src")
    # Only as many elements of the source are read as there are indices.
    read = relay.strided_slice(updates, [0] * rank(updates), dims(places))
    return relay.scatter_elements(node.tensor(), places, read, axis=node.get("dim"))


def index(node: Node) -> RelayExpr:
    """Take elements along the one axis that has indices."""
    given = [(axis, one) for axis, one in enumerate(node.get("indices")) if one is not None]
    if len(given) != 1:
        raise Refused("indices along several axes")
    axis, places = given[0]
    return relay.take(node.tensor(), places, axis)


def embedding(node: Node) -> RelayExpr:
    return relay.take(node.tensor("weight"), node.tensor("indices"), 0)


CONVERTERS: dict[str, Converter] = {
    "_unsafe_view.default": view,
    "cat.default": cat,
    "constant_pad_nd.default": pad,
    "embedding.default": embedding,
    "expand.default": expand,
    "flip.default": flip,
    "gather.default": gather,
    "index.Tensor": index,
    "index_select.default": index_select,
    "permute.default": permute,
    "repeat.default": repeat,
    "reshape.default": view,
    "scatter.src": scatter,
    "select.int": select,
    "slice.Tensor": slice_,
    "split_with_sizes.default": split,
    "squeeze.dim": squeeze,
    "squeeze.dims": squeeze,
    "transpose.int": transpose,
    "unsqueeze.default": unsqueeze,
    "view.default": view,
}
