"""The flow of a rename: names, edits of every file, `renamed_from`, and the check of the result.

In: a project, a target and a new name.  Out: the new texts.  It writes nothing.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path

from msgspec import Struct

from tschema.diagnostics.errors import Reporter, SchemaError, schema_error
from tschema.diagnostics.source import Span
from tschema.editing.edits import Edit, apply_edits, edit_spans, line_starts
from tschema.editing.project import EditedProject, project_with, rewrite
from tschema.editing.rename.edits import FileRenamer
from tschema.editing.rename.file_index import FileIndex
from tschema.editing.rename.meaning import DocNames
from tschema.editing.rename.names import Names, names_of
from tschema.editing.rename.target import Target
from tschema.editing.syntax import Definition, FileSyntax, read_syntax
from tschema.ir import codec
from tschema.ir.declarations import FileDecl
from tschema.ir.model import Type
from tschema.output.files import Rewrite
from tschema.project.config import Config

_IDENTIFIER = re.compile(r"[A-Za-z]\w*", re.ASCII)


class Renaming(Struct, frozen=True):
    """A rename that is ready to be written."""

    target: Target
    names: Names
    rewrite: Rewrite
    project: EditedProject
    """The project with the new texts."""


def rename(
    project: EditedProject,
    target: Target,
    new: str,
    index_of: Callable[[FileDecl], FileIndex] | None = None,
) -> Renaming:
    """
    Rename a declaration in all schema files.

    Parameters
    ----------
    new
        The new name, without a namespace; of a class, its data class may be given instead.
    index_of
        Gives the places of names in a file; LibCST finds them by default.

    Raises
    ------
    SchemaError
        The name is taken, reserved or malformed, or a file has another meaning for it.
    """
    names, texts = renamed_texts(project, target, new, index_of or _index)
    return Renaming(target, names, rewrite(project, texts), project_with(project, texts))


def renamed_texts(
    project: EditedProject, target: Target, new: str, index_of: Callable[[FileDecl], FileIndex]
) -> tuple[Names, dict[str, bytes]]:
    """
    Return the names that a rename changes, and the new texts of schema files by path.

    The meaning of the new texts is not checked.

    Parameters
    ----------
    index_of
        Gives the places of names in a file.

    Raises
    ------
    SchemaError
        The name is malformed, or a file imports something else of that name.
    """
    names = names_of(project, target, _checked(project, target, new))
    return names, dict(_edited(project, target, names, index_of))


def _checked(project: EditedProject, target: Target, new: str) -> str:
    """Return a new name, that of the reference class for a class."""
    if target.kind == "class":
        type_ = project.schema.type(target.key)
        is_data = type_.name == f"{type_.ref}Node" and new.endswith("Node")
        new = new.removesuffix("Node") if is_data else new
    if not _IDENTIFIER.fullmatch(new):
        message = f"`{new}` is not a valid name of a {target.kind}"
        raise schema_error("TS096", message, "write letters, digits and underscores, no namespace")
    if new == target.name:
        raise schema_error("TS096", f"`{target.dotted}` already has the name `{new}`")
    return new


def find_references(
    project: EditedProject, names: Names, index_of: Callable[[FileDecl], FileIndex]
) -> Iterator[Span]:
    """
    Yield the places in schema files that a rename would change, the declaration's own too.

    Parameters
    ----------
    names
        The names that would change.
    index_of
        Gives the places of names in a file.
    """
    for index, edits in _find_edits(project, names, index_of):
        yield from edit_spans(index.file.source, edits, index.line_starts)


def _edited(
    project: EditedProject,
    target: Target,
    names: Names,
    index_of: Callable[[FileDecl], FileIndex],
) -> Iterator[tuple[str, bytes]]:
    """Yield the files that change, with their new texts."""
    reporter = Reporter()
    found: list[tuple[str, bytes]] = []
    for index, edits in _find_edits(project, names, index_of):
        file = index.file
        edits += _renamed_from(project, target, names, file, index.syntax)
        if edits:
            _check_scope(file, names, reporter)
            found.append((file.source.path, apply_edits(file.source.text.encode(), edits)))
    reporter.stop_on_error()
    yield from found


def _find_edits(
    project: EditedProject, names: Names, index_of: Callable[[FileDecl], FileIndex]
) -> Iterator[tuple[FileIndex, list[Edit]]]:
    """Yield the files that may have an old name, with the edits of names in them."""
    old, in_texts = sorted(names.words()), names.words_of_texts()
    words = re.compile(rf"\b(?:{'|'.join(map(re.escape, old))})\b")
    modules = {file.source.path: file.module for file in project.declarations.files}
    docs = DocNames(project.schema, modules)
    for file in project.declarations.files:
        text = file.source.text
        if any(word in text for word in old) and words.search(text):
            index = index_of(file)
            yield index, [*FileRenamer(index, names, docs, in_texts).edits()]


def _index(file: FileDecl) -> FileIndex:
    return FileIndex(file, read_syntax(file.source.text))


def _check_scope(file: FileDecl, names: Names, reporter: Reporter) -> None:
    """Refuse a new name that a file already uses for something else."""
    used = {one for one in names.references if one in file.scope.values()}
    for absolute in used:
        new = names.references[absolute]
        if new in file.scope and file.scope[new] != absolute:
            for one in file.imports:
                if one.local == new:
                    message = f"`{file.source.path}` imports another `{new}`"
                    help = "choose another name, or import that one under an alias"
                    reporter.error("TS096", message, one.place, help=help)


def _renamed_from(
    project: EditedProject, target: Target, names: Names, file: FileDecl, syntax: FileSyntax
) -> Iterator[Edit]:
    """Yield the edit that lets a class's blocks, custom regions and stored files move along."""
    if target.kind != "class" or file.source.path != target.space.source:
        return
    type_ = project.schema.type(target.key)
    data = file.source.text.encode()
    there = syntax.definition((type_.name,), "renamed_from")
    given = _given_names(there, data) if there is not None else []
    if type_.name in names.spellings:
        old, new = type_.name, names.spellings[type_.name]
    else:
        old, new = type_.key, names.keys[type_.key]
    former = [name for name in _former_names(project, type_, old, given) if name != new]
    key = syntax.definition((type_.name,), "type_key")
    if former == given:
        return
    if there is not None:
        yield _restated(there, former, data)
    elif key is not None:
        yield _inserted(key, _written(former), data)


