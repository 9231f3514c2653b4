"""Script where people look: in terminals and in notebooks."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING

from .highlight import as_html, as_terminal
from .printer import print as print_script

if TYPE_CHECKING:
    from typing import Any

__all__ = ["install_text", "show"]


def show(value: Any, *, color: bool | None = None, file: IO[str] | None = None) -> None:
    """Write a value's script, in colours where they can be seen.

    Parameters
    ----------
    value
        A node, or any other value.
    color
        Whether to write colours; if it is left out, whether the output is a terminal and the
        environment has no `NO_COLOR`.
    file
        Where to write; the standard output if it is left out.
    """
    output = sys.stdout if file is None else file
    paint = output.isatty() and "NO_COLOR" not in os.environ if color is None else color
    text = print_script(value)
    output.write((as_terminal(text) if paint else text) + "\n")


def install_text(classes: Sequence[type], text: Callable[[Any], str]) -> None:
    """Let `str` of a class's objects and notebooks show their script; `repr` stays as it is."""
    for cls in classes:
        setattr(cls, "__str__", text)  # noqa: B010
        setattr(cls, "_repr_html_", lambda self: as_html(text(self)))  # noqa: B010
