"""Fixes of diagnostics: the text that a change replaces, and what replaces it.

In: a change, the place of a diagnostic and the text of its file.  Out: a `Fix`, or None where the
text leaves a doubt.  A kind of change is one function, and one line in `_FINDERS`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct

from tschema.diagnostics.helps import (
    AddLines,
    Change,
    Document,
    ImportName,
    InsertStatement,
    MoveStatement,
    Replace,
)
from tschema.diagnostics.source import SourceFile, Span

_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class TextEdit(Struct, frozen=True):
    """A text and what replaces it; an empty span inserts."""

    span: Span
    text: str


class Fix(Struct, frozen=True):
    """What makes a diagnostic go away; all of its edits, or none."""

    edits: tuple[TextEdit, ...]
    joins: bool = False
    """Whether it may follow other insertions at its place."""


def make_fix(change: Change, span: Span) -> Fix | None:
    """Return the fix that a change means at a place; None where that is in doubt."""
    if not span.file.text:
        return None
    try:
        return _FINDERS[type(change)](change, span)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _replace(change: Replace, span: Span) -> Fix | None:
    """Replace a word in the span; else the keyword before it, or the only such word of its line."""
    if not change.old:
        return Fix((TextEdit(span, change.new),))
    edits = tuple(_words(span, change))
    return Fix(edits) if edits else _nearby(span, change)


def _words(span: Span, change: Replace) -> Iterator[TextEdit]:
    for number in range(span.line, span.end_line + 1):
        line = span.file.line(number)
        first = span.column - 1 if number == span.line else 0
        last = span.end_column - 1 if number == span.end_line else len(line)
        for match in _word(change.old).finditer(line, first, last):
            yield TextEdit(_part(span.file, number, match), change.new)


def _nearby(span: Span, change: Replace) -> Fix | None:
    line = span.file.line(span.line)
    keyword = re.search(rf"\b{re.escape(change.old)}(?=\s*=\s*$)", line[: span.column - 1])
    found = [keyword] if keyword else [*_word(change.old).finditer(line)]
    if len(found) != 1:
        return None
    return Fix((TextEdit(_part(span.file, span.line, found[0]), change.new),))


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")


def _part(file: SourceFile, number: int, match: re.Match[str]) -> Span:
    return Span(file, number, match.start() + 1, number, match.end() + 1)


def _import(change: ImportName, span: Span) -> Fix | None:
    """Add a name to the import of its module, or an import after the others."""
    tree = _tree(span.file.text)
    imports = [one for one in tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
    within = next((one for one in imports if _covers(one, span.line)), None)
    if within is not None:
        return _reimport(change, within, span)
    for one in imports:
        if isinstance(one, ast.ImportFrom) and one.module == change.module and not one.level:
            return Fix((_added_alias(change.name, one, span.file),), joins=False)
    text = f"from {change.module} import {change.name}\n"
    return Fix((_inserted_import(text, change.module, imports, tree, span.file),))


def _reimport(change: ImportName, statement: ast.stmt, span: Span) -> Fix | None:
    """Import a name from where it is, if the statement imports nothing else."""
    if not isinstance(statement, ast.ImportFrom) or len(statement.names) != 1:
        return None
    alias = statement.names[0]
    renamed = f" as {alias.asname}" if alias.asname else ""
    text = f"from {change.module} import {change.name}{renamed}"
    return Fix((TextEdit(_span_of(statement, span.file), text),))


def _added_alias(name: str, statement: ast.ImportFrom, file: SourceFile) -> TextEdit:
    """Put a name among those that are imported, in order where these are."""
    later = next((one for one in statement.names if _rank(one.name) > _rank(name)), None)
    if later is not None:
        return TextEdit(_start_of(later, file), f"{name}, ")
    return TextEdit(_end_of(statement.names[-1], file), f", {name}")


def _rank(name: str) -> tuple[int, str]:
    """Order names as import sorters do: constants, classes, all others."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name.lower()


def _inserted_import(
    text: str,
    module: str,
    imports: list[ast.Import | ast.ImportFrom],
    tree: ast.Module,
    file: SourceFile,
) -> TextEdit:
    later = [one for one in imports if isinstance(one, ast.ImportFrom) and _comes(one, module)]
    if later:
        return TextEdit(_line(file, later[0].lineno), text)
    if imports:
        return TextEdit(_line(file, (imports[-1].end_lineno or 1) + 1), text)
    first = tree.body[0] if tree.body else None
    if first is not None and ast.get_docstring(tree, clean=False) is not None:
        return TextEdit(_line(file, (first.end_lineno or 1) + 1), f"\n{text}")
    return TextEdit(_line(file, first.lineno if first else 1), f"{text}\n\n" if first else text)


