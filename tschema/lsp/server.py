"""The state of the server: projects, open texts, and the checks of them.

In: texts of an editor.  Out: notifications of diagnostics.  A key press checks the changed file;
all files are checked when the keys have been still for a moment, on a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from tschema import __version__
from tschema.diagnostics.errors import SchemaError
from tschema.diagnostics.source import SourceFile, Span
from tschema.editing.rename.target import Target
from tschema.ir.declarations import FileDecl
from tschema.lsp import edits, navigation
from tschema.lsp.breaking import BreakingChanges
from tschema.lsp.garbage import IdleCollector, keep_all
from tschema.lsp.index import SchemaIndex
from tschema.lsp.positions import Positions
from tschema.lsp.project import Project, State, check
from tschema.lsp.publishing import Published
from tschema.lsp.rename_followup import Following
from tschema.project.config import load_config
from tschema.project.folders import find_config_file

QUIET = 0.25
"""Seconds without a key press after which all files are checked."""


class Place:
    """A position of a request: the project, the file and the text there."""

    def __init__(
        self, server: SchemaServer, uri: str, position: lsp.Position | None = None
    ) -> None:
        """Find the file and the project of a request."""
        self.uri = uri
        self.file = Path(to_fs_path(uri) or "")
        self.project = server.project_of(self.file)
        self.path = server.relative(self.file)
        self.positions = server.positions()
        self.source = SourceFile(self.path, server.text_of(uri))
        self.line = position.line + 1 if position else 1
        character = position.character if position else 0
        self.column = self.positions.column(self.source.line(self.line), character)

    @property
    def index(self) -> SchemaIndex | None:
        """The declarations that the file sees."""
        return self.project.index(self.path) if self.project else None

    @property
    def schema_file(self) -> FileDecl | None:
        """The file, if it is a schema file; as it was when it last parsed."""
        return self.project.file(self.path) if self.project else None

    def targets(self) -> list[Target]:
        """Return the declarations that the position may mean."""
        if self.project is None:
            return []
        return navigation.targets_at(self.project, self.source, self.line, self.column)


class SchemaServer(LanguageServer):
    """A server with the projects whose files are open."""

    def __init__(self) -> None:
        super().__init__("tschema", __version__)
        self.projects: dict[Path, Project] = {}
        self.published = Published()
        self.breaking = BreakingChanges()
        self.following = Following()
        self._garbage = IdleCollector()
        self._timers: dict[Path, asyncio.TimerHandle] = {}

    # -- Documents --------------------------------------------------------------------------

    def positions(self) -> Positions:
        """Return how the client counts columns."""
        return Positions(self.workspace.position_codec)

    def text_of(self, uri: str) -> str:
        """Return the text of a document, open or not."""
        try:
            return self.workspace.get_text_document(uri).source
        except OSError:
            return ""

    def applies_edits(self) -> bool:
        """Return whether the client makes edits that the server asks it for."""
        workspace = self.client_capabilities.workspace
        return bool(workspace and workspace.apply_edit)

    def version_of(self, uri: str) -> int | None:
        """Return the version of an open document."""
        document = self.workspace.text_documents.get(uri)
        return document.version if document else None

    def project_of(self, file: Path) -> Project | None:
        """Return the project of a file, which is read when its first file is asked for."""
        for root, project in self.projects.items():
            if file.is_relative_to(root):
                return project
        found = find_config_file(str(file.parent))
        if found is None:
            return None
        try:
            project = Project(load_config(Path(found)))
        except SchemaError as error:
            self.published.show_config(self, Path(found), error.diagnostics)
            return None
        self.projects[project.config.root] = project
        keep_all()
        return project

    def relative(self, file: Path) -> str:
        """Return the path of a file as diagnostics show it."""
        for root in self.projects:
            if file.is_relative_to(root):
                return file.relative_to(root).as_posix()
        return file.as_posix()

    # -- Checks -----------------------------------------------------------------------------

    def changed(self, place: Place) -> None:
        """Take a text of the editor, and show its diagnostics."""
        project = place.project
        if project is None:
            return
        if place.path in {one.source.path for one in project.declarations.files}:
            project.change(place.path, place.source.text)
            self.published.show(self, project, only=place.path)
            self.following.look(self, project)
            self._check_later(project)
            self._garbage.later()
        else:
            self.published.show_blocks(self, place.file, place.source)

    def check_now(self, project: Project) -> None:
        """Read all files of a project again."""
        project.reload()
        self.published.show(self, project)
        self.following.look(self, project)

    def _check_later(self, project: Project) -> None:
        root = project.config.root
        if root in self._timers:
            self._timers[root].cancel()
        loop = asyncio.get_running_loop()
        self._timers[root] = loop.call_later(QUIET, self._begin_check, project)

    def _begin_check(self, project: Project) -> None:
        loop = asyncio.get_running_loop()
        declarations = project.declarations
        checked = loop.run_in_executor(None, check, project.config, declarations)
        checked.add_done_callback(lambda done: self._end_check(project, done.result()))

    def _end_check(self, project: Project, state: State) -> None:
        project.accept(state)
        self.published.show(self, project)
        self._read_ahead(project)

    def _read_ahead(self, project: Project) -> None:
        """Read the names of files one by one, while no request waits."""
        if project.read_ahead():
            asyncio.get_running_loop().call_soon(self._read_ahead, project)

    # -- Places -----------------------------------------------------------------------------

    def location(self, project: Project, span: Span) -> lsp.Location:
        """Return the location of a span in a file of a project."""
        return self.locations(project, [span])[0]

    def locations(self, project: Project, spans: Iterable[Span]) -> list[lsp.Location]:
        """Return the locations of spans in files of a project."""
        root, positions, uris = project.config.root, self.positions(), dict[str, str]()
        found = []
        for span in spans:
            path = span.file.path
            if path not in uris:
                uris[path] = edits.uri_of(root / path)
            found.append(lsp.Location(uris[path], positions.range(span)))
        return found
