"""Times of passes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from uir_nodes.ir import IRModule
from uir_nodes.transform import PassInfo

from ...runtime.html import Bar, fragment, rows_table
from ...runtime.units import time_text
from ..instrument_base import Instrument
from .pass_stack import PassRun, PassStack

__all__ = ["PassTiming"]


class PassTiming(Instrument):
    """
    Measure the time of each pass, including those in a sequence.

    Parameters
    ----------
    clock
        Clock, in nanoseconds.

    Examples
    --------
    >>> timing = PassTiming()
    >>> with PassContext(instruments=[timing]):
    ...     module = pipeline(module)
    >>> print(timing.render())
    """

    def __init__(self, *, clock: Callable[[], int] = time.perf_counter_ns) -> None:
        super().__init__()
        self._clock = clock
        self._stack = PassStack(clock)

    @property
    def runs(self) -> Sequence[PassRun]:
        """The runs in the last context, in order of their start."""
        return self._stack.runs

    def enter_pass_ctx(self) -> None:
        """Discard the times of an earlier context."""
        self._stack = PassStack(self._clock)

    def run_before_pass(self, module: IRModule, info: PassInfo) -> None:
        """Start the clock of a pass.

        Parameters
        ----------
        module
            The input of the pass.
        info
            The pass.
        """
        self._stack.enter(info)

    def run_after_pass(self, module: IRModule, info: PassInfo) -> None:
        """Stop the clock of a pass.

        Parameters
        ----------
        module
            The result of the pass.
        info
            The pass.
        """
        self._stack.leave(info)

    def exit_pass_ctx(self) -> None:
        """Stop the clocks of the passes that failed."""
        self._stack.abandon()

    def render(self) -> str:
        """Return the times as a table.

        Returns
        -------
        str
            One line for each run, indented by depth: milliseconds, percentage of the total, name,
            and whether it failed.
        """
        total = sum(run.nanoseconds for run in self.runs if run.depth == 0)
        lines = [f"{'ms':>10} {'%':>6}  pass"]
        lines += [_line(run, total) for run in self.runs]
        lines.append(f"{total / 1e6:10.3f} {100:6.1f}  total")
        return "\n".join(lines) + "\n"

    def _repr_html_(self) -> str:
        """Return the times as a table with bars, for notebooks."""
        total = sum(run.nanoseconds for run in self.runs if run.depth == 0)
        rows = [_row(run, total) for run in self.runs]
        return fragment(rows_table(f"passes: {time_text(total / 1e9)}", ["pass", "time"], rows))


def _row(run: PassRun, total: int) -> tuple[str, Bar]:
    share = run.nanoseconds / total if total else 0.0
    failed = "" if run.finished else " (failed)"
    text = f"{time_text(run.nanoseconds / 1e9)}, {share:.1%}"
    return f"{'  ' * run.depth}{run.name}{failed}", Bar(share, text)


def _line(run: PassRun, total: int) -> str:
    share = 100 * run.nanoseconds / total if total else 0.0
    failed = "" if run.finished else " (failed)"
    return f"{run.nanoseconds / 1e6:10.3f} {share:6.1f}  {'  ' * run.depth}{run.name}{failed}"
