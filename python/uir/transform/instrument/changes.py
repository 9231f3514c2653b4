"""Printing of the modules that passes change, whole or as differences."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TextIO

from uir_nodes.ir import IRModule
from uir_nodes.transform import PassInfo

from ..instrument_base import Instrument
from .pass_stack import PassStack
from .script_text import script_text

__all__ = ["PrintChanged", "PrintDiff"]


class _ChangePrinter(Instrument):
    """Compares scripts before and after each pass; a pass that contains others is left out."""

    # The lines to print for the name of a pass, and the scripts before and after it.
    _lines: Callable[[str, str, str], Iterator[str]]

    def __init__(
        self, *, stream: TextIO | None = None, script: Callable[[IRModule], str] = script_text
    ) -> None:
        super().__init__()
        self._stream = stream
        self._script = script
        self._stack = PassStack()
        self._before = ""

    def enter_pass_ctx(self) -> None:
        """Forget the passes of an earlier context."""
        self._stack = PassStack()

    def run_before_pass(self, module: IRModule, info: PassInfo) -> None:
        """Keep the script of a pass's input.

        Parameters
        ----------
        module
            The module.
        info
            The pass.
        """
        self._stack.enter(info)
        self._before = self._script(module)

    def run_after_pass(self, module: IRModule, info: PassInfo) -> None:
        """Print a changed module.

        Parameters
        ----------
        module
            The module.
        info
            The pass.
        """
        run = self._stack.leave(info)
        after = self._script(module)
        # After a nested pass, the kept script is that of the nested one.
        if run is self._stack.runs[-1] and after != self._before:
            stream = self._stream or sys.stdout
            stream.writelines(self._lines(info.name, self._before, after))


def whole_lines(name: str, before: str, after: str) -> Iterator[str]:
    """Yield the script after a pass, below a heading."""
    del before
    yield f"# after {name}\n{after.rstrip()}\n\n"


def diff_lines(name: str, before: str, after: str) -> Iterator[str]:
    """Yield the unified diff of the scripts before and after a pass."""
    # Imported on use, to keep `import uir` fast.
    from difflib import unified_diff

    names = f"before {name}", f"after {name}"
    lines = unified_diff(before.splitlines(), after.splitlines(), *names, lineterm="")
    yield from (f"{line}\n" for line in lines)


class PrintChanged(_ChangePrinter):
    """
    Print the module after each pass that changes it.

    Parameters
    ----------
    stream
        The output; the standard output if None.
    script
        Function that prints a module; by default, as script.

    Examples
    --------
    >>> with PassContext(instruments=[PrintChanged()]):
    ...     module = pipeline(module)
    """

    _lines = staticmethod(whole_lines)


class PrintDiff(_ChangePrinter):
    """
    Print a unified diff of the script for each pass that changes it.

    Parameters
    ----------
    stream
        The output; the standard output if None.
    script
        Function that prints a module; by default, as script.

    Examples
    --------
    >>> with PassContext(instruments=[PrintDiff()]):
    ...     module = pipeline(module)
    """

    _lines = staticmethod(diff_lines)
