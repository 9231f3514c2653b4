"""Chains of operators, each of which reads the one before it, for the tests of fusion.

In: the names of two or three operators.  Out: a graph in which they follow each other, on shapes
whose dimensions are odd or 1.  The value in the middle has a second reader in some, and is a result
of the function in others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from random import Random

from uir import relay

from ..operators.draws import DTYPES, Shape
from .evaluation import Undefined, WrongType
from .graphs import OPERATORS, SIZES, Graph, GraphWriter, NoCall, Value, data_types, shape_of

__all__ = ["KINDS", "Names", "chain", "kind_triples", "pairs", "sampled_triples"]

KINDS: dict[str, list[str]] = {
    "cast": ["cast"],
    "mask": ["where", "less", "equal", "logical_and", "isnan", "logical_not", "clip"],
    "elementwise": ["exp", "relu", "tanh", "negative", "sqrt", "round", "sign"],
    "broadcast": ["add", "subtract", "multiply", "divide", "maximum", "batch_norm"],
    "reduction": ["sum", "mean", "max", "min", "prod"],
    "index": ["argmax", "argmin"],
    "row": ["softmax", "log_softmax", "layer_norm", "rms_norm", "group_norm"],
    "scan": ["cumsum", "cumprod"],
    "sort": ["topk"],
    "bounded": ["nonzero", "non_max_suppression"],
    "recurrent": ["rnn", "gru", "lstm"],
    "tree": ["tree_leaves"],
    "contraction": ["matmul", "integer_matmul", "matmul_n_bits", "einsum", "attention"],
    "convolution": ["conv", "conv_transpose", "integer_conv"],
    "window": ["max_pool", "avg_pool", "max_pool_with_indices"],
    "view": ["reshape", "squeeze", "expand_dims"],
    "layout": ["transpose", "broadcast_to", "tile", "strided_slice", "pad", "resize"],
    "parts": ["concatenate", "split"],
    "gather": ["take", "take_along_axis", "gather_nd"],
    "scatter": ["scatter_nd", "scatter_elements"],
}
"""Operators that fusion treats alike."""

DIMENSIONS = (1, 7, 33, 3, 2)
ATTEMPTS, CALLS = 60, 4
"""How often a chain is begun, and how often its next call is drawn."""
Names = tuple[str, ...]


def pairs() -> list[Names]:
    """Return all pairs of operators, in order."""
    return list(product(OPERATORS, repeat=2))


def kind_triples() -> list[Names]:
    """Return three operators for each three kinds, in order, whose data types fit if any do."""
    random = Random("kinds")
    return [_fitting(random, kinds) for kinds in product(KINDS, repeat=3)]


def _fitting(random: Random, kinds: Sequence[str]) -> Names:
    for _ in range(CALLS * ATTEMPTS):
        names = tuple(random.choice(KINDS[kind]) for kind in kinds)
        if all(may_follow(one, other) for one, other in pairwise(names)):
            break
    return names


def sampled_triples() -> list[Names]:
    """Return 20,000 random triples of operators."""
    random, names = Random("triples"), list(OPERATORS)
    return [tuple(random.choices(names, k=3)) for _ in range(20_000)]


def chain(number: int, names: Sequence[str]) -> Graph | None:
    """Return a graph of operators that follow each other.

    Parameters
    ----------
    number
        What the graph follows from, and its `seed`.
    names
        The operators, in order.

    Returns
    -------
    graph
        The graph; None if no result of one operator is an operand of the next.
    """
    if not all(may_follow(one, other) for one, other in pairwise(names)):
        return None
    for attempt in range(ATTEMPTS):
        writer = ChainWriter(f"chain {number} {attempt}", list(names))
        try:
            return writer.written(number, names)
        except (NoCall, Undefined, WrongType, ZeroDivisionError):
            continue
    return None


def may_follow(name: str, reader: str) -> bool:
    """Return whether an operand of one operator may have the data type of another's result."""
    known = OPERATORS[name].traits.get("result")
    results = [str(known)] if known in ("bool", "int64") else DTYPES["any"]
    if known is None and OPERATORS[name].operands:
        results = data_types(OPERATORS[name].operands[0])
    taken = [
        dtype
        for operand in OPERATORS[reader].operands
        if operand.name != "indices"
        for dtype in data_types(operand)
    ]
    return not set(results).isdisjoint(taken)


class ChainWriter(GraphWriter):
    """Writes one chain."""

    def __init__(self, seed: str, names: list[str]) -> None:
        super().__init__(seed, names)
        self.all_constant = False
        self.read: list[Value] = []
        """The values of which the next call must read one."""
        self.planned: list[Shape] = []
        """The shapes that are drawn next."""

    def written(self, number: int, names: Sequence[str]) -> Graph:
        """Return a chain."""
        middle: list[Value] = []
        for name in names:
            middle = self.read
            self.read = self.linked(name)
        self.read = middle
        chosen = self.random()
        if chosen < 0.3:
            self.second_reader()
        elif chosen < 0.5:
            self.used.discard(self.choice(middle).expr)
        return self.graph(number)

    def linked(self, name: str) -> list[Value]:
        """Call an operator on what the one before it gives; return its results."""
        before = len(self.values)
        for last in reversed(range(CALLS)):
            kept = len(self.params)
            self.focus = self.choice(self.read) if self.read else None
            self.planned = self.plan(name)
            try:
                self.call(OPERATORS[name])
                return self.values[before:]
            except (NoCall, Undefined):
                del self.params[kept:]
                if not last:
                    raise
        raise NoCall(name)

    def plan(self, name: str) -> list[Shape]:
        """Return the shapes to draw for a product of matrices that reads the value before."""
        shape = shape_of(self.focus) if self.focus is not None else ()
        if name != "matmul" or len(shape) < 2:
            return []
        (*batch, m, k), n = shape, self.dimension()
        return [tuple(batch), self.choice([(m, k, n), (n, m, k)])]

    def shape(self, rank: int | None, least: int) -> Shape:
        """Return the planned shape, or one that the value before has."""
        return self.planned.pop(0) if self.planned else super().shape(rank, least)

    def second_reader(self) -> None:
        """Let another operator read the value in the middle, too."""
        for _ in range(CALLS):
            try:
                self.linked(self.choice(self.taking(self.choice(self.read))))
                return
            except (NoCall, Undefined):
                continue

    def emit(self, name: str, call: relay.Call, operands: list[Value]) -> None:
        """Bind a call that reads one of the values that it must read."""
        needed = {one.expr for one in self.read}
        if needed and not any(one.expr in needed for one in operands):
            raise NoCall("the value before is not read")
        super().emit(name, call, operands)

    def taking(self, focus: Value | None) -> list[str]:
        """Return the operators whose first operand may have the data type of a value."""
        self.names = list(OPERATORS)
        return super().taking(focus)

    def dimension(self) -> int:
        """Draw the length of a dimension."""
        if self.is_symbolic and self.random() < 0.4:
            return SIZES["n"]
        return self.choice(DIMENSIONS)
