"""Diagnostics as workflow commands, which GitHub Actions shows next to the lines of a change.

The form is `::error file=...,line=...,title=...::message`; a line end, and in a property a colon
and a comma too, is written as a percent code.
"""

from __future__ import annotations

from collections.abc import Sequence

from tschema.diagnostics.errors import Diagnostic
from tschema.diagnostics.explain import titles
from tschema.diagnostics.source import Span

_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_MESSAGE, ":": "%3A", ",": "%2C"}


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """Return one command for each diagnostic."""
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    title = f"{diagnostic.code}: {titles().get(diagnostic.code, diagnostic.severity)}"
    properties = {**_place(diagnostic.span), "title": title}
    listed = ",".join(f"{name}={_escape(text, _PROPERTY)}" for name, text in properties.items())
    return f"::{diagnostic.severity} {listed}::{_escape(_message(diagnostic), _MESSAGE)}"


def _place(span: Span | None) -> dict[str, str]:
    if span is None:
        return {}
    place = {"file": span.file.path, "line": str(span.line), "endLine": str(span.end_line)}
    if span.line == span.end_line:
        # GitHub takes columns of one line only, and counts the last one in.
        last = max(span.column, span.end_column - 1)
        place |= {"col": str(span.column), "endColumn": str(last)}
    return place


def _message(diagnostic: Diagnostic) -> str:
    lines = [diagnostic.message]
    for note in diagnostic.notes:
        lines.append(f"note: {f'{note.span}: ' if note.span else ''}{note.message}")
    if diagnostic.help:
        lines.append(f"help: {diagnostic.help}")
    return "\n".join(lines)


def _escape(text: str, codes: dict[str, str]) -> str:
    return "".join(codes.get(character, character) for character in text)
