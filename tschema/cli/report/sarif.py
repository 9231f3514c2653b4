"""Diagnostics as SARIF 2.1.0 (OASIS), for code scanning services.

The rules are the codes that occurred; notes with a location are related locations.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import quote

from tschema import __version__
from tschema.diagnostics.errors import Diagnostic, message_with_help
from tschema.diagnostics.explain import titles
from tschema.diagnostics.fixes import Fix, TextEdit
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
        "message": {"text": message_with_help(diagnostic)},
        "locations": [_location(diagnostic.span)] if diagnostic.span else [],
    }
    related = [
        {**_location(note.span), "message": {"text": note.message}}
        for note in diagnostic.notes
        if note.span
    ]
    if related:
        result["relatedLocations"] = related
    if diagnostic.fix is not None:
        result["fixes"] = [_fix(diagnostic.fix, diagnostic.help or "")]
    return result


def _fix(fix: Fix, help: str) -> dict[str, object]:
    """Return a fix, with the changes of each file."""
    by_path: dict[str, list[TextEdit]] = {}
    for edit in fix.edits:
        by_path.setdefault(edit.span.file.path, []).append(edit)
    changes = [
        {"artifactLocation": _artifact(path), "replacements": [*map(_replacement, edits)]}
        for path, edits in by_path.items()
    ]
    return {"description": {"text": help}, "artifactChanges": changes}


def _replacement(edit: TextEdit) -> dict[str, object]:
    return {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}


def _location(span: Span) -> dict[str, object]:
    artifact = _artifact(span.file.path)
    return {"physicalLocation": {"artifactLocation": artifact, "region": _region(span)}}


def _artifact(path: str) -> dict[str, object]:
    return {"uri": quote(path), "uriBaseId": _ROOT}


def _region(span: Span) -> dict[str, object]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