def _comes(statement: ast.ImportFrom, module: str) -> bool:
    """Return whether an import is after that of a module in alphabetical order."""
    return (
        statement.module != "__future__"
        and not statement.level
        and ((statement.module or "") > module)
    )


def _insert(change: InsertStatement, span: Span) -> Fix | None:
    statement = _statement(_tree(span.file.text), span)
    if statement is None:
        return None
    if not change.is_inside:
        number = _first_line(statement)
        return Fix((_whole_line(span.file, number, change.text),))
    if not isinstance(statement, _Definition):
        return None
    first = statement.body[1] if _docstring(statement) and statement.body[1:] else None
    if first is None and _docstring(statement):
        end = statement.body[0].end_lineno or 1
        indent = " " * statement.body[0].col_offset
        return Fix((TextEdit(_line(span.file, end + 1), f"\n{indent}{change.text}\n"),))
    body = first or statement.body[0]
    if body.lineno == statement.lineno:
        return None
    return Fix((_whole_line(span.file, body.lineno, change.text),))


def _whole_line(file: SourceFile, number: int, text: str) -> TextEdit:
    line = file.line(number)
    indent = line[: len(line) - len(line.lstrip())]
    return TextEdit(_line(file, number), f"{indent}{text}\n")


def _move(change: MoveStatement, span: Span) -> Fix | None:
    """Move a statement, with the comments above it, before another one of its body."""
    tree = _tree(span.file.text)
    for body in _bodies(tree):
        moved = next((one for one in body if _covers(one, span.line)), None)
        other = next((one for one in body if _covers(one, change.line)), None)
        if moved is not None and other is not None and moved is not other:
            first, last = _lines_of(moved, span.file)
            lines = [span.file.line(number) for number in range(first, last + 1)]
            target, _ = _lines_of(other, span.file)
            removed = Span(span.file, first, 1, last + 1, 1)
            text = "".join(f"{line}\n" for line in lines)
            return Fix((TextEdit(removed, ""), TextEdit(_line(span.file, target), text)))
    return None


def _document(change: Document, span: Span) -> Fix | None:
    statement = _statement(_tree(span.file.text), span)
    if change.entry:
        return _entry(change, span)
    if not isinstance(statement, _Definition) or _docstring(statement):
        return None
    first = statement.body[0]
    text = f'"""{change.text}"""'
    if first.lineno != statement.lineno:
        blank = "\n" if isinstance(statement, ast.ClassDef) else ""
        line = span.file.line(first.lineno)
        indent = line[: len(line) - len(line.lstrip())]
        return Fix((TextEdit(_line(span.file, first.lineno), f"{indent}{text}\n{blank}"),))
    indent = " " * (statement.col_offset + 4)
    start = _start_of(first, span.file)
    after = len(span.file.line(start.line)[: start.column - 1].rstrip()) + 1
    gap = Span(span.file, start.line, after, start.line, start.column)
    return Fix((TextEdit(gap, f"\n{indent}{text}\n{indent}"),))


def _entry(change: Document, span: Span) -> Fix | None:
    """Add an entry to the `Attributes` of the class of a field."""
    owners = [one for one in _tree(span.file.text).body if _covers(one, span.line)]
    literal = _docstring(owners[0]) if owners else None
    if literal is None or literal.end_lineno is None:
        return None
    file = span.file
    lines = {n: file.line(n) for n in range(literal.lineno, literal.end_lineno + 1)}
    indent = " " * literal.col_offset
    entry = f"{indent}{change.entry}\n{indent}    {change.text}\n"
    end = _end_of_attributes(lines, literal)
    if end is not None:
        return Fix((TextEdit(_line(file, end + 1), entry),), joins=True)
    quotes = 3 if file.line(literal.end_lineno)[: literal.end_col_offset].endswith('"""') else 1
    closing = _end_of(literal, file)
    column = closing.column - quotes
    alone = not lines[literal.end_lineno][: column - 1].strip()
    head = f"\n{indent}Attributes\n{indent}----------\n{entry}"
    if alone and literal.end_lineno > literal.lineno:
        return Fix((TextEdit(_line(file, literal.end_lineno), head),))
    if quotes == 1:
        return None
    place = Span(file, closing.line, column, closing.line, column)
    return Fix((TextEdit(place, f"\n{head}{indent}"),))


