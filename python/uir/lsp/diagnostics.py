"""Diagnostics of programs as an editor shows them.

In: diagnostics of the parser and the verifier.  Out: those of the protocol, with the messages of
the commands.
"""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from tschema.diagnostics.source import SourceFile, Span
from tschema.lsp.positions import Positions
from uir_nodes.ir import Diagnostic, Note, Severity

from .program import Program, span_of

__all__ = ["converted"]

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}


def converted(program: Program, uri: str, positions: Positions) -> Iterator[lsp.Diagnostic]:
    """Yield the diagnostics of a program; one without a place is at that of its function."""
    for one in program.diagnostics:
        place = place_of(one, program.source)
        related = _related(one, program.source, uri, positions)
        yield lsp.Diagnostic(
            positions.range(place or Span(program.source, 1, 1, 1, 1)),
            message_of(one, program.source),
            severity=_SEVERITIES[one.severity],
            source="uir",
            related_information=[*related],
        )


def place_of(one: Diagnostic | Note, source: SourceFile) -> Span | None:
    """Return the place of a diagnostic or a note; None if neither it nor its nodes have one."""
    nodes = (one.node, getattr(one, "root", None))
    spans = (span_of(found, source) for found in (one, *nodes))
    return next(filter(None, spans), None)


def message_of(one: Diagnostic, source: SourceFile) -> str:
    """Return the message, the notes without a place, and the help."""
    notes = (note.message for note in one.notes if place_of(note, source) is None)
    return "\n".join([one.message, *notes, *([f"help: {one.help}"] if one.help else [])])


def _related(
    one: Diagnostic, source: SourceFile, uri: str, positions: Positions
) -> Iterator[lsp.DiagnosticRelatedInformation]:
    for note in one.notes:
        place = place_of(note, source)
        if place is not None:
            location = lsp.Location(uri, positions.range(place))
            yield lsp.DiagnosticRelatedInformation(location, note.message)
