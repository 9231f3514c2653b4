"""Fixes of diagnostics, applied until no more apply.

In: a project's configuration.  Out: the new bytes of its files, the fixed diagnostics, and the
remaining ones. A round applies the fixes that do not touch each other, and checks again: errors of
a later stage show only when the earlier ones are gone.  It writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from tschema.diagnostics.errors import Diagnostic
from tschema.diagnostics.fixes import Fix, TextEdit
from tschema.diagnostics.source import SourceFile
from tschema.editing.checks import Check, find_diagnostics
from tschema.editing.edits import Edit, apply_edits, line_starts
from tschema.editing.project import rewrite_of
from tschema.ir.declarations import Declarations
from tschema.output.files import Rewrite
from tschema.pipeline.schema import read_declarations
from tschema.project.config import Config
from tschema.regions.blocks import BOM

_Name = tuple[str, str, str]
_Bytes = dict[str, bytes]
"""New contents of files by path, without a byte order mark."""


class Fixed(Struct, frozen=True):
    """What fixing came to."""

    rewrite: Rewrite
    fixed: tuple[Diagnostic, ...]
    left: tuple[Diagnostic, ...]
    """The diagnostics that have no fix, or whose fix did not help."""


def fix_project(config: Config, find_missing: Check, paths: Sequence[Path] = ()) -> Fixed:
    """
    Apply the fixes of a project's diagnostics.

    Parameters
    ----------
    find_missing
        Checks files that are written in place.
    paths
        Files and folders to fix; all if empty.

    Raises
    ------
    SchemaError
        The configuration or a marker is wrong.
    """
    return fix_declarations(config, read_declarations(config), find_missing, paths)


def fix_declarations(
    config: Config, declarations: Declarations, find_missing: Check, paths: Sequence[Path] = ()
) -> Fixed:
    """Apply the fixes of declarations, which need not be those on disk; see `fix_project`."""
    before: _Bytes = {}
    texts: _Bytes = {}
    fixed: dict[_Name, Diagnostic] = {}
    now = find_diagnostics(config, declarations, {}, find_missing)
    found = [one for one in now if _is_in(one, config, paths)]
    while chosen := _apart(one for one in found if _name(one) not in fixed):
        fixed |= {_name(one): one for one in chosen}
        _apply(chosen, config.root, before, texts)
        now = find_diagnostics(config, declarations, _decoded(texts), find_missing)
        found = [one for one in now if _is_in(one, config, paths)]
    schema_files = {file.source.path for file in declarations.files}
    # Other files are read from disk, where the fixes are not yet.
    left = [one for one in found if _name(one) not in fixed or _name(one)[1] in schema_files]
    names = set(map(_name, left))
    done = tuple(one for name, one in fixed.items() if name not in names)
    return Fixed(rewrite_of(config.root, before, texts), done, tuple(left))


def _name(diagnostic: Diagnostic) -> _Name:
    """Return the identity of a diagnostic, which edits of lines above it do not change."""
    path = diagnostic.span.file.path if diagnostic.span else ""
    return diagnostic.code, path, diagnostic.message


def _is_in(diagnostic: Diagnostic, config: Config, paths: Sequence[Path]) -> bool:
    """Return whether a diagnostic is about one of the chosen files."""
    if not paths or diagnostic.span is None:
        return not paths
    place = (config.root / diagnostic.span.file.path).resolve()
    return any(place.is_relative_to(path.resolve()) for path in paths)


def _apart(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics whose fixes do not touch those of earlier ones."""
    chosen: list[Diagnostic] = []
    taken: list[tuple[TextEdit, bool]] = []
    for one in diagnostics:
        fix = one.fix
        if fix is not None and not any(
            _touch(edit, other, may_join=fix.joins and joins)
            for edit in fix.edits
            for other, joins in taken
        ):
            chosen.append(one)
            taken += [(edit, fix.joins) for edit in fix.edits]
    return chosen


def _touch(one: TextEdit, other: TextEdit, *, may_join: bool) -> bool:
    """Return whether edits share a line; those of one help for several diagnostics are one."""
    if one.span.file.path != other.span.file.path or one == other:
        return False
    if one.span == other.span:
        return not may_join
    first, second = sorted((edit.span.line, edit.span.end_line) for edit in (one, other))
    return second[0] <= first[1]


def _apply(diagnostics: Iterable[Diagnostic], root: Path, before: _Bytes, texts: _Bytes) -> None:
    """Edit texts; `before` gets those of files that were not edited yet."""
    edits: dict[str, list[TextEdit]] = {}
    for one in diagnostics:
        fix = one.fix or Fix(())
        for edit in fix.edits:
            edits.setdefault(edit.span.file.path, []).append(edit)
    for path, found in edits.items():
        data = texts.get(path)
        if data is None:
            data = before[path] = _read(found[0].span.file, root)
        texts[path] = apply_edits(data, _joined(found, data))


def _read(file: SourceFile, root: Path) -> bytes:
    """Return the text that a diagnostic is about; that on disk where it could not be decoded."""
    text = file.text.encode("utf-8", "surrogateescape")
    return text or (root / file.path).read_bytes().removeprefix(BOM)


def _joined(edits: Iterable[TextEdit], data: bytes) -> list[Edit]:
    """Return edits of bytes; insertions at one place become one, in their order."""
    starts, ends = line_starts(data), b"\r\n" if b"\r\n" in data else b"\n"
    found: dict[tuple[int, int], dict[str, None]] = {}
    for edit in edits:
        span, file = edit.span, edit.span.file
        start = _offset(file, span.line, span.column, starts, len(data))
        end = _offset(file, span.end_line, span.end_column, starts, len(data))
        text = edit.text.replace("\r\n", "\n").replace("\n", ends.decode())
        if start == len(data) and data and not data.endswith(b"\n"):
            text = ends.decode() + text
        found.setdefault((start, end), {})[text] = None
    return [Edit(start, end, "".join(texts)) for (start, end), texts in found.items()]


def _offset(file: SourceFile, line: int, column: int, starts: Sequence[int], size: int) -> int:
    """Return the byte of a place; the end for a line after the last one."""
    if line > len(starts):
        return size
    return starts[line - 1] + len(file.line(line)[: column - 1].encode())


def _decoded(texts: _Bytes) -> dict[str, str]:
    return {path: data.decode("utf-8", "surrogateescape") for path, data in texts.items()}
