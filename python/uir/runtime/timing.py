"""Measurements of compiled functions."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from tvm_ffi import Module

from uir_nodes.runtime import Profile

from . import _ffi_api
from .html import Bar, fragment, rows_table
from .units import time_text

__all__ = ["Timing", "profile", "time_evaluator"]


@dataclass(frozen=True)
class Timing:
    """How long a function takes, in seconds.

    Attributes
    ----------
    results
        The time of a call, for each measurement.
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

    def __str__(self) -> str:
        """Return the median, and the range of the times."""
        count = len(self.results)
        spread = f"{time_text(self.min)} to {time_text(self.max)}"
        return f"{time_text(self.median)} (median of {count}, {spread})"

    def _repr_html_(self) -> str:
        """Return the times as a table with bars, for notebooks."""
        rows = [
            (str(place), Bar(one / self.max, time_text(one)))
            for place, one in enumerate(self.results)
        ]
        return fragment(rows_table(str(self), ["measurement", "time of a call"], rows))


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

    def evaluate(*args: object) -> Timing:
        return Timing(tuple(measure(*args)))

    return evaluate


def profile(module: Module, name: str = "main", *, number: int = 10) -> Callable[..., Profile]:
    """Make a function that tells which kernels of a module take the time of a call.

    It passes its arguments on, once to warm up and then `number` times. Kernels of the module and
    of those that it imports are counted, as far as the thread calls them that profiles; a loop on
    several threads counts from its begin to its end. Other threads may call the module meanwhile.

    Parameters
    ----------
    module
        The module: a result of `uir.build`, or one loaded from a file.
    name
        The name of the function.
    number
        The number of calls.

    Returns
    -------
    profiler
        A function of the same arguments that returns the profile, which prints as a table.

    Raises
    ------
    ValueError
        If the module does not have the function or any kernel, or `number` is not positive.

    Examples
    --------
    >>> import numpy as np
    >>> import uir
    >>> from uir import runtime, te
    >>> x = te.placeholder((8,), "float32", name="x")
    >>> y = te.compute((8,), lambda i: x[i] * 2.0, name="y")
    >>> module = uir.build([x, y])
    >>> profile = runtime.profile(module)(np.ones(8, "float32"), np.empty(8, "float32"))
    >>> [(kernel.name, kernel.calls, kernel.flops) for kernel in profile.kernels]
    [('main', 10, 80)]
    """
    measure = _ffi_api.profile(module, name, number)

    def run(*args: object) -> Profile:
        measured: Profile = measure(*args)
        return measured

    return run
