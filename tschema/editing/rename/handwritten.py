"""Mentions of a renamed declaration in hand-written code, which its authors change.

In: a rename and the files of its project.  Out: a warning for each line that names it.  Generated
text is left out; custom regions are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tschema.diagnostics.errors import Diagnostic, SchemaError
from tschema.diagnostics.source import SourceFile, Span
from tschema.editing.rename.rename import Renaming
from tschema.ir.casing import camel_case, snake_case
from tschema.ir.model import Schema
from tschema.output.ownership import header_sources
from tschema.project.config import Config
from tschema.project.cpp_sources import PROJECT_MARKS
from tschema.project.folders import walk
from tschema.regions.blocks import FILE_BLOCK, MarkedFile, scan_comments

_SUFFIXES = (
    *(".h", ".hh", ".hpp", ".hxx", ".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh"),
    *(".py", ".pyi", ".rs"),
)


def find_mentions(config: Config, schema: Schema, renaming: Renaming) -> Iterator[Diagnostic]:
    """
    Yield the lines of hand-written code that name what was renamed.

    Parameters
    ----------
    config
        The project.
    schema
        Its schema before the rename.
    renaming
        The rename.
    """
    words = _pattern(_words(renaming))
    near = _pattern(_context(schema, renaming))
    edited = {str(path) for path in renaming.rewrite.new}
    roots = [PurePosixPath(root) for root in config.schema]
    for found in walk(str(config.root), _SUFFIXES, PROJECT_MARKS):
        path = PurePosixPath(Path(found).relative_to(config.root).as_posix())
        if str(path) in edited or any(path.is_relative_to(root) for root in roots):
            continue
        data = Path(found).read_bytes()
        text = data.decode("utf-8", "replace")
        if words.search(text) and near.search(text):
            yield from _in_file(str(path), data, text, words, renaming)


def _words(renaming: Renaming) -> set[str]:
    """Return what hand-written code calls the declaration, in any language."""
    target, words = renaming.target, set(renaming.names.spellings)
    if target.kind in ("method", "function", "operator"):
        words |= {snake_case(target.name), camel_case(target.name)}
    if target.kind == "enum member":
        words.add(snake_case(target.name).upper())
    return words


def _context(schema: Schema, renaming: Renaming) -> set[str]:
    """Return the words of which a file must hold one for a mention to mean the declaration."""
    target = renaming.target
    if target.kind in ("class", "enum", "function", "operator"):
        name = target.key.rpartition(".")[2]
        others = [one for one in schema.types() if one.ref == name and one.key != target.key]
        inner = target.key.split(".")[-2]
        return (
            {inner, *(set(renaming.names.spellings) - {name})}
            if others
            else {name, *_words(renaming)}
        )
    keys = {key.rpartition(".")[0] for key in renaming.names.keys}
    types = [one for one in schema.types() if one.key in keys]
    named = {name for one in types for name in (one.ref, one.name)}
    return named | {key.rpartition(".")[2] for key in keys}


def _pattern(words: set[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\b")


def _in_file(
    path: str, data: bytes, text: str, words: re.Pattern[str], renaming: Renaming
) -> Iterator[Diagnostic]:
    handwritten = _handwritten_lines(path, data)
    source = SourceFile(path, text)
    for number, line in enumerate(text.split("\n"), 1):
        match = words.search(line)
        if match is None or (handwritten is not None and number not in handwritten):
            continue
        span = Span(source, number, match.start() + 1, number, match.end() + 1)
        message = f"`{match[0]}` is named here, and `{renaming.target.dotted}` was renamed"
        help = "write the new name where this one means it: hand-written code is not changed"
        yield Diagnostic("TS097", "warning", message, span, help=help)


def _handwritten_lines(path: str, data: bytes) -> set[int] | None:
    """Return the 1-based lines of a file that people write; None for all of them."""
    if b"tschema" not in data:
        return None
    try:
        marked = scan_comments(path, data)
    except SchemaError:
        return None
    if header_sources(data):
        return {index + 1 for block in marked.blocks.values() for index in block.region or ()}
    return set(_outside_generated(marked)) if marked.blocks else None


def _outside_generated(marked: MarkedFile) -> Iterator[int]:
    for run in marked.outside():
        yield from (index + 1 for index in run)
    for block in marked.blocks.values():
        if block.name != FILE_BLOCK:
            yield from (index + 1 for index in block.region or ())
