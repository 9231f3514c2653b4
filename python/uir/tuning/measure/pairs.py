"""Decisions about two functions that are timed in turns."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from statistics import median

__all__ = ["CLOSE", "decide", "ratio_of"]

CLOSE = 0.01
"""The difference of times, as a fraction, below which two functions are equal."""

FEWEST = 8
_WIDTH = 3.0
"""The width of intervals in standard deviations: one of 400 misses the median."""


def ratio_of(times: Sequence[float], against: Sequence[float]) -> float:
    """Return the median of the ratios of pairs."""
    return exp(median(map(_log_ratio, times, against)))


def decide(times: Sequence[float], against: Sequence[float]) -> str:
    """Compare the functions of some pairs.

    The interval between two order statistics of the ratios has the true median with a probability
    above 99.7 %. It assumes no distribution, so an interrupted call is one pair of many.

    Parameters
    ----------
    times
        The times of the first function.
    against
        Those of the second one, pair by pair.

    Returns
    -------
    decision
        `faster` if the interval lies below 1 and the median is not close to 1; `slower` if the
        interval lies above 1; `equal` if the first function is not faster by more than what counts
        as close; empty if more pairs are needed.
    """
    ratios = sorted(map(_log_ratio, times, against))
    if len(ratios) < FEWEST:
        return ""
    middle = median(ratios)
    edge = int(len(ratios) / 2 - _WIDTH * sqrt(len(ratios)) / 2)
    if edge < 0:
        return "slower" if ratios[0] > log(1.25) else ""
    low, high = ratios[edge], ratios[-1 - edge]
    if low > 0:
        return "slower"
    if low > -CLOSE:
        return "equal"
    return "faster" if high < 0 and middle < -CLOSE else ""


def _log_ratio(time: float, against: float) -> float:
    return log(time / against)
