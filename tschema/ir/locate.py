"""The place of a declaration, by its key.

In: the JSON IR, which holds no places, and the schema files on disk.  Out: spans.  It is asked only
when a diagnostic is due; a file that has changed or gone since costs the span, and nothing else.
"""

from __future__ import annotations

import ast
from pathlib import Path

from tschema.diagnostics.source import SourceFile, Span
from tschema.ir.model import Namespace, Schema

_Declaration = ast.ClassDef | ast.FunctionDef


class Locator:
    """Finds the declarations of one package in its schema files."""

    def __init__(self, root: Path, schema: Schema) -> None:
        """Take a schema and the folder that its sources are relative to."""
        self._root = root
        self._homes: dict[str, tuple[Namespace, str]] = {}
        for space in schema.namespaces:
            for type_ in space.types:
                self._homes[type_.key] = space, type_.name
            self._homes |= {enum.key: (space, enum.name) for enum in space.enums}
            self._homes |= {one.key: (space, one.name) for one in space.functions}
        self._files: dict[str, tuple[SourceFile, ast.Module]] = {}

    def span(self, key: str, member: str | None = None) -> Span | None:
        """Return where a type, an enum or a function is declared, or a member of it.

        Parameters
        ----------
        key
            Type key, or dotted name of an enum or a function.
        member
            Name of a field, a method or a member of an enum; the declaration itself if None.
        """
        if key not in self._homes:
            return None
        space, name = self._homes[key]
        source, tree = self._file(space.source)
        found = _find(tree, name)
        if found is None:
            return Span(source, 1, 1, 1, 1)
        inner = _find_member(found, member) if member else None
        return _name_span(source, inner or found, member if inner and member else name)

    def text_span(self, path: str, line: int, column: int, end: tuple[int, int] | None) -> Span:
        """Return a span of a file of the project, which need not be a schema file."""
        end_line, end_column = end or (line, column + 1)
        return Span(self._source(path), line, column, end_line, end_column)

    def _file(self, path: str) -> tuple[SourceFile, ast.Module]:
        if path not in self._files:
            source = self._source(path)
            try:
                tree = ast.parse(source.text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                tree = ast.Module([], [])
            self._files[path] = source, tree
        return self._files[path]

    def _source(self, path: str) -> SourceFile:
        place = (self._root / path).resolve()
        if not place.is_relative_to(self._root.resolve()):
            return SourceFile(path, "")
        try:
            return SourceFile(path, place.read_bytes().decode("utf-8-sig"))
        except (OSError, ValueError):
            return SourceFile(path, "")


def _find(tree: ast.Module, name: str) -> _Declaration | None:
    found = (one for one in tree.body if isinstance(one, _Declaration) and one.name == name)
    return next(found, None)


def _find_member(declaration: _Declaration, name: str) -> ast.stmt | None:
    for statement in declaration.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == name:
            return statement
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return statement
    return None


def _name_span(source: SourceFile, statement: ast.stmt, name: str) -> Span:
    line = source.line(statement.lineno)
    column = max(line.find(name), 0) + 1
    return Span(source, statement.lineno, column, statement.lineno, column + len(name))
