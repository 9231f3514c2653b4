"""Diagnostics as text: message, source line with a caret, notes and help."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tschema.diagnostics import errors
from tschema.diagnostics.errors import Diagnostic


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the diagnostics as text, errors last; each error has a help."""
    shown = map(_helped, errors.grouped(diagnostics))
    return "".join(f"{errors.render(diagnostic)}\n" for diagnostic in shown)


def _helped(diagnostic: Diagnostic) -> Diagnostic:
    if diagnostic.help or diagnostic.severity != "error":
        return diagnostic
    return replace(diagnostic, help=f"`tschema explain {diagnostic.code}` has an example")