def _given_names(there: Definition, data: bytes) -> list[str]:
    text = data[there.start : there.statement[1]].decode()
    value = ast.literal_eval(text.partition("=")[2].strip())
    return [value] if isinstance(value, str) else [*value]


def _former_names(project: EditedProject, type_: Type, old: str, given: list[str]) -> list[str]:
    """Return the names that a class has had, the last one first, this one if it was generated."""
    there = generated_names(project.config)
    if there is None:
        return given or [old]
    is_there = old in there or f"{type_.namespace}.{old}" in there
    return [old, *given] if is_there else given


def generated_names(config: Config) -> frozenset[str] | None:
    """Return the keys and names of the classes of the last JSON IR; None where there is none."""
    path = config.root / config.ir
    try:
        status = path.stat()
    except OSError:
        return None
    return _names_in(path, (status.st_mtime_ns, status.st_size, status.st_ino))


@lru_cache(maxsize=8)
def _names_in(path: Path, _stamp: tuple[int, int, int]) -> frozenset[str] | None:
    """Read a JSON IR once for each of its states, which its time, size and number tell apart."""
    try:
        last = codec.load(path)
    except SchemaError:
        return None
    pairs = ((one.key, f"{one.namespace}.{one.name}") for one in last.types())
    return frozenset(chain.from_iterable(pairs))


def _restated(there: Definition, former: list[str], data: bytes) -> Edit:
    """Return the edit of an option that is there; it goes with the last name."""
    if not former:
        return Edit(*_lines(there, data), "")
    return Edit(there.start, there.statement[1], f"renamed_from = {_written(former)}")


def _written(former: list[str]) -> str:
    listed = ", ".join(f'"{name}"' for name in former)
    return listed if len(former) == 1 else f"[{listed}]"


def _inserted(key: Definition, value: str, data: bytes) -> Edit:
    """Return the edit that adds the option after the type key."""
    start, end = _lines(key, data)
    indent = data[start : key.start].decode()
    line = data[start:end]
    newline = "\r\n" if line.endswith(b"\r\n") else "\n"
    lead = "" if line.endswith(b"\n") else newline
    return Edit(end, end, f"{lead}{indent}renamed_from = {value}{newline if not lead else ''}")


def _lines(one: Definition, data: bytes) -> tuple[int, int]:
    """Return the bounds of the lines of a statement, with the last line's end."""
    starts = [*line_starts(data), len(data)]
    first = starts[bisect_right(starts, one.start) - 1]
    return first, starts[bisect_left(starts, one.statement[1])]
