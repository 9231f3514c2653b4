"""Models and strategies of Python drive searches, and broken ones end them by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tvm_ffi import convert

from uir.tuning import (
    CostModel,
    LocalWorkers,
    Result,
    RidgeRegression,
    SearchStrategy,
    Trace,
    evolution,
    feature_names,
    loop_features,
    make_cost_model,
    make_strategy,
    register_cost_model,
    register_strategy,
    space_of,
    tune,
)
from uir_nodes import tuning as nodes

from .samples import FormulaMeasurer, kernel_of, product

RECORDED = Path(__file__).parents[3] / "tuning" / "recorded.txt"


@dataclass(frozen=True)
class Recorded:
    """Candidates with their times, as `tests/tuning/recorded.txt` has them."""

    traces: list[Trace]
    features: list[tuple[float, ...]]
    times: list[float]
    winner: int
    proposals: list[int]

    @classmethod
    def read(cls) -> Recorded:
        first, rows = RECORDED.read_text().split("\n\n")
        winner, proposals = (list(map(int, line.split()[1:])) for line in first.splitlines())
        columns = [row.split("\t") for row in rows.splitlines()]
        features = [tuple(map(float, one[1].split())) for one in columns]
        times = [float(one[0]) for one in columns]
        return cls([(one[2],) for one in columns], features, times, winner[0], proposals)

    @property
    def space(self) -> nodes.SpaceFunctions:
        """The space, whose draws and changes are those of the other languages."""
        count = len(self.traces)

        def iterate() -> Callable[[], Trace | None]:
            left = iter(self.traces)
            return lambda: next(left, None)

        def draw(seed: int) -> Trace:
            return self.traces[seed % count]

        def change(trace: Trace, seed: int) -> Trace:
            return self.traces[(self.traces.index(tuple(trace)) + 1 + seed % 9) % count]

        def features(candidates: Sequence[Trace]) -> list[tuple[float, ...]]:
            return [self.features[self.traces.index(tuple(one))] for one in candidates]

        return nodes.SpaceFunctions(
            "recorded", self.traces[0], count, *map(convert, (iterate, draw, change, features))
        )

    def search(self, strategy: nodes.SearchStrategyFunctions) -> tuple[int, list[int]]:
        """Return the winner and the proposals."""
        proposals: list[int] = []

        def measure(trace: Trace) -> float:
            proposals.append(self.traces.index(tuple(trace)))
            return self.times[proposals[-1]]

        best = nodes.search(self.space, strategy, measure, len(self.proposals))
        return self.traces.index(tuple(best)), proposals


@pytest.fixture(scope="module")
def recorded() -> Recorded:
    return Recorded.read()


class Nearest(CostModel):
    """Predicts the time of the nearest measured candidate."""

    def __init__(self) -> None:
        self.known: list[tuple[Sequence[float], float]] = []

    def update(self, features: Sequence[Sequence[float]], times: Sequence[float]) -> None:
        self.known = list(zip(features, times, strict=True))

    def predict(self, features: Sequence[Sequence[float]]) -> list[float]:
        def score(row: Sequence[float]) -> float:
            far = [sum(abs(a - b) for a, b in zip(row, one, strict=True)) for one, _ in self.known]
            return self.known[far.index(min(far))][1]

        return [score(row) for row in features]


def test_a_model_of_python_finds_the_recorded_winner(recorded: Recorded) -> None:
    for _ in range(2):
        found = recorded.search(evolution(recorded.space, Nearest(), 7))
        assert found == (recorded.winner, recorded.proposals)


class Broken(CostModel):
    """A model with a mistake."""

    name = "toy.broken"

    def __init__(self, mistake: str) -> None:
        self.mistake = mistake

    def update(self, features: Sequence[Sequence[float]], times: Sequence[float]) -> None:
        if self.mistake == "update":
            raise LookupError("no tree")

    def predict(self, features: Sequence[Sequence[float]]) -> list[float]:
        if self.mistake == "predict":
            raise LookupError("no leaf")
        made = [1.0] * (len(features) - (self.mistake == "count"))
        return [math.nan, *made[1:]] if self.mistake == "nan" else made


class BrokenStrategy(SearchStrategy):
    """A strategy with a mistake."""

    name = "toy.wrong"

    def __init__(self, trace: Trace, mistake: str) -> None:
        self.trace, self.mistake = trace, mistake

    def propose(self, count: int) -> Any:
        if self.mistake == "raises":
            raise LookupError("no proposal")
        return {"again": [self.trace], "many": [self.trace] * 9, "type": 3}[self.mistake]

    def tell(self, trace: Trace, time: float | None) -> None:
        pass


def tuned(**parts: Any) -> Result:
    """Search with times by a formula, for at most ten minutes."""
    workers = LocalWorkers([FormulaMeasurer()])
    return tune(product(), budget="10m", trials=40, workers=workers, **parts)


MODELS = {
    "update": (LookupError, "no tree"),
    "predict": (LookupError, "no leaf"),
    "count": (ValueError, r"`predict` returned \d+ scores for \d+ candidates"),
    "nan": (ValueError, "score 0 is nan, which is not finite"),
}


@pytest.mark.parametrize("mistake", MODELS)
def test_a_broken_model_ends_a_search_by_name(mistake: str) -> None:
    error, message = MODELS[mistake]
    with pytest.raises(error, match=f"in cost model `toy.broken`: {message}"):
        tuned(cost_model=lambda _: Broken(mistake), strategy="evolution")


STRATEGIES = {
    "again": (ValueError, "`propose` returned a candidate again"),
    "many": (ValueError, "`propose` returned 9 candidates, of at most 8"),
    "type": (TypeError, "`propose` must return an array of traces, got `int`"),
    "raises": (LookupError, "no proposal"),
}


@pytest.mark.parametrize("mistake", STRATEGIES)
def test_a_broken_strategy_ends_a_search_by_name(mistake: str) -> None:
    error, message = STRATEGIES[mistake]
    with pytest.raises(error, match=f"in strategy `toy.wrong`: {message}"):
        tuned(strategy=lambda space, *_: BrokenStrategy(space.default, mistake))


def test_registered_parts_drive_a_search() -> None:
    made: list[str] = []

    @register_cost_model("test.nearest")
    def nearest(seed: int) -> CostModel:
        made.append(f"model {seed}")
        return Nearest()

    @register_strategy("test.evolution")
    def strategy(
        space: nodes.SpaceFunctions, model: nodes.CostModelFunctions, seed: int
    ) -> nodes.SearchStrategyFunctions:
        made.append(model.name)
        return evolution(space, model, seed)

    first, second = (
        tuned(cost_model="test.nearest", strategy=one, seed=3)
        for one in ("test.evolution", "evolution")
    )
    assert first.kernels == second.kernels != ()
    assert made == ["model 3", "Nearest", "model 3"]
    with pytest.raises(ValueError, match="cost model `test.nearest` is registered already, at"):
        register_cost_model("test.nearest", nearest)


def test_unknown_names_list_the_known_ones(recorded: Recorded) -> None:
    with pytest.raises(ValueError, match=r"there is no cost model `far`; there are `ridge`, `t"):
        make_cost_model("far")
    with pytest.raises(ValueError, match="there is no strategy `far`; there are `evolution`, `exh"):
        make_strategy("far", recorded.space, RidgeRegression())


def numbers_of(trace: Trace) -> Iterator[tuple[str, float]]:
    (row,) = loop_features(kernel_of(product()).func, [trace])
    return zip(feature_names(), (2**one - 1 for one in row), strict=True)


def test_features_count_the_work_of_the_loops() -> None:
    (line,) = space_of(kernel_of(product())).default
    head = line.split(" many_rows(")[0].split(" few_rows(")[0]
    lanes = "row_block=48, column_block=256, parallel=0"
    wide, narrow = (
        dict(
            numbers_of((f"{head} many_rows(rows=4, vectors={n}, lanes=8, sum_block=64, {lanes})",))
        )
        for n in (2, 1)
    )
    # 48 x 64 x 64 products of 8 lanes, and each row of a tile loads one number for all its vectors.
    assert wide["vector operations"] == pytest.approx(48 * 64 * 64 / 8)
    assert narrow["scalar loads"] == pytest.approx(2 * wide["scalar loads"])
    assert wide["bytes of registers"] > narrow["bytes of registers"]
    assert loop_features(kernel_of(product()).func, [("ScheduleContraction: z: few_rows()",)]) == [
        ()
    ]