def _end_of_attributes(lines: dict[int, str], literal: ast.expr) -> int | None:
    """Return the last line of the section `Attributes` that says something."""
    end, within, previous = None, False, ""
    for number, line in lines.items():
        if re.fullmatch(r"\s*-{3,}\s*", line):
            within = previous.strip() == "Attributes"
            end = number if within else end
        elif within and line.strip() and number != literal.end_lineno:
            following = lines.get(number + 1, "")
            end = end if re.fullmatch(r"\s*-{3,}\s*", following) else number
        previous = line
    return end


def _add_lines(change: AddLines, span: Span) -> Fix | None:
    """Add lines after the last one of their kind above the first block."""
    kind = re.compile(r"#\s*include\b|(?:from|import)\s|use\s")
    lines = span.file.text.split("\n")
    first_block = next(
        (index for index, line in enumerate(lines) if re.match(r"\s*(//|#) tschema:", line)),
        len(lines),
    )
    known = [index for index in range(first_block) if kind.match(lines[index])]
    newline = "\r\n" if "\r\n" in span.file.text else "\n"
    text = "".join(f"{line}{newline}" for line in change.lines)
    if known:
        return Fix((TextEdit(_line(span.file, known[-1] + 2), text),))
    return Fix((TextEdit(_line(span.file, _after_head(lines[:first_block]) + 1), text),))


def _after_head(lines: list[str]) -> int:
    """Return how many lines there are of comments, guards and a docstring before the code."""
    count, in_docstring = 0, False
    for index, line in enumerate(lines):
        text = line.strip()
        quotes = text.count('"""')
        is_head = in_docstring or quotes or text.startswith(("//", "/*", "*", "#", "#!["))
        if text and not is_head:
            break
        in_docstring ^= quotes == 1
        count = index + 1 if text else count
    return count


def _docstring(node: ast.AST) -> ast.Constant | None:
    body = node.body if isinstance(node, _Definition) else []
    first = body[0].value if body and isinstance(body[0], ast.Expr) else None
    is_text = isinstance(first, ast.Constant) and isinstance(first.value, str)
    return first if is_text and isinstance(first, ast.Constant) else None


@lru_cache(maxsize=4)
def _tree(text: str) -> ast.Module:
    return ast.parse(text)


def _bodies(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """Yield the bodies of the classes, then that of the module."""
    yield from (one.body for one in tree.body if isinstance(one, ast.ClassDef))
    yield tree.body


def _statement(tree: ast.Module, span: Span) -> ast.stmt | None:
    """Return the innermost statement of a class or the module around a place."""
    for body in _bodies(tree):
        for statement in body:
            if _covers(statement, span.line):
                return statement
    return None


def _covers(statement: ast.stmt, line: int) -> bool:
    first = _first_line(statement)
    return first <= line <= (statement.end_lineno or first)


def _first_line(statement: ast.stmt) -> int:
    """Return the line of a statement or of its first decorator."""
    decorators = statement.decorator_list if isinstance(statement, _Definition) else []
    return min([statement.lineno, *(one.lineno for one in decorators)])


def _lines_of(statement: ast.stmt, file: SourceFile) -> tuple[int, int]:
    """Return the lines of a statement, with its decorators and the comments right above it."""
    first = _first_line(statement)
    while file.line(first - 1).lstrip().startswith("#"):
        first -= 1
    return first, statement.end_lineno or first


def _span_of(node: ast.stmt | ast.alias | ast.expr, file: SourceFile) -> Span:
    start, end = _start_of(node, file), _end_of(node, file)
    return Span(file, start.line, start.column, end.line, end.column)


def _start_of(node: ast.stmt | ast.alias | ast.expr, file: SourceFile) -> Span:
    return _point(file, node.lineno, node.col_offset)


def _end_of(node: ast.stmt | ast.alias | ast.expr, file: SourceFile) -> Span:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return _point(file, node.end_lineno, node.end_col_offset)


def _point(file: SourceFile, line: int, offset: int) -> Span:
    """Return an empty span, given bytes from the start of a line."""
    column = len(file.line(line).encode()[:offset].decode("utf-8", "replace")) + 1
    return Span(file, line, column, line, column)


def _line(file: SourceFile, line: int) -> Span:
    return Span(file, line, 1, line, 1)


_FINDERS: dict[type[Change], Callable[[Any, Span], Fix | None]] = {
    Replace: _replace,
    ImportName: _import,
    InsertStatement: _insert,
    MoveStatement: _move,
    Document: _document,
    AddLines: _add_lines,
}
