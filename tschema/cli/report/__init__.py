"""The formats of diagnostics: a format is one line here and one module beside this file.

In: the diagnostics of a run.  Out: text.  A renderer neither prints nor knows which command ran.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tschema.diagnostics.errors import Diagnostic

    Renderer = Callable[[Sequence[Diagnostic]], str]

__all__ = ["DOCUMENTS", "FORMATS", "load_format"]

FORMATS = ("text", "json", "sarif", "github")
"""Those of `--format`; the module of a format has its name."""

DOCUMENTS = frozenset({"json", "sarif"})
"""Formats that make a document of each run, be there something to say or not."""


def load_format(name: str) -> Renderer:
    """Return the `render` function of a format."""
    render: Renderer = import_module(f"tschema.cli.report.{name}").render
    return render
