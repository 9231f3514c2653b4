"""The diagnostics that an editor shows: those of the commands, and edits of generated blocks.

In: diagnostics of a project.  Out: notifications.  A file whose last diagnostic is gone gets an
empty list, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from tschema.diagnostics.errors import Diagnostic, message_with_help
from tschema.diagnostics.source import SourceFile
from tschema.lsp import foreign
from tschema.lsp.edits import uri_of
from tschema.lsp.positions import Positions
from tschema.lsp.project import Project

if TYPE_CHECKING:
    from tschema.lsp.server import SchemaServer

_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
}
_START = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))


class Published:
    """The diagnostics that the editor shows, by file."""

    def __init__(self) -> None:
        """Show nothing yet."""
        self._shown: dict[Path, set[str]] = {}
        self._sealed: dict[Path, dict[str, bytes]] = {}
        self._mentions: dict[Path, tuple[Diagnostic, ...]] = {}

    def show(self, server: SchemaServer, project: Project, only: str | None = None) -> None:
        """
        Show the diagnostics of a project.

        Parameters
        ----------
        only
            The file that is shown; all by default.
        """
        root, config = project.config.root, project.config.file.name
        found: dict[str, list[Diagnostic]] = {}
        for one in (*project.diagnostics(), *self._mentions.get(root, ())):
            found.setdefault(one.span.file.path if one.span else config, []).append(one)
        paths = {only} if only else {*found, *self._shown.get(root, ())}
        for path in sorted(paths):
            self._publish(server, root / path, found.get(path, ()), root)
        self._shown[root] = {*found, *(self._shown.get(root, set()) if only else ())}

    def show_config(
        self, server: SchemaServer, file: Path, diagnostics: Iterable[Diagnostic]
    ) -> None:
        """Show the errors of a configuration."""
        self._publish(server, file, diagnostics, file.parent)

    def show_mentions(
        self, server: SchemaServer, project: Project, mentions: tuple[Diagnostic, ...]
    ) -> None:
        """Show the lines that a rename leaves to their authors, until the next rename."""
        self._mentions[project.config.root] = mentions
        self.show(server, project)

    def show_blocks(self, server: SchemaServer, file: Path, source: SourceFile) -> None:
        """Show the edits of generated text in an open file."""
        sealed = self._sealed.setdefault(file, {})
        found = [*foreign.edits_of_blocks(source.path, source.text, sealed)]
        self._publish(server, file, found, file.parent)

    def close(self, server: SchemaServer, file: Path) -> None:
        """Forget an open file besides the schema files."""
        if self._sealed.pop(file, None) is not None:
            self._publish(server, file, (), file.parent)

    def _publish(
        self, server: SchemaServer, file: Path, diagnostics: Iterable[Diagnostic], root: Path
    ) -> None:
        positions = server.positions()
        uri = uri_of(file)
        shown = [converted(one, positions, root) for one in diagnostics]
        params = lsp.PublishDiagnosticsParams(uri, shown, server.version_of(uri))
        server.text_document_publish_diagnostics(params)


def converted(one: Diagnostic, positions: Positions, root: Path) -> lsp.Diagnostic:
    """Return a diagnostic of the protocol, with the message of SARIF."""
    return lsp.Diagnostic(
        positions.range(one.span) if one.span else _START,
        message_with_help(one),
        severity=_SEVERITIES[one.severity],
        code=one.code,
        source="tschema",
        related_information=[*_related(one, positions, root)],
    )


def _related(
    one: Diagnostic, positions: Positions, root: Path
) -> Iterator[lsp.DiagnosticRelatedInformation]:
    for note in one.notes:
        if note.span is not None:
            place = lsp.Location(uri_of(root / note.span.file.path), positions.range(note.span))
            yield lsp.DiagnosticRelatedInformation(place, note.message)
