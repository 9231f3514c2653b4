"""Measurements of compiled functions."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tvm_ffi import Module

from . import _ffi_api

__all__ = ["Timing", "time_evaluator"]


@dataclass(frozen=True)
class Timing:
    """How long a function takes, in seconds.

    Attributes
    ----------
    results
        Of each measurement, the time of a call.
    """

    results: tuple[float, ...]

    @property
    def min(self) -> float:
        """The shortest time."""
        return min(self.results)

    @property
    def max(self) -> float:
        """The longest time."""
        return max(self.results)

    @property
    def mean(self) -> float:
        """The mean of the times."""
        return statistics.fmean(self.results)

    @property
    def median(self) -> float:
        """The median of the times."""
        return statistics.median(self.results)

    @property
    def std(self) -> float:
        """The standard deviation of the times; 0 if there is one."""
        return statistics.pstdev(self.results)


def time_evaluator(
    module: Module,
    name: str = "main",
    *,
    number: int = 10,
    repeat: int = 3,
    min_repeat_ms: int = 0,
) -> Callable[..., Timing]:
    """Make a function that measures one of a module.

    It passes its arguments on, once to warm up and then `number * repeat` times.

    Parameters
    ----------
    module
        The module.
    name
        The name of the function.
    number
        The calls of each measurement.
    repeat
        The number of measurements.
    min_repeat_ms
        The least time of a measurement in milliseconds: one that ends earlier is repeated with more
        calls, as are those that follow.

    Returns
    -------
    evaluator
        A function of the same arguments that returns the times.

    Raises
    ------
    ValueError
        If the module does not have the function, `number` or `repeat` is not positive, or
        `min_repeat_ms` is negative.
    """
    measure = _ffi_api.time_evaluator(module, name, number, repeat, min_repeat_ms)

    def evaluate(*args: Any) -> Timing:
        return Timing(tuple(measure(*args)))

    return evaluate
