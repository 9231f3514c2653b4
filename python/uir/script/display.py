"""Display of script in terminals and notebooks."""

from __future__ import annotations

import os
import sys
from typing import IO, TYPE_CHECKING

from .highlight import as_terminal
from .printer import print as print_script

if TYPE_CHECKING:
    pass

__all__ = ["show"]


def show(value: object, *, color: bool | None = None, file: IO[str] | None = None) -> None:
    """Print a value as script, in colour on a terminal.

    Parameters
    ----------
    value
        A node, or any other value.
    color
        Whether to use colours; by default, if the output is a terminal and `NO_COLOR` is not set.
    file
        The output; by default, the standard output.
    """
    output = sys.stdout if file is None else file
    paint = output.isatty() and "NO_COLOR" not in os.environ if color is None else color
    text = print_script(value)
    output.write((as_terminal(text) if paint else text) + "\n")
