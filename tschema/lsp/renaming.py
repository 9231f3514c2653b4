"""A rename from the editor: of schema files, and of what `tschema gen` makes of them.

In: a project, a declaration and a new name.  Out: new texts of files, and the lines that are left
to their authors.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.adoption.plan import Request, make_plan
from tschema.diagnostics.errors import Diagnostic, SchemaError
from tschema.editing.project import EditedProject
from tschema.editing.rename import Target, find_mentions, rename
from tschema.editing.rename.file_index import quick_index
from tschema.emit.format import FormatError
from tschema.output.files import OutputError

Texts = Mapping[PurePosixPath, bytes]


class Renamed(Struct, frozen=True):
    """The files of a rename, before and after."""

    old: Texts
    new: Texts
    removed: tuple[PurePosixPath, ...]
    """Generated files that go."""
    mentions: tuple[Diagnostic, ...]
    """The lines of hand-written code that may have the old name."""
    problem: str | None
    """Why generated files do not change with the rename."""


def rename_everywhere(edited: EditedProject, target: Target, new: str) -> Renamed:
    """
    Rename a declaration in schema files, and bring generated files up to date.

    Raises
    ------
    SchemaError
        The new name is wrong or taken.
    """
    renaming = rename(edited, target, new, quick_index)
    mentions = tuple(find_mentions(edited.config, edited.schema, renaming))
    rewrite = renaming.rewrite
    unsaved = {file.source.path: file.source.text for file in renaming.project.declarations.files}
    try:
        plan = make_plan(Request(edited.config, texts=unsaved), lambda _stage: None)
    except (SchemaError, FormatError, OutputError) as error:
        return Renamed(rewrite.old, rewrite.new, (), mentions, str(error))
    if plan.edits or plan.conflicts:
        problem = "generated files have hand edits or conflicts: run `tschema gen`"
        return Renamed(rewrite.old, rewrite.new, (), mentions, problem)
    changed = {path: plan.files[path] for path in plan.changes.written}
    old = {path: plan.old.get(path, b"") for path in changed}
    before, after = {**rewrite.old, **old}, {**rewrite.new, **changed}
    return Renamed(before, after, plan.changes.removed, mentions, None)
