"""A chunk of a schema file, from text to declarations, by LibCST.

In: a `Chunk`, and what the names that its file imports stand for.  Out: a `ChunkDecl`, or
diagnostics.  Nothing is executed, and no name of another file is resolved.
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from tschema.declarations import ImportDecl
from tschema.errors import Reporter
from tschema.frontend.body import BodyParser
from tschema.frontend.chunks import Chunk
from tschema.frontend.imports import parse_import
from tschema.frontend.positions import Locator
from tschema.frontend.recall import ChunkDecl
from tschema.source import SourceFile, Span

__all__ = ["find_span", "parse_chunk"]


def parse_chunk(
    chunk: Chunk,
    source: SourceFile,
    module: str,
    scope: Mapping[str, str] | None,
    reporter: Reporter,
) -> ChunkDecl:
    """
    Parse a chunk.

    Parameters
    ----------
    chunk
        The chunk.
    source
        The file that it is a piece of.
    module
        The dotted module of the file.
    scope
        What the file's names stand for; None if only imports are asked for.
    reporter
        Told of what is refused.

    Raises
    ------
    ParserSyntaxError
        LibCST does not understand the chunk.
    """
    return _parse(chunk, source, module, scope, reporter)[0]


def find_span(
    chunk: Chunk, source: SourceFile, module: str, scope: Mapping[str, str] | None, ordinal: int
) -> Span:
    """Return where the node stands to which a parse of a chunk gives an ordinal."""
    return _parse(chunk, source, module, scope, Reporter())[1].span(ordinal)


def _parse(
    chunk: Chunk,
    source: SourceFile,
    module: str,
    scope: Mapping[str, str] | None,
    reporter: Reporter,
) -> tuple[ChunkDecl, Locator]:
    tree = cst.parse_module(chunk.text)
    locator = Locator(source, tree, chunk.first_line)
    if scope is None:
        return ChunkDecl(_imports(tree, module, locator, reporter)), locator
    body = BodyParser(scope, locator, reporter)
    return body.parse(list(tree.body)), locator


def _imports(
    tree: cst.Module, module: str, locator: Locator, reporter: Reporter
) -> tuple[ImportDecl, ...]:
    found: list[ImportDecl] = []
    for statement in tree.body:
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.Import | cst.ImportFrom):
                    found += parse_import(small, module, locator, reporter)
    return tuple(found)
