"""A bar of progress on a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ..transform import Instrument

if TYPE_CHECKING:
    from uir_nodes.ir import IRModule
    from uir_nodes.transform import PassInfo

__all__ = ["PassBar"]

WIDTH = 30


class PassBar(Instrument):
    """Draws how many passes have run, if the standard error is a terminal.

    Parameters
    ----------
    steps
        The number of all steps: passes, and what comes after them.
    """

    def __init__(self, steps: int) -> None:
        super().__init__()
        self._steps = steps
        self._done = 0
        self._depth = 0
        self._is_shown = sys.stderr.isatty()

    def run_before_pass(self, module: IRModule, info: PassInfo, /) -> None:
        """Name a pass that no other one contains."""
        if self._depth == 0:
            self.show(info.name)
        self._depth += 1

    def run_after_pass(self, module: IRModule, info: PassInfo, /) -> None:
        """Count such a pass."""
        self._depth -= 1
        if self._depth == 0:
            self._done += 1

    def show(self, name: str) -> None:
        """Draw the bar with the name of the step that begins."""
        if not self._is_shown:
            return
        filled = WIDTH * min(self._done, self._steps) // self._steps
        bar = "#" * filled + "-" * (WIDTH - filled)
        # The line is as long as it was, or cleared to its end.
        print(f"\r[{bar}] {name}\x1b[K", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the bar."""
        if self._is_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
