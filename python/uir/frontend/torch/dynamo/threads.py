"""The number of threads of the process during calls of compiled functions."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

from ....runtime import num_threads, set_num_threads

__all__ = ["with_threads"]

LOCK = Lock()

# The numbers of the calls that run now, and behind the first one that of the process before it.
RUNNING: list[int] = []


def with_threads(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Return a function whose loops run on a number of threads.

    The number is one of the process, which has its own one again after the last of such calls that
    run at once. Loops that other threads begin meanwhile run on `count` threads too.

    Parameters
    ----------
    function
        A compiled function.
    count
        The number of threads, including the calling one.
    """

    def call(*args: Any) -> Any:
        enter(count)
        try:
            return function(*args)
        finally:
            leave(count)

    return call


def enter(count: int) -> None:
    """Set the number of threads for a call."""
    with LOCK:
        if not RUNNING:
            RUNNING.append(num_threads())
        RUNNING.append(count)
        set_num_threads(count)


def leave(count: int) -> None:
    """Set the number of threads for the calls that still run, or the one before them."""
    with LOCK:
        del RUNNING[max(place for place, one in enumerate(RUNNING) if one == count)]
        set_num_threads(RUNNING[-1])
        if len(RUNNING) == 1:
            RUNNING.clear()
