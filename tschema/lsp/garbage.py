"""When a server looks for garbage, which takes a third of an answer with the habits of Python."""

from __future__ import annotations

import asyncio
import gc

_YOUNG = 100_000
"""New objects before a collection; Python's own number is 700."""
_WAITING = 20_000
"""New objects that are worth a collection while no request waits."""
_PAUSE = 0.05
"""Seconds after a change in which the editor asks about it; keys follow each other later."""


def collect_rarely() -> None:
    """Look for garbage once in many objects."""
    gc.set_threshold(_YOUNG)


def keep_all() -> None:
    """Let no collection look again at the objects that there are now."""
    gc.collect()
    gc.freeze()


class IdleCollector:
    """Looks for young garbage between two keys, so that no answer waits for that."""

    def __init__(self) -> None:
        """Wait for the first change."""
        self._timer: asyncio.TimerHandle | None = None

    def later(self) -> None:
        """Look once the answers about a change are given."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(_PAUSE, _collect_young)


def _collect_young() -> None:
    if gc.get_count()[0] > _WAITING:
        gc.collect(0)
