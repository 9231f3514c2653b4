"""An HTML page that steps through the passes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from uir_nodes.ir import IRModule
from uir_nodes.transform import PassInfo

from ..instrument_base import Instrument
from .module_facts import c_text, schedule_lines
from .pass_stack import PassStack
from .script_text import script_without_metadata

if TYPE_CHECKING:
    from .explorer_page import PassStep, Recording

__all__ = ["Explorer"]


class Explorer(Instrument):
    """
    Write an HTML page that shows the module after each pass.

    It shows what schedules have chosen, and beside a lowered module its C. It follows each operator
    of a model, a node of ONNX or a line of PyTorch or script, through functions on tensors and
    loops to its C. The page is self-contained. It is written when the context exits, also if a pass
    failed.

    Parameters
    ----------
    path
        The file to write; its folder is created if missing.
    title
        The page's heading.
    script
        Function that prints a module; by default, as script without the elements of constants,
        which are long. Operators are followed only in the default.
    code
        Function that emits the code of a module, or returns None where it is not lowered; by
        default, C for this machine. It runs on the result of each outermost pass.
    clock
        Clock, in nanoseconds.

    Examples
    --------
    >>> with PassContext(instruments=[Explorer("out.html")]):
    ...     module = pipeline(module)
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        title: str = "Passes",
        script: Callable[[IRModule], str] = script_without_metadata,
        code: Callable[[IRModule], str | None] = c_text,
        clock: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        super().__init__()
        self._path = Path(path)
        self._script = script
        self._code = code
        self._clock = clock
        self._recording = _recording(title)
        self._stack = PassStack(clock)
        self._open: list[PassStep] = []
        # Held only between passes: a second reference would prevent a pass from writing in place.
        self._last: tuple[IRModule, int] | None = None

    def enter_pass_ctx(self) -> None:
        """Discard the recording of an earlier context."""
        self._recording = _recording(self._recording.title)
        self._stack = PassStack(self._clock)
        self._open = []
        self._last = None

    def run_before_pass(self, module: IRModule, info: PassInfo) -> None:
        """Record the input of a pass.

        Parameters
        ----------
        module
            The module.
        info
            The pass.
        """
        with self._stack.aside():
            version = self._version(module)
            self._last = None
        self._open.append(self._recording.begin(self._stack.enter(info), version))

    def run_after_pass(self, module: IRModule, info: PassInfo) -> None:
        """Record the result of a pass.

        Parameters
        ----------
        module
            The module.
        info
            The pass.
        """
        run = self._stack.leave(info)
        while self._open.pop().run is not run:
            pass
        with self._stack.aside():
            version = self._version(module)
            self._last = (module, version)
            if not self._open:
                self._recording.add_code(version, self._code(module))
        step = next(step for step in reversed(self._recording.steps) if step.run is run)
        step.after = version

    def exit_pass_ctx(self) -> None:
        """Write the page."""
        self._last = None
        self._stack.abandon()
        error = sys.exc_info()[1]
        if self._open and error is not None:
            self._open[-1].error = f"{type(error).__name__}: {error}"
        for outer, inner in zip(self._open, self._open[1:], strict=False):
            outer.error = f"`{inner.run.name}` in it failed"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(self._recording.page(), "utf-8", newline="\n")

    def _version(self, module: IRModule) -> int:
        """Return the version number of a module's text."""
        if self._last is not None and module.same_as(self._last[0]):
            return self._last[1]
        version = self._recording.versions.add(self._script(module))
        self._recording.schedules[version] = schedule_lines(module)
        if self._script is script_without_metadata:
            self._recording.add_places(version, module)
        return version


def _recording(title: str) -> Recording:
    # Imported on use, to keep `import uir` fast.
    from .explorer_page import Recording

    return Recording(title)
