"""The generated files of a rename, which change once the editor has renamed in the schema files.

In: renames that the server has answered, and texts of the editor.  Out: edits that the server asks
the editor to make.  A rename that its user does not confirm, or only in part, has none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from msgspec import Struct

from tschema.diagnostics.errors import SchemaError
from tschema.editing.project import EditedProject
from tschema.editing.rename.target import Target
from tschema.lsp import edits
from tschema.lsp.project import Project
from tschema.lsp.renaming import Renamed, rename_everywhere

if TYPE_CHECKING:
    from tschema.lsp.server import SchemaServer

LABEL = "Bring generated files up to date"


class Rename(Struct, frozen=True):
    """A rename of schema files that the editor is about to make."""

    edited: EditedProject
    """The project before."""
    target: Target
    new: str
    texts: Mapping[str, str]
    """The new texts of schema files by path."""


class Following:
    """The renames whose generated files are still to change: the last one of each project."""

    def __init__(self) -> None:
        """Wait for nothing yet."""
        self._waiting: dict[Path, Rename] = {}

    def expect(self, rename: Rename) -> None:
        """Wait until the editor has made a rename."""
        self._waiting[rename.edited.config.root] = rename

    def look(self, server: SchemaServer, project: Project) -> None:
        """Begin with the generated files of a rename, if the editor has made it."""
        rename = self._waiting.get(project.config.root)
        if rename is None or any(project.text(path) != rename.texts[path] for path in rename.texts):
            return
        del self._waiting[project.config.root]
        loop = asyncio.get_running_loop()
        made = loop.run_in_executor(
            None, rename_everywhere, rename.edited, rename.target, rename.new
        )
        made.add_done_callback(partial(self._apply, server, project, rename))

    def _apply(
        self,
        server: SchemaServer,
        project: Project,
        rename: Rename,
        made: asyncio.Future[Renamed],
    ) -> None:
        if isinstance(made.exception(), SchemaError):
            return  # The check of all files shows the errors.
        found = made.result()
        show(server, project, found)
        root = project.config.root
        new = {path: data for path, data in found.new.items() if str(path) not in rename.texts}
        edit = edits.of_files(root, found.old, new, found.removed, server.version_of)
        if edit.document_changes:
            server.workspace_apply_edit(lsp.ApplyWorkspaceEditParams(edit, LABEL))


def show(server: SchemaServer, project: Project, renamed: Renamed) -> None:
    """Show the lines that a rename leaves to their authors, and the reason if files stay."""
    if renamed.problem is not None:
        message = f"generated files are left as they are: {renamed.problem}"
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, message))
    server.published.show_mentions(server, project, renamed.mentions)
