"""The order in which candidates are measured."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from random import Random

from .cost_model import CostModel, default_model
from .space import Space, Trace

__all__ = ["SMALL", "Evolution", "Exhaustive", "SearchStrategy", "default_strategy"]

SMALL = 64
"""The largest space that is searched whole."""


class SearchStrategy(ABC):
    """Proposes candidates, and hears their times, on which the next proposals depend."""

    @abstractmethod
    def propose(self, count: int) -> list[Trace]:
        """Return new candidates.

        Parameters
        ----------
        count
            The most candidates to return.

        Returns
        -------
        traces
            Candidates that were not proposed before; none if the search has ended.
        """

    @abstractmethod
    def tell(self, trace: Trace, time: float | None) -> None:
        """Take the time of a candidate.

        Parameters
        ----------
        trace
            The candidate: a proposal, or one that an earlier search has measured.
        time
            The time relative to the recipes' choice; None if the candidate failed.
        """


class Exhaustive(SearchStrategy):
    """All candidates of a space, in its order."""

    def __init__(self, space: Space) -> None:
        self._left: Iterator[Trace] = space.traces()
        self._seen = {space.default}

    def propose(self, count: int) -> list[Trace]:  # noqa: D102 - as the base
        made: list[Trace] = []
        for trace in self._left:
            if trace not in self._seen:
                self._seen.add(trace)
                made.append(trace)
            if len(made) == count:
                break
        return made

    def tell(self, trace: Trace, time: float | None) -> None:  # noqa: D102 - as the base
        self._seen.add(trace)


class Evolution(SearchStrategy):
    """Changes of the best candidates, chosen by a model of their times.

    Parameters
    ----------
    space
        The candidates.
    model
        Predicts times; None for `default_model`.
    seed
        The seed of all draws.
    parents
        The number of best candidates that are changed.
    pool
        The number of candidates among which the model chooses.
    """

    def __init__(
        self,
        space: Space,
        model: CostModel | None = None,
        seed: int = 0,
        parents: int = 8,
        pool: int = 128,
    ) -> None:
        self._space = space
        self._model = default_model(seed) if model is None else model
        self._random = Random(seed)
        self._parents, self._pool = parents, pool
        self._seen = {space.default}
        self._times: dict[Trace, float] = {space.default: 1.0}
        self._is_new = False

    def propose(self, count: int) -> list[Trace]:  # noqa: D102 - as the base
        if self._is_new:
            features = [self._space.features(trace) for trace in self._times]
            self._model.update(features, list(self._times.values()))
            self._is_new = False
        pool = self._candidates()
        scores = (
            self._model.predict([self._space.features(trace) for trace in pool]) if pool else []
        )
        ranked = [trace for _, trace in sorted(zip(scores, pool, strict=True))]
        made = ranked[: count - count // 4]
        left = [trace for trace in pool if trace not in made]
        made += self._random.sample(left, min(count - len(made), len(left)))
        self._seen.update(made)
        return made

    def tell(self, trace: Trace, time: float | None) -> None:  # noqa: D102 - as the base
        self._seen.add(trace)
        if time is not None:
            self._times[trace] = time
            self._is_new = True

    def _candidates(self) -> list[Trace]:
        """Return new candidates: half of them changes of the best, half drawn."""
        best = sorted(self._times, key=self._times.__getitem__)[: self._parents]
        made: dict[Trace, None] = {}
        for at in range(self._pool):
            if at % 2:
                trace = self._space.draw(self._random)
            else:
                trace = self._space.change(self._random.choice(best), self._random)
            if trace not in self._seen:
                made[trace] = None
        return list(made)


def default_strategy(space: Space, seed: int = 0) -> SearchStrategy:
    """Return a strategy for a space.

    Parameters
    ----------
    space
        The candidates.
    seed
        The seed of draws.

    Returns
    -------
    strategy
        `Exhaustive` if there are at most 64 candidates, else `Evolution`.
    """
    return Exhaustive(space) if space.size() <= SMALL else Evolution(space, seed=seed)
