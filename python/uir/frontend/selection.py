"""Results whose size is known only when they run, and runs of equal slices, for all importers.

Relay computes as many rows as there may be, and their number; `first_rows` cuts the others off, and
binds a variable to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from uir_nodes.ir import RelayExpr
from uir_nodes.relay import Block, Tuple, Var, While
from uir_nodes.tir import SizeVar

from .. import relay
from .tensors import Dim, dims, dtype_of, number, product, rank, size_tensor

__all__ = [
    "Bind",
    "Runs",
    "bound_size",
    "counter",
    "first_rows",
    "ones",
    "places",
    "rows_along",
    "runs",
    "scattered",
    "sorted_order",
]

# The greatest size that is bound to elements alone.
MOST = 2**31 - 1

# What binds an expression that has several uses to a variable.
Bind: TypeAlias = Callable[[RelayExpr], RelayExpr]


def first_rows(bind: Bind, rows_and_count: RelayExpr, size: SizeVar | None = None) -> RelayExpr:
    """Return the rows that count of a tuple of rows and their number, which `size` is bound to."""
    both = bind(rows_and_count)
    found = SizeVar("found") if size is None else size
    return bind(relay.first_rows(both[0], both[1], size=found))


def places(bind: Bind, flags: RelayExpr, size: SizeVar | None = None) -> RelayExpr:
    """Return the places in a tensor of rank 1 whose elements are not 0, of shape `(found,)`."""
    rows = first_rows(bind, relay.nonzero(flags), size)
    return relay.reshape(rows, dims(rows)[:1])


def bound_size(bind: Bind, count: RelayExpr, size: SizeVar) -> SizeVar:
    """Return `size`, bound to an int64 count of shape (); calls fail if it is negative."""
    bind(relay.first_rows(relay.full(number(0, "bool"), [MOST, 0]), count, size=size))
    return size


class Runs(NamedTuple):
    """Runs of equal slices along the first axis of a tensor, in an order.

    Attributes
    ----------
    order
        The places of slices in the order, of shape `(n,)`.
    first
        The place of the first slice of each run, of shape `(found,)`.
    run
        The number of the run of each slice in the order, of shape `(n,)`.
    """

    order: RelayExpr
    first: RelayExpr
    run: RelayExpr

    def inverse(self) -> RelayExpr:
        """Return the number of the run of each slice, of shape `(n,)`."""
        return scattered(self.order, self.run, dims(self.order)[0])

    def counts(self) -> RelayExpr:
        """Return how many slices each run has, of shape `(found,)`."""
        return scattered(self.run, ones(dims(self.order)[0]), dims(self.first)[0], "add")


def runs(
    bind: Bind,
    slices: RelayExpr,
    order: RelayExpr,
    *,
    are_nan_equal: bool,
    size: SizeVar | None = None,
) -> Runs:
    """Return the runs of equal slices in an order.

    Parameters
    ----------
    bind
        What binds expressions.
    slices
        Elements of shape `(n,)`, or rows of shape `(n, m)`.
    order
        The places of slices, of shape `(n,)`.
    are_nan_equal
        Whether NaN equals NaN in a tensor of rank 1.
    size
        The variable of the number of runs.
    """
    begins = bind(run_begins(bind, relay.take(slices, order, 0), are_nan_equal))
    # Of equal elements that are in order these are the first ones.
    first = bind(relay.take(order, places(bind, begins, size), 0))
    run = relay.subtract(relay.cumsum(relay.cast(begins, "int64"), axis=0), number(1, "int64"))
    return Runs(order, first, bind(run))


def rows_along(x: RelayExpr, axis: int) -> RelayExpr:
    """Return the slices along an axis as rows of a matrix."""
    order = list(range(rank(x)))
    order.insert(0, order.pop(axis))
    moved = relay.transpose(x, order)
    return relay.reshape(moved, [dims(moved)[0], product(dims(moved)[1:])])


def sorted_order(slices: RelayExpr) -> RelayExpr:
    """Return the places of sorted elements, or of rows sorted by their first differing elements.

    Rows are sorted by one column after another, the last one first; each sort is stable.
    """
    size = dims(slices)[0]
    slices = relay.cast(slices, "uint8") if dtype_of(slices) == "bool" else slices
    if rank(slices) == 1:
        return relay.topk(slices, k=size, axis=0, largest=False)[1]
    zero, one = number(0, "int64"), number(1, "int64")
    column = Var("column", relay.Tensor((), "int64"))
    order = Var("order", relay.Tensor([size], "int64"))
    last = relay.subtract(column, one)
    keys = relay.take(relay.take(slices, last, 1), order, 0)
    chosen = relay.topk(keys, k=size, axis=0, largest=False)[1]
    step = Tuple([relay.less(zero, last), last, relay.take(order, chosen, 0)])
    width = size_tensor(dims(slices)[1])
    loop = While([column, order], relay.less(zero, width), [width, counter(size)], Block([], step))
    return loop[1]


def run_begins(bind: Bind, ordered: RelayExpr, are_nan_equal: bool) -> RelayExpr:
    """Return whether each of some sorted elements or rows differs from the one before it."""
    ordered = bind(ordered)
    place = bind(counter(dims(ordered)[0]))
    before = relay.maximum(relay.subtract(place, number(1, "int64")), number(0, "int64"))
    previous = bind(relay.take(ordered, before, 0))
    differs = relay.not_equal(ordered, previous)
    if are_nan_equal and dtype_of(ordered) in ("float16", "bfloat16", "float32", "float64"):
        are_nan = relay.logical_and(relay.isnan(ordered), relay.isnan(previous))
        differs = relay.logical_and(differs, relay.logical_not(are_nan))
    if rank(differs) == 2:
        differs = relay.max(differs, [1])
    return relay.logical_or(relay.equal(place, number(0, "int64")), differs)


def counter(size: Dim) -> RelayExpr:
    """Return the numbers from 0 to a size."""
    return relay.arange(0, size, dtype="int64")


def ones(size: Dim) -> RelayExpr:
    """Return as many times 1."""
    return relay.full(number(1, "int64"), [size])


def scattered(at: RelayExpr, numbers: RelayExpr, size: Dim, reduction: str = "none") -> RelayExpr:
    """Return numbers at given places of a tensor of a size, which is 0 elsewhere."""
    zeros = relay.full(number(0, dtype_of(numbers)), [size])
    return relay.scatter_elements(zeros, at, numbers, axis=0, reduction=reduction)
