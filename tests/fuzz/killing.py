"""A process that dies at one of its file operations, without dying.

From that operation on no operation does anything: what is on the disk then is what a kill leaves.
"""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tschema.output import files, journal

__all__ = ["Killed", "killed_at"]

_OPERATIONS = ("replace", "unlink", "mkdir", "rmdir", "fsync", "chmod", "chown", "rename")


class Killed(BaseException):
    """The process has ended."""


class Counter:
    """Counts operations, and refuses those from the last one on."""

    def __init__(self, last: int, error: OSError | None, die: Callable[[], None]) -> None:
        self.count = 0
        self.failed = ""
        """The operation that failed."""
        self._last = last
        self._error = error
        self._die = die

    def wrap(self, name: str, operation: Callable[..., Any]) -> Callable[..., Any]:
        """Return an operation that is counted."""

        def counted(*arguments: Any, **options: Any) -> Any:
            self.count += 1
            if self._error is not None and self.count == self._last:
                self.failed = name
                raise self._error
            if self._error is None and self.count >= self._last:
                self._die()
            return operation(*arguments, **options)

        return counted


def _die() -> None:
    raise Killed


@contextmanager
def killed_at(
    last: int, error: OSError | None = None, die: Callable[[], None] = _die
) -> Iterator[Counter]:
    """
    Let the writer die at an operation, or let that one operation fail.

    Parameters
    ----------
    last
        Number of the operation, from 1.
    error
        How the operation fails; the process dies if None.
    die
        How it dies.
    """
    counter = Counter(last, error, die)
    real = {name: getattr(os, name) for name in _OPERATIONS}
    for name, operation in real.items():
        setattr(os, name, counter.wrap(name, operation))
    for module in (files, journal):
        vars(module)["open"] = counter.wrap("open", builtins.open)
    try:
        yield counter
    finally:
        for name, operation in real.items():
            setattr(os, name, operation)
        for module in (files, journal):
            del vars(module)["open"]
