"""How benchmarks time two sides and print what they found."""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable

__all__ = ["in_turns", "interleaved", "report", "timed"]


PAUSE_S = 0.1
"""How long no side runs, before threads are timed."""


def report(name: str, ours: float, peer: float, unit: str, *, more_is_better: bool = False) -> None:
    """Print one JSON line; `ratio` above 1 means that we are faster, smaller, or go deeper."""
    better, worse = (ours, peer) if more_is_better else (peer, ours)
    line = {"name": name, "ours": ours, "peer": peer, "unit": unit, "ratio": better / worse}
    print(json.dumps({key: _rounded(value) for key, value in line.items()}), flush=True)


def _rounded(value: object) -> object:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def interleaved(
    ours: Callable[[], object],
    peer: Callable[[], object],
    *,
    rounds: int,
    calls: int,
    threads: int = 1,
) -> tuple[float, float]:
    """Time two functions in turns, by the time of the processor.

    On a busy machine the slower side is interrupted more often, which adds to time on the clock
    alone, and changes the ratio. Only that clock tells what several threads gain: the least time
    is taken then, after a pause in which the threads of the other side stop to spin for work.

    Parameters
    ----------
    ours, peer
        The two sides.
    rounds
        How often each side is timed; the medians are returned.
    calls
        Calls in one timing.
    threads
        How many threads the two sides use.

    Returns
    -------
    ours, peer
        Nanoseconds of one call.
    """
    clock = time.process_time_ns if threads == 1 else time.perf_counter_ns
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for side, function in enumerate((ours, peer)):
            if threads > 1:
                time.sleep(PAUSE_S)
                function()
            start = clock()
            for _ in range(calls):
                function()
            times[side].append((clock() - start) / calls)
    typical = statistics.median if threads == 1 else min
    return typical(times[0]), typical(times[1])


def in_turns(
    ours: Callable[[int], float], peer: Callable[[int], float], *, rounds: int, calls: int
) -> tuple[float, float]:
    """Ask two sides in turns how long a call takes.

    Parameters
    ----------
    ours, peer
        Take a number of calls, and return the time of one of them.
    rounds
        How often each side is asked; the medians are returned.
    calls
        Calls in one round.

    Returns
    -------
    ours, peer
        Time of one call, in the unit of the two sides.
    """
    times = [(ours(calls), peer(calls)) for _ in range(rounds)]
    return statistics.median(time for time, _ in times), statistics.median(
        time for _, time in times
    )


def timed(function: Callable[[], object], calls: int) -> float:
    """Return the nanoseconds that one call takes the processor, without the garbage collector's.

    Time of the processor, since what else runs on a machine does not count in it.
    """
    gc.collect()
    gc.disable()
    start = time.process_time_ns()
    for _ in range(calls):
        function()
    elapsed = time.process_time_ns() - start
    gc.enable()
    return elapsed / calls
