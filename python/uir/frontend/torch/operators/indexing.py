"""Operators that read and write elements at indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from uir_nodes.ir import RelayExpr
from uir_nodes.relay import Constant

from .... import relay
from ...errors import Refused
from ...selection import first_rows
from ...tensors import Dim, common_shape, dims, dtype_of, rank, scalar
from ..node import Converter, Node

__all__ = [
    "CONVERTERS",
    "LAST",
    "bound",
    "from_front",
    "inverse",
    "is_empty",
    "transposed",
    "with_axis",
]

# What `slice` has as the end of an axis.
LAST = 2**63 - 1


class Places(NamedTuple):
    """Elements that tensors of integers name: one tensor for each of some axes."""

    axes: list[int]
    indices: list[RelayExpr]

    @property
    def shape(self) -> list[Dim]:
        """The shape that the indices broadcast to."""
        return common_shape([dims(one) for one in self.indices])

    @property
    def first(self) -> int:
        """Where the axes of the indices are in the result: first, if others are between them."""
        is_block = self.axes == list(range(self.axes[0], self.axes[0] + len(self.axes)))
        return self.axes[0] if is_block else 0

    def rest(self, x: RelayExpr) -> list[int]:
        """Return the axes without indices."""
        return [axis for axis in range(rank(x)) if axis not in self.axes]

    def rows(self) -> RelayExpr:
        """Return the indices as rows, one for each element of the common shape."""
        shape = self.shape
        columns = [relay.expand_dims(relay.broadcast_to(one, shape), [-1]) for one in self.indices]
        return relay.concatenate(columns, -1)


def places_of(node: Node) -> Places:
    """Return the indices and their axes; a mask counts as the places where it is true."""
    axes: list[int] = []
    indices: list[RelayExpr] = []
    axis = 0
    for given in node.get("indices"):
        parts = [] if given is None else index_tensors(node, given)
        indices += parts
        axes += range(axis, axis + len(parts))
        axis += max(1, len(parts))
    return Places(axes, indices)


def index_tensors(node: Node, index: RelayExpr) -> list[RelayExpr]:
    """Return an index as tensors of integers; truth values become one tensor for each axis.

    Raises
    ------
    Refused
        If it is a single truth value.
    """
    if not is_mask(index):
        return [index if dtype_of(index) == "int64" else relay.cast(index, "int64")]
    if not rank(index):
        raise Refused("a truth value as an index")
    if not isinstance(index, Constant):
        rows = first_rows(node.bind, relay.nonzero(index), node.found_size())
        columns = (
            relay.strided_slice(rows, [axis], [axis + 1], axes=[1]) for axis in range(rank(index))
        )
        return [node.bind(relay.squeeze(column, [1])) for column in columns]
    mask = np.from_dlpack(index.data)
    return [relay.const(places.astype(np.int64)) for places in np.nonzero(mask)]


def is_mask(index: RelayExpr) -> bool:
    """Return whether an index is a mask: of truth values, or of uint8, which count as such."""
    return dtype_of(index) in ("bool", "uint8")


def index(node: Node) -> RelayExpr:
    """Take the elements at indices, which broadcast against each other."""
    x, places = node.tensor(), places_of(node)
    if len(places.axes) == 1:
        return relay.take(x, places.indices[0], places.axes[0])
    taken = relay.gather_nd(axes_first(x, places), places.rows())
    count, first = len(places.shape), places.first
    axes = list(range(rank(taken)))
    block, rest = axes[:count], axes[count:]
    return transposed(taken, [*rest[:first], *block, *rest[first:]])


def axes_first(x: RelayExpr, places: Places) -> RelayExpr:
    """Return a tensor whose indexed axes come first, in order."""
    return transposed(x, [*places.axes, *places.rest(x)])


def transposed(x: RelayExpr, order: Sequence[int]) -> RelayExpr:
    """Return a tensor with its axes in another order, or itself."""
    return x if list(order) == list(range(len(order))) else relay.transpose(x, list(order))


def inverse(order: Sequence[int]) -> list[int]:
    """Return the order of axes that takes another one back."""
    return [list(order).index(axis) for axis in range(len(order))]


def index_put(node: Node) -> RelayExpr:
    """Write elements at indices, or add them to the existing elements."""
    x, values = node.tensor(), node.tensor("values")
    given = [one for one in node.get("indices") if one is not None]
    if len(given) == 1 and is_one_for_all(node, given[0]):
        return write_where(node, given[0])
    places = places_of(node)
    order = [*places.axes, *places.rest(x)]
    rest = [dims(x)[axis] for axis in places.rest(x)]
    shape, first = places.shape, places.first
    updates = relay.broadcast_to(values, [*rest[:first], *shape, *rest[first:]])
    axes = list(range(rank(updates)))
    block = axes[first : first + len(shape)]
    updates = transposed(updates, [*block, *[axis for axis in axes if axis not in block]])
    reduction = "add" if node.get("accumulate") else "none"
    written = write_nd(transposed(x, order), places.rows(), updates, reduction)
    return transposed(written, inverse(order))


def write_nd(x: RelayExpr, rows: RelayExpr, updates: RelayExpr, reduction: str) -> RelayExpr:
    """Write or reduce an update at each row of indices, of shape (rows, axes)."""
    if dtype_of(x) == "bool" and reduction != "none":
        whole = [relay.cast(one, "int32") for one in (x, updates)]
        return relay.cast(relay.scatter_nd(whole[0], rows, whole[1], reduction=reduction), "bool")
    return relay.scatter_nd(x, rows, updates, reduction=reduction)


def is_one_for_all(node: Node, index: RelayExpr) -> bool:
    """Return whether an index is a computed mask, and values have no axis for its elements."""
    if not is_mask(index) or isinstance(index, Constant):
        return False
    behind: int = rank(node.tensor()) - node.get("indices").index(index) - rank(index)
    return rank(node.tensor("values")) <= behind


def write_where(node: Node, mask: RelayExpr) -> RelayExpr:
    """Write values, which must not have an axis for the elements of a mask, where it is true."""
    x, values = node.tensor(), node.tensor("values")
    first = node.get("indices").index(mask)
    behind = rank(x) - first - rank(mask)
    chosen = relay.cast(mask, "bool") if dtype_of(mask) != "bool" else mask
    chosen = relay.expand_dims(chosen, list(range(rank(mask), rank(mask) + behind)))
    add = relay.logical_or if dtype_of(x) == "bool" else relay.add
    written = add(x, values) if node.get("accumulate") else values
    return relay.where(chosen, written, x)


def from_front(index: RelayExpr) -> RelayExpr:
    """Return indices of which negative ones are out of range, as most operators have them.

    Those of relay count negative ones from the end.
    """
    if isinstance(index, Constant) and (np.from_dlpack(index.data) >= 0).all():
        return index
    beyond = scalar(int(np.iinfo(dtype_of(index)).max), index)
    return relay.where(relay.less(index, scalar(0, index)), beyond, index)


def index_select(node: Node) -> RelayExpr:
    """Take elements at a vector of indices along an axis."""
    x, places = node.tensor(), from_front(node.tensor("index"))
    if not rank(x):
        return relay.reshape(relay.take(relay.expand_dims(x, [0]), places, 0), [])
    return relay.take(
        x, places if rank(places) else relay.expand_dims(places, [0]), node.get("dim")
    )


def gather(node: Node) -> RelayExpr:
    """Return the elements at indices along an axis, in the shape of the indices."""
    x, places = node.tensor(), node.tensor("index")
    if is_empty(places):
        return relay.full(scalar(0, x), dims(places))
    shape = dims(places)
    places = from_front(places)
    found = relay.take_along_axis(with_axis(x), with_axis(places), node.get("dim"))
    return found if rank(found) == len(shape) else relay.reshape(found, shape)


def is_empty(x: RelayExpr) -> bool:
    """Return whether a tensor is known to have no elements."""
    return any(isinstance(dim, int) and dim == 0 for dim in dims(x))


def with_axis(x: RelayExpr) -> RelayExpr:
    """Return a tensor of rank 0 as one of rank 1, as PyTorch takes it."""
    return x if rank(x) else relay.expand_dims(x, [0])


def embedding(node: Node) -> RelayExpr:
    """Take rows of the weights at indices."""
    return relay.take(node.tensor("weight"), from_front(node.tensor("indices")), 0)


def one_hot(node: Node) -> RelayExpr:
    """Write a 1 into a row of zeros for each index, which must be in the row."""
    places, count = node.tensor(), node.get("num_classes")
    if isinstance(count, int) and count < 0:
        raise Refused("the number of classes is that of the greatest element; state `num_classes`")
    zero = relay.const(0, "int64")
    if is_empty(places):
        return relay.full(zero, [*dims(places), count])
    column = relay.expand_dims(from_front(relay.cast(places, "int64")), [rank(places)])
    one = relay.full(relay.const(1, "int64"), dims(column))
    rows = relay.full(zero, [*dims(places), count])
    return relay.scatter_elements(rows, column, one, axis=rank(places))


def slice_scatter(node: Node) -> RelayExpr:
    """Write a tensor over a slice along an axis."""
    x = node.tensor()
    source = relay.cast(node.tensor("src"), dtype_of(x))
    axis = node.get("dim") % rank(x)
    start, end = bound(node, "start", 0, axis), bound(node, "end", LAST, axis)
    return write_slice(x, source, axis, start, end, node.get("step"))


def bound(node: Node, name: str, default: int, axis: int) -> Dim:
    """Return a bound of a slice, counted from the front, which may be beyond the end."""
    value: Dim = default if node.get(name) is None else node.get(name)
    if not isinstance(value, int) and node.is_negative(name):
        return dims(node.tensor())[axis] + value
    return value


def write_slice(
    x: RelayExpr, source: RelayExpr, axis: int, start: Dim, end: Dim, step: int
) -> RelayExpr:
    """Return a tensor with one slice replaced by another tensor.

    Parameters
    ----------
    x
        Tensor of shape `(*a, dim, *b)`, where `dim` is dimension `axis`.
    source
        Tensor of the shape of the slice, and of the data type of `x`.
    axis
        The axis.
    start, end, step
        The bounds of the slice, as `relay.strided_slice` has them, and its step.
    """
    if step == 1:
        before = relay.strided_slice(x, [0], [start], axes=[axis])
        # A slice that ends before it starts is empty, and nothing is replaced.
        length = dims(source)[axis]
        behind = relay.strided_slice(x, [dims(before)[axis] + length], [LAST], axes=[axis])
        return relay.concatenate([before, source, behind], axis)
    counter = relay.arange(0, dims(x)[axis], dtype="int64")
    places = relay.strided_slice(counter, [start], [end], strides=[step])
    order = [axis, *[other for other in range(rank(x)) if other != axis]]
    written = relay.scatter_nd(
        transposed(x, order), relay.expand_dims(places, [1]), transposed(source, order)
    )
    return transposed(written, inverse(order))


def select_scatter(node: Node) -> RelayExpr:
    """Write a tensor over the slice at one index along an axis."""
    x, start = node.tensor(), node.get("index")
    axis = node.get("dim") % rank(x)
    if node.is_negative("index"):
        start = dims(x)[axis] + start
    source = relay.expand_dims(relay.cast(node.tensor("src"), dtype_of(x)), [axis])
    return write_slice(x, source, axis, start, start + 1, 1)


CONVERTERS: dict[str, Converter] = {
    "_unsafe_index.Tensor": index,
    "_unsafe_index_put.default": index_put,
    "embedding.default": embedding,
    "gather.default": gather,
    "index.Tensor": index,
    "index_put.default": index_put,
    "index_select.default": index_select,
    "one_hot.default": one_hot,
    "select_scatter.default": select_scatter,
    "slice_scatter.default": slice_scatter,
}
