"""Dumping of the module after each pass to a folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from uir_nodes.ir import IRModule
from uir_nodes.transform import PassInfo

from ..instrument_base import Instrument
from .script_text import script_text

__all__ = ["DumpToFolder"]

HEADER = "# DumpToFolder: "


class DumpToFolder(Instrument):
    """
    Write the module to numbered files, before the first pass and after each pass.

    Entering the context removes the files of an earlier run, which it recognizes by their first
    line.

    Parameters
    ----------
    folder
        The folder for `000_input.py`, `001_Simplify.py`, ...; created if missing.
    script
        Function that prints a module; by default, as script.

    Examples
    --------
    >>> with PassContext(instruments=[DumpToFolder("dump")]):
    ...     module = pipeline(module)
    """

    def __init__(
        self, folder: str | os.PathLike[str], *, script: Callable[[IRModule], str] = script_text
    ) -> None:
        super().__init__()
        self._folder = Path(folder)
        self._script = script
        self._written = 0

    def enter_pass_ctx(self) -> None:
        """Create the folder, and remove the files of an earlier run."""
        self._written = 0
        self._folder.mkdir(parents=True, exist_ok=True)
        for path in self._folder.iterdir():
            if path.suffix == ".py" and path.read_text("utf-8").startswith(HEADER):
                path.unlink()

    def run_before_pass(self, module: IRModule, info: PassInfo) -> None:
        """Write the input of the first pass.

        Parameters
        ----------
        module
            The module.
        info
            The pass.
        """
        if not self._written:
            self._write(module, "input", f"before {info.name}")

    def run_after_pass(self, module: IRModule, info: PassInfo) -> None:
        """Write the result of a pass.

        Parameters
        ----------
        module
            The module.
        info
            The pass.
        """
        self._write(module, info.name, f"after {info.name}")

    def _write(self, module: IRModule, name: str, what: str) -> None:
        safe = re.sub(r"[^\w.-]", "_", name)
        path = self._folder / f"{self._written:03}_{safe}.py"
        path.write_text(f"{HEADER}{what}\n{self._script(module).rstrip()}\n", "utf-8")
        self._written += 1
