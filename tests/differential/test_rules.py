"""Random graphs have every operator: one that `tests/operators` has no rule for makes this fail."""

from __future__ import annotations

import pytest

from uir import ir

from .batches import outcomes
from .graphs import OPERATORS, random_graph


@pytest.mark.parametrize("name", OPERATORS)
def test_graphs_of_one_operator(name: str) -> None:
    graphs = [random_graph(seed, [name], 2) for seed in range(4)]
    for graph in graphs:
        assert graph.names == [name, name]
        assert ir.verify(ir.IRModule({ir.GlobalVar("main"): graph.function})) == []


def test_the_same_seed_is_the_same_graph() -> None:
    one, other = random_graph(7), random_graph(7)
    assert ir.structural_equal(one.function, other.function)
    pairs = zip(one.arguments[0], other.arguments[0], strict=True)
    assert all(x.tobytes() == y.tobytes() for x, y in pairs)


def test_graphs_of_one_library() -> None:
    graphs = [random_graph(seed, ["add", "exp", "transpose"], 3) for seed in range(12)]
    assert {outcome.kind for outcome in outcomes(graphs)} <= {"equal", "rounding"}
