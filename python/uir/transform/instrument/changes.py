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

    def _lines(self, name: str, before: str, after: str) -> Iterator[str]:
        """Yield the lines to print for a pass that changes one script to another."""
        raise NotImplementedError


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

    def _lines(self, name: str, before: str, after: str) -> Iterator[str]:
        del before
        yield f"# after {name}\n{after.rstrip()}\n\n"


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

    def _lines(self, name: str, before: str, after: str) -> Iterator[str]:
        # Imported on use, to keep `import uir` fast.
        from difflib import unified_diff

        names = f"before {name}", f"after {name}"
        lines = unified_diff(before.splitlines(), after.splitlines(), *names, lineterm="")
        yield from (f"{line}\n" for line in lines)
