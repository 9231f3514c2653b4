"""Strategies propose each candidate once, the same for a seed, and find the best of a formula."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from uir.tuning import (
    BoostedTrees,
    Kernel,
    RidgeRegression,
    Space,
    Trace,
    cost_model,
    default_model,
    default_strategy,
    evolution,
    space_of,
)
from uir_nodes import tuning as nodes

from .samples import kernel_of, product, time_by_formula


@pytest.fixture(scope="module")
def space() -> Space:
    kernel: Kernel = kernel_of(product())
    return space_of(kernel)


def proposals_of(strategy: nodes.SearchStrategyFunctions, count: int) -> list[Trace]:
    return [tuple(map(str, trace)) for trace in strategy.propose(count)]


def search(
    strategy: nodes.SearchStrategyFunctions, space: Space, trials: int
) -> dict[Trace, float]:
    """Return the times of the candidates that a strategy proposes, without the default."""
    base, times = time_by_formula(space.default), dict[Trace, float]()
    while len(times) < trials and (proposals := proposals_of(strategy, 8)):
        for trace in proposals:
            assert trace not in times
            assert trace != space.default
            times[trace] = time_by_formula(trace)
            strategy.tell(trace, times[trace] / base)
    return times


def test_a_seed_gives_the_same_proposals(space: Space) -> None:
    first, second, other = (
        list(search(evolution(space, RidgeRegression(), seed), space, 40)) for seed in (3, 3, 4)
    )
    assert first == second != other


def test_evolution_finds_better_candidates_than_draws(space: Space) -> None:
    best, drawn = [], []
    for seed in range(5):
        best.append(min(search(evolution(space, RidgeRegression(), seed), space, 80).values()))
        random = Random(seed)
        drawn.append(min(time_by_formula(space.draw(random)) for _ in range(80)))
    assert np.mean(best) < np.mean(drawn)
    assert min(best) == 1.0


def test_failed_candidates_do_not_come_again(space: Space) -> None:
    strategy = evolution(space, RidgeRegression(), 0)
    failed = proposals_of(strategy, 8)
    for trace in failed:
        strategy.tell(trace, None)
    later = [trace for _ in range(5) for trace in proposals_of(strategy, 8)]
    assert not {*failed} & {*later}


class Few(Space):
    """Four candidates."""

    @property
    def default(self) -> Trace:
        return ("0",)

    def size(self) -> int:
        return 4

    def traces(self) -> Iterator[Trace]:
        return iter([(str(place),) for place in range(4)])

    def draw(self, random: Random) -> Trace:
        return self.default

    def change(self, trace: Trace, random: Random) -> Trace:
        return trace

    def refusal(self, trace: Trace) -> str:
        return ""

    def features(self, trace: Trace) -> tuple[float, ...]:
        return ()


def test_few_candidates_are_all_tried() -> None:
    strategy = default_strategy(Few(), RidgeRegression())
    assert strategy.name == "exhaustive"
    strategy.tell(("2",), 1.0)  # An earlier search has measured it.
    assert proposals_of(strategy, 1) == [("1",)]
    assert proposals_of(strategy, 8) == [("3",)]
    assert proposals_of(strategy, 8) == []


def test_a_space_without_other_candidates_ends_the_search() -> None:
    strategy = evolution(Few(), RidgeRegression())
    assert proposals_of(strategy, 8) == []


def test_the_regression_learns_a_quadratic_function() -> None:
    generator = np.random.default_rng(0)
    known, new = generator.normal(size=(200, 3)), generator.normal(size=(50, 3))
    times, wanted = (np.exp(0.3 * one[:, 0] - 0.2 * one[:, 1] * one[:, 2]) for one in (known, new))
    model = RidgeRegression(1e-3)
    assert model.predict(known.tolist()) == [0.0] * 200
    model.update(known.tolist(), times.tolist())
    assert np.allclose(model.predict(new.tolist()), np.log(wanted), atol=0.05)


class Trees:
    """Stands for a regressor of xgboost: it knows by heart."""

    def __init__(self, random_state: int, **options: float) -> None:
        assert random_state == 7 and options["n_jobs"] == 1
        self.known: dict[float, float] = {}

    def fit(self, features: Any, logs: Any) -> None:
        self.known = dict(zip(features[:, 0], logs, strict=True))

    def predict(self, features: Any) -> list[float]:
        return [self.known[one] for one in features[:, 0]]


def test_boosted_trees_are_the_model_if_a_package_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost_model, "find_spec", lambda _: True)
    monkeypatch.setattr(cost_model, "import_module", lambda _: SimpleNamespace(XGBRegressor=Trees))
    model = default_model(7)
    assert isinstance(model, BoostedTrees)
    assert model.predict([[1.0]]) == [0.0]
    model.update([[1.0], [2.0]], [1.0, np.e])
    assert model.predict([[2.0], [1.0]]) == [1.0, 0.0]


def test_without_a_package_the_model_is_a_regression(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost_model, "find_spec", lambda _: None)
    assert isinstance(default_model(), RidgeRegression)
    with pytest.raises(ImportError, match=r"install `uir\[tune\]`"):
        BoostedTrees()
