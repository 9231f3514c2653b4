"""Diagnostics for people: message, source line with a caret, notes and help."""

from __future__ import annotations

from collections.abc import Sequence

from tschema import errors
from tschema.errors import Diagnostic

__all__ = ["render"]


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the diagnostics as text, one after the other."""
    return "".join(f"{errors.render(diagnostic)}\n" for diagnostic in diagnostics)
