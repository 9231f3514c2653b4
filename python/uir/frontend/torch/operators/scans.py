"""Running extrema and sums of exponentials along an axis, in steps of 1, 2, 4 and more places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import SymbolicSizes
from ...tensors import dims, dtype_of, in_type, rank, scalar, symbols_of, widened
from ..node import Converter, Node, Outputs
from .indexing import LAST
from .reductions import first_place

__all__ = ["CONVERTERS"]

# Combines values of elements with those of later ones.
Combine = Callable[[Sequence[RelayExpr], Sequence[RelayExpr]], list[RelayExpr]]


def scanned(values: list[RelayExpr], node: Node, combine: Combine) -> list[RelayExpr]:
    """Return the combinations of all elements up to each one along the axis of a node.

    Parameters
    ----------
    values
        Tensors of one shape.
    node
        The node, whose `dim` is the axis.
    combine
        An associative function of the values at earlier and at later places.

    Raises
    ------
    SymbolicSizes
        If the length of the axis is not a number.
    """
    axis = node.get("dim") % rank(values[0])
    length, step = dims(values[0])[axis], 1
    if not isinstance(length, int):
        raise SymbolicSizes("the number of steps", symbols_of([length]))
    while step < length:
        first = [part(one, axis, 0, step) for one in values]
        earlier = [part(one, axis, 0, length - step) for one in values]
        later = [part(one, axis, step, LAST) for one in values]
        combined = combine(earlier, later)
        values = [
            node.bind(relay.concatenate([*pair], axis))
            for pair in zip(first, combined, strict=True)
        ]
        step *= 2
    return values


def part(x: RelayExpr, axis: int, start: int, end: int) -> RelayExpr:
    """Return a slice along an axis."""
    return relay.strided_slice(x, [start], [end], axes=[axis])


def extremum(is_at_least: Callable[[RelayExpr, RelayExpr], RelayExpr]) -> Converter:
    """Return the converter of a running extremum and its place: the last one of equal elements.

    From the first NaN on, the values are NaN, and their places those of the last NaN.
    """

    def later_wins(earlier: RelayExpr, later: RelayExpr) -> RelayExpr:
        if "float" not in dtype_of(later):
            return is_at_least(later, earlier)
        ordered = relay.logical_and(
            is_at_least(later, earlier), relay.logical_not(relay.isnan(earlier))
        )
        return relay.logical_or(relay.isnan(later), ordered)

    def combine(earlier: Sequence[RelayExpr], later: Sequence[RelayExpr]) -> list[RelayExpr]:
        wins = later_wins(earlier[0], later[0])
        return [relay.where(wins, b, a) for a, b in zip(earlier, later, strict=True)]

    def convert(node: Node) -> Outputs:
        x = node.tensor()
        if not rank(x):
            return [x, first_place()]
        axis = node.get("dim") % rank(x)
        counter = relay.arange(0, dims(x)[axis], dtype="int64")
        behind = list(range(1, rank(x) - axis))
        column = relay.expand_dims(counter, behind) if behind else counter
        number = in_type(x, "uint8") if dtype_of(x) == "bool" else x
        both = scanned([number, relay.broadcast_to(column, dims(x))], node, combine)
        return [in_type(both[0], dtype_of(x)), both[1]]

    return convert


def add_exponentials(earlier: Sequence[RelayExpr], later: Sequence[RelayExpr]) -> list[RelayExpr]:
    """Return the logarithm of the sum of two exponentials."""
    a, b = earlier[0], later[0]
    greater = relay.maximum(a, b)
    apart = relay.negative(relay.abs(relay.subtract(a, b)))
    total = relay.add(greater, relay.log1p(relay.exp(apart)))
    # Equal infinities have no difference.
    return [relay.where(relay.equal(a, b), relay.add(a, scalar(log(2), a)), total)]


def log_of_sums(node: Node) -> RelayExpr:
    """Return the logarithms of running sums of exponentials, which do not overflow."""
    x = node.tensor()
    if not rank(x):
        return x
    return in_type(scanned([widened(x)], node, add_exponentials)[0], dtype_of(x))


CONVERTERS: dict[str, Converter] = {
    "cummax.default": extremum(relay.greater_equal),
    "cummin.default": extremum(relay.less_equal),
    "logcumsumexp.default": log_of_sums,
}
