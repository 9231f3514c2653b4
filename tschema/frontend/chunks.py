"""Text of a schema file, cut into pieces that can be parsed one by one.

In: text, and Python's own syntax tree of it.  Out: an `Outline` of chunks, whose texts put together
are all that follows the docstring; each holds a top-level statement, or several that share a line.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass

from tschema.source import whole_characters

__all__ = ["Chunk", "Outline", "dump_outline", "load_outline", "make_outline"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a file."""

    text: str
    first_line: int
    """0-based."""
    imports: bool
    """Whether it may hold imports."""
    declares: bool
    """Whether it may hold anything but imports."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What a module consists of."""

    doc: str
    """Its docstring; empty if there is none."""
    classes: tuple[str, ...]
    """Names of its classes."""
    chunks: tuple[Chunk, ...]
    """All of it, but for the docstring."""


def make_outline(text: str, tree: ast.Module) -> Outline:
    """Return the outline of a module, given Python's tree of it."""
    doc = whole_characters(ast.get_docstring(tree) or "").strip()
    classes = (statement.name for statement in tree.body if isinstance(statement, ast.ClassDef))
    return Outline(doc, tuple(classes), tuple(_cut(text, tree, bool(doc))))


def dump_outline(outline: Outline) -> bytes:
    """Return the bytes that stand for an outline, given the text that it is of."""
    chunks = [
        [len(chunk.text), chunk.first_line, chunk.imports, chunk.declares]
        for chunk in outline.chunks
    ]
    return json.dumps([outline.doc, outline.classes, chunks], separators=(",", ":")).encode()


def load_outline(data: bytes, text: str) -> Outline:
    """Return the outline of a text that bytes stand for."""
    doc, classes, sizes = json.loads(data)
    end = len(text)
    chunks = []
    for size, first_line, imports, declares in reversed(sizes):
        chunks.append(Chunk(text[end - size : end], first_line, imports, declares))
        end -= size
    return Outline(doc, tuple(classes), tuple(reversed(chunks)))


def _cut(text: str, tree: ast.Module, has_doc: bool) -> list[Chunk]:
    lines = _LINE.findall(text)
    groups: list[list[ast.stmt]] = []
    for statement in tree.body[1:] if has_doc else tree.body:
        if groups and _first_line(statement) < _end_line(groups[-1][-1]):
            groups[-1].append(statement)
        else:
            groups.append([statement])
    start = _end_line(tree.body[0]) if has_doc else 0
    if groups and _first_line(groups[0][0]) < start:
        return [Chunk(text, 0, True, True)]
    chunks = []
    for index, group in enumerate(groups):
        end = _end_line(group[-1]) if index < len(groups) - 1 else len(lines)
        imports = [isinstance(statement, ast.Import | ast.ImportFrom) for statement in group]
        chunks.append(Chunk("".join(lines[start:end]), start, any(imports), not all(imports)))
        start = end
    return chunks


def _first_line(statement: ast.stmt) -> int:
    """Return the 0-based line that a statement begins on, with its decorators."""
    lines = [statement.lineno]
    if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        lines += [decorator.lineno for decorator in statement.decorator_list]
    return min(lines) - 1


def _end_line(statement: ast.stmt) -> int:
    """Return the 0-based line after a statement."""
    return statement.end_lineno or statement.lineno
