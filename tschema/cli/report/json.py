"""Diagnostics as one JSON document, for editors and scripts.

    {"version": 1, "diagnostics": [
      {"code": "TS012", "severity": "error", "message": "...", "help": "...",
       "span": {"path": "schema/a.py", "line": 3, "column": 5, "end_line": 3, "end_column": 9},
       "notes": [{"message": "...", "span": null}],
       "fix": {"edits": [{"span": {...}, "text": "..."}]}}]}

Lines and columns are 1-based, columns count characters, and the end column is exclusive.
A `fix` is null where a program cannot do as the help says.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from tschema.diagnostics.errors import Diagnostic
from tschema.diagnostics.fixes import Fix
from tschema.diagnostics.source import Span

VERSION = 1


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the document."""
    rows = [_row(diagnostic) for diagnostic in diagnostics]
    return json.dumps({"version": VERSION, "diagnostics": rows}, indent=2) + "\n"


def _row(diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "span": _span(diagnostic.span),
        "notes": [{"message": note.message, "span": _span(note.span)} for note in diagnostic.notes],
        "fix": _fix(diagnostic.fix),
    }


def _fix(fix: Fix | None) -> dict[str, object] | None:
    if fix is None:
        return None
    return {"edits": [{"span": _span(edit.span), "text": edit.text} for edit in fix.edits]}


def _span(span: Span | None) -> dict[str, object] | None:
    if span is None:
        return None
    return {
        "path": span.file.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
