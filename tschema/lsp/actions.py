"""Code actions: the fixes that diagnostics carry, one by one or all of a file.

In: the diagnostics of a project and a range.  Out: actions with their edits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lsprotocol import types as lsp

from tschema.adoption.in_place import missing_lines
from tschema.diagnostics.errors import Diagnostic
from tschema.editing.fix import fix_declarations
from tschema.lsp import edits
from tschema.lsp.edits import Versions
from tschema.lsp.positions import Positions
from tschema.lsp.project import Project
from tschema.lsp.publishing import converted

FIX_ALL = "source.fixAll.tschema"
"""The kind of the action that applies all fixes, which settings of editors name."""


def code_actions(
    project: Project,
    path: str,
    params: lsp.CodeActionParams,
    positions: Positions,
    versions: Versions,
) -> Iterator[lsp.CodeAction]:
    """Yield the fixes of diagnostics in a range, and one for all of the file, without its edit."""
    wanted = params.context.only
    mine = [one for one in project.diagnostics() if one.span and one.span.file.path == path]
    for one in mine:
        if _is_wanted(lsp.CodeActionKind.QuickFix.value, wanted) and _meets(
            one, params.range, positions
        ):
            yield from _quick_fix(one, project.config.root, positions, versions)
    if _is_wanted(FIX_ALL, wanted) and any(one.fix for one in mine):
        yield lsp.CodeAction("Fix all with tschema", FIX_ALL, data=params.text_document.uri)


def resolve_action(project: Project, path: str, versions: Versions) -> lsp.WorkspaceEdit:
    """Return the edit that fixes all of a file, as `tschema fix` does."""
    root = project.config.root
    file = [Path(root / path)]
    rewrite = fix_declarations(project.config, project.declarations, missing_lines, file).rewrite
    return edits.of_files(root, rewrite.old, rewrite.new, (), versions)


def _quick_fix(
    one: Diagnostic, root: Path, positions: Positions, versions: Versions
) -> Iterator[lsp.CodeAction]:
    fix = one.fix
    if fix is not None:
        title = (one.help or one.message).partition("\n")[0]
        edit = edits.of_fix(root, fix, positions, versions)
        shown = converted(one, positions, root)
        yield lsp.CodeAction(
            title, lsp.CodeActionKind.QuickFix, [shown], is_preferred=True, edit=edit
        )


def _is_wanted(kind: str, only: Sequence[lsp.CodeActionKind | str] | None) -> bool:
    """Return whether a client asks for a kind of actions: for all, for it, or for one above."""
    names = (one.value if isinstance(one, lsp.CodeActionKind) else one for one in only or ())
    return only is None or any(f"{kind}.".startswith(f"{name}.") for name in names)


def _meets(one: Diagnostic, wanted: lsp.Range, positions: Positions) -> bool:
    place = positions.range(one.span) if one.span else None
    return place is not None and place.start <= wanted.end and wanted.start <= place.end
