"""Printing of the module before and after passes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TextIO

from uir_nodes.ir import IRModule
from uir_nodes.transform import PassInfo

from ..instrument_base import Instrument
from .script_text import script_text

__all__ = ["PrintAfter", "PrintBefore"]


class _Printer(Instrument):
    """Writes modules with headings to a stream."""

    _when: str

    def __init__(
        self,
        names: Iterable[str] | None = None,
        *,
        stream: TextIO | None = None,
        script: Callable[[IRModule], str] = script_text,
    ) -> None:
        super().__init__()
        self._names = None if names is None else frozenset(names)
        self._stream = stream
        self._script = script

    def _print(self, module: IRModule, info: PassInfo) -> None:
        if self._names is not None and info.name not in self._names:
            return
        # Looked up late, because tests and notebooks replace the standard output.
        stream = self._stream or sys.stdout
        stream.write(f"# {self._when} {info.name}\n{self._script(module).rstrip()}\n\n")


class PrintBefore(_Printer):
    """
    Print the module before passes.

    Parameters
    ----------
    names
        Names of the passes; all passes if None.
    stream
        The output; the standard output if None.
    script
        Function that prints a module; by default, as script.

    Examples
    --------
    >>> with PassContext(instruments=[PrintBefore(["Simplify"])]):
    ...     module = pipeline(module)
    """

    _when = "before"

    def run_before_pass(self, module: IRModule, info: PassInfo) -> None:
        """Print the input of a pass.

        Parameters
        ----------
        module
            The module.
        info
            The pass.
        """
        self._print(module, info)


class PrintAfter(_Printer):
    """
    Print the module after passes.

    Parameters
    ----------
    names
        Names of the passes; all passes if None.
    stream
        The output; the standard output if None.
    script
        Function that prints a module; by default, as script.

    Examples
    --------
    >>> with PassContext(instruments=[PrintAfter(["Simplify"])]):
    ...     module = pipeline(module)
    """

    _when = "after"

    def run_after_pass(self, module: IRModule, info: PassInfo) -> None:
        """Print the result of a pass.

        Parameters
        ----------
        module
            The module.
        info
            The pass.
        """
        self._print(module, info)
