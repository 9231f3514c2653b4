"""Names of a declaration in other files than the schema's: in code of every language, and in pages.

In: a declaration, or a rename, and the files of its project.  Out: for a rename, a warning for each
line that its authors change, also in a schema file, where the rename has left the old name.
Generated text is left out; custom regions are not.  For a declaration, all uses in code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from tschema.diagnostics.errors import Diagnostic, SchemaError
from tschema.diagnostics.source import SourceFile, Span
from tschema.editing.rename.code_files import CODE, PAGES, CodeFiles
from tschema.editing.rename.names import Names
from tschema.editing.rename.rename import Renaming
from tschema.editing.rename.target import Target
from tschema.ir.casing import camel_case, snake_case
from tschema.ir.model import Schema
from tschema.output.ownership import header_sources
from tschema.project.config import Config
from tschema.project.cpp_sources import PROJECT_MARKS
from tschema.project.folders import read_files
from tschema.regions.blocks import FILE_BLOCK, MarkedFile, scan_comments

_MARKUP = re.compile(r"`|::|\w[.(]\w|^\s*(?:from|import|class)\b|^ {4}|^\t|\w\(")
"""The signs of code in a line of a page."""
_CPP_OPTION = re.compile(r"\b(?:cpp|cpp_\w+|foreign)\s*[=(]")


def find_mentions(config: Config, schema: Schema, renaming: Renaming) -> Iterator[Diagnostic]:
    """
    Yield the lines of hand-written code, and of schema files, that still have the old name.

    Parameters
    ----------
    schema
        Its schema before the rename.
    """
    target, names = renaming.target, renaming.names
    words = _pattern(words_of(target, names.spellings))
    yield from _left_in_schema(schema, renaming, words)
    for path, data, text in _naming_files(config, schema, target, names):
        yield from _in_file(path, data, text, words, renaming)


def find_uses(files: CodeFiles, schema: Schema, target: Target, names: Names) -> Iterator[Span]:
    """
    Yield the places in code outside of schema files that name a declaration, in any language.

    Parameters
    ----------
    names
        Its names, of which the new ones do not count.
    """
    words = words_of(target, names.spellings)
    for source in files.having(words, _context(schema, target, names)):
        line, at, text = 1, 0, source.text
        for start, end in sorted(bounds for word in words for bounds in _places(text, word)):
            line += text.count("\n", at, start)
            at = start
            column = start - text.rfind("\n", 0, start)
            yield Span(source, line, column, line, column + end - start)


def _places(text: str, word: str) -> Iterator[tuple[int, int]]:
    """Yield the bounds of a word.

    A search for many words at once takes ten times as long, as one does that looks at the place
    before the word first: Python finds a pattern sooner that begins with letters.
    """
    escaped = re.escape(word)
    for match in re.finditer(rf"{escaped}(?<!\w{escaped})\b", text):
        yield match.span()


def _naming_files(
    config: Config, schema: Schema, target: Target, names: Names
) -> Iterator[tuple[str, bytes, str]]:
    """Yield the files that may name a declaration, without schema files: path, data and text."""
    words = _pattern(words_of(target, names.spellings))
    near = _pattern(_context(schema, target, names))
    roots = [PurePosixPath(root) for root in config.schema]
    for path, data in read_files(str(config.root), (*PAGES, *CODE), PROJECT_MARKS):
        if any(PurePosixPath(path).is_relative_to(root) for root in roots):
            continue
        text = data.decode("utf-8", "replace")
        if words.search(text) and near.search(text):
            yield path, data, text


def _left_in_schema(
    schema: Schema, renaming: Renaming, words: re.Pattern[str]
) -> Iterator[Diagnostic]:
    """Yield the lines of schema files where the rename left the old name to people."""
    target = renaming.target
    near = _pattern(_context(schema, target, renaming.names))
    records = (*renaming.names.keys, *renaming.names.keys.values(), "renamed_from")
    for file in renaming.project.declarations.files:
        text = file.source.text
        if not near.search(text):
            continue
        for number, line in enumerate(text.split("\n"), 1):
            match = words.search(line)
            if match is None or any(one in line for one in records):
                continue
            is_quoted = bool(_CPP_OPTION.search(line)) or (not target.member and "`" in line)
            if is_quoted or (not target.member and _is_telling(match[0])):
                yield _mention(file.source, number, match, renaming)


def _is_telling(word: str) -> bool:
    """Return whether a word of prose is a name for certain: `IntImm`, `for_node`, but not `For`."""
    return "_" in word.strip("_") or any(letter.isupper() for letter in word[1:])


def words_of(target: Target, names: Iterable[str]) -> set[str]:
    """
    Return the words by which code of any language calls a declaration.

    Parameters
    ----------
    names
        Its own names: the reference and the data class of a class.
    """
    words = set(names)
    snake, camel = snake_case(target.name), camel_case(target.name)
    if target.kind in ("method", "function", "operator"):
        words |= {snake, camel}
    if target.kind == "operator":
        words |= {f"{part}{camel}" for part in ("Infer", "Lower")}
    if target.kind == "class":
        words |= {f"Visit{camel}", f"visit_{snake}"}
        words |= {f"{camel}{part}" for part in ("Functor", "Visitor", "Mutator")}
    if target.kind == "field":
        words |= {f"{target.name}_", f"set_{target.name}"}
    if target.kind == "enum member":
        words |= {snake.upper(), f"k{camel}"}
    return words


def _context(schema: Schema, target: Target, names: Names) -> set[str]:
    """Return the words of which a file must hold one for a mention to mean the declaration."""
    if target.kind in ("class", "enum", "function", "operator"):
        name = target.key.rpartition(".")[2]
        others = [one for one in schema.types() if one.ref == name and one.key != target.key]
        inner = target.key.split(".")[-2]
        return (
            {inner, *(set(names.spellings) - {name})}
            if others
            else {name, *words_of(target, names.spellings)}
        )
    keys = {key.rpartition(".")[0] for key in names.keys}
    types = [one for one in schema.types() if one.key in keys]
    named = {name for one in types for name in (one.ref, one.name)}
    return named | {key.rpartition(".")[2] for key in keys}


def _pattern(words: set[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\b")


def _in_file(
    path: str, data: bytes, text: str, words: re.Pattern[str], renaming: Renaming
) -> Iterator[Diagnostic]:
    handwritten = _handwritten_lines(path, data)
    is_prose = path.endswith(PAGES)
    source = SourceFile(path, text)
    for number, line in enumerate(text.split("\n"), 1):
        match = words.search(line)
        if match is None or (handwritten is not None and number not in handwritten):
            continue
        if not is_prose or _is_telling(match[0]) or _MARKUP.search(line):
            yield _mention(source, number, match, renaming)


def _mention(
    source: SourceFile, number: int, match: re.Match[str], renaming: Renaming
) -> Diagnostic:
    span = Span(source, number, match.start() + 1, number, match.end() + 1)
    message = f"`{match[0]}` is named here, and `{renaming.target.dotted}` was renamed"
    help = "write the new name where this one means it: hand-written code is not changed"
    return Diagnostic("TS097", "warning", message, span, help=help)


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
