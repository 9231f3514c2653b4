"""The ranges of values: all of them, or without a share of the largest ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from ..frontend.tensors import Array

__all__ = ["METHODS", "Range", "Runs", "min_max", "percentile"]

Range: TypeAlias = tuple[float, float]

# Runs the model on all calls, each time that it is called.
Runs: TypeAlias = Callable[[], Iterable[Mapping[str, Array]]]

METHODS = ("min-max", "percentile")

BINS = 2048


def min_max(runs: Runs, values: Sequence[str]) -> dict[str, Range]:
    """Return the least and the largest element of values; not finite if an element is not.

    Parameters
    ----------
    runs
        Runs the model.
    values
        The names of the values.
    """
    found: dict[str, Range] = {}
    for run in runs():
        for name in values:
            if run[name].size == 0:
                continue
            low, high = found.get(name, (np.inf, -np.inf))
            # NaN is the least and the largest element of arrays that have it.
            ends = (np.minimum(low, run[name].min()), np.maximum(high, run[name].max()))
            found[name] = (float(ends[0]), float(ends[1]))
    return {name: found.get(name, (0.0, 0.0)) for name in values}


@dataclass
class Histogram:
    """The numbers of elements in parts of a range, all of the same width."""

    low: float
    high: float
    counts: Array = field(default_factory=lambda: np.zeros(BINS, np.int64))

    def add(self, values: Array) -> None:
        """Count the elements of an array."""
        self.counts += np.histogram(values, BINS, (self.low, self.high))[0]

    def range(self, share: float) -> Range:
        """Return the range that is left without a share of the elements, half at each end."""
        below = np.cumsum(self.counts) / max(self.counts.sum(), 1)
        first = int(np.searchsorted(below, (1 - share) / 2, "right"))
        last = int(np.searchsorted(below, 1 - (1 - share) / 2, "left"))
        width = (self.high - self.low) / BINS
        return self.low + first * width, self.low + min(last + 1, BINS) * width


def percentile(runs: Runs, values: Sequence[str], percent: float) -> dict[str, Range]:
    """Return the ranges that have a percentage of the elements of values.

    The model runs twice: a histogram of 2048 parts needs the whole range first.

    Parameters
    ----------
    runs
        Runs the model.
    values
        The names of the values.
    percent
        The percentage, above 0 and up to 100; half of the others are cut at each end.
    """
    ranges = min_max(runs, values)
    histograms = {
        name: Histogram(*ends)
        for name, ends in ranges.items()
        if np.isfinite(ends).all() and ends[0] < ends[1]
    }
    for run in runs():
        for name, histogram in histograms.items():
            histogram.add(run[name])
    cut = {name: one.range(percent / 100) for name, one in histograms.items()}
    return {**ranges, **cut}
