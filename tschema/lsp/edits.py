"""Edits of a workspace, which the editor applies.

In: old and new texts of files, and fixes of diagnostics.  Out: edits of the protocol.  Nothing is
written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath

from lsprotocol import types as lsp
from pygls.uris import from_fs_path

from tschema.diagnostics.fixes import Fix
from tschema.lsp.positions import Positions, changed_lines
from tschema.regions.blocks import BOM

Versions = Callable[[str], int | None]
"""The version of an open document, by URI; None for a file that is not open."""
_Change = lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile


def uri_of(path: Path) -> str:
    """Return the URI of a file."""
    return from_fs_path(str(path)) or path.as_uri()


def of_files(
    root: Path,
    old: Mapping[PurePosixPath, bytes],
    new: Mapping[PurePosixPath, bytes],
    removed: Iterable[PurePosixPath],
    versions: Versions,
) -> lsp.WorkspaceEdit:
    """
    Return the edit that gives files new texts.

    Parameters
    ----------
    old
        The present texts; those of new files are missing or empty.
    removed
        The files to remove.
    """
    changes: list[_Change] = []
    for path, data in new.items():
        before, after = _text(old.get(path, b"")), _text(data)
        uri = uri_of(root / path)
        if before == after:
            continue
        if not before:
            changes.append(
                lsp.CreateFile(uri, options=lsp.CreateFileOptions(ignore_if_exists=True))
            )
        changes.append(_document(uri, [*changed_lines(before, after)], versions))
    changes += [lsp.DeleteFile(uri_of(root / path)) for path in removed]
    return lsp.WorkspaceEdit(document_changes=changes)


def of_fix(root: Path, fix: Fix, positions: Positions, versions: Versions) -> lsp.WorkspaceEdit:
    """Return the edit of a fix."""
    by_path: dict[str, list[lsp.TextEdit]] = {}
    for edit in fix.edits:
        made = lsp.TextEdit(positions.range(edit.span), edit.text)
        by_path.setdefault(edit.span.file.path, []).append(made)
    changes: list[_Change] = [
        _document(uri_of(root / path), edits, versions) for path, edits in by_path.items()
    ]
    return lsp.WorkspaceEdit(document_changes=changes)


def _document(uri: str, edits: list[lsp.TextEdit], versions: Versions) -> lsp.TextDocumentEdit:
    identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri, versions(uri))
    return lsp.TextDocumentEdit(identifier, [*edits])


def _text(data: bytes) -> str:
    return data.removeprefix(BOM).decode("utf-8", "surrogateescape")
