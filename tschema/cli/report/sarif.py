"""Diagnostics as SARIF 2.1.0 (OASIS), for code scanning services.

The rules are the codes that occurred; notes with a location are related locations.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import quote

from tschema import __version__
from tschema.diagnostics.errors import Diagnostic, Note
from tschema.diagnostics.explain import titles
from tschema.diagnostics.source import Span

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "PROJECTROOT"
"""What paths are relative to: the folder of the configuration."""


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the log, with one run."""
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    driver = {
        "name": "tschema",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(code) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, codes) for diagnostic in diagnostics],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _rule(code: str) -> dict[str, object]:
    return {"id": code, "shortDescription": {"text": titles().get(code, code)}}


def _result(diagnostic: Diagnostic, codes: Sequence[str]) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": codes.index(diagnostic.code),
        "level": diagnostic.severity,
        "message": {"text": _message(diagnostic)},
        "locations": [_location(diagnostic.span)] if diagnostic.span else [],
    }
    related = [_related(note, note.span) for note in diagnostic.notes if note.span]
    return {**result, "relatedLocations": related} if related else result


def _message(diagnostic: Diagnostic) -> str:
    lines = [diagnostic.message, *(note.message for note in diagnostic.notes if not note.span)]
    return "\n".join([*lines, f"help: {diagnostic.help}"] if diagnostic.help else lines)


def _related(note: Note, span: Span) -> dict[str, object]:
    return {**_location(span), "message": {"text": note.message}}


def _location(span: Span) -> dict[str, object]:
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    artifact = {"uri": quote(span.file.path), "uriBaseId": _ROOT}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}
