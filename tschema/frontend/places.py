"""The places of parts of a schema file, for diagnostics.

In: nodes of the syntax tree of a file.  Out: `Place`s.  The tree has the positions of whole nodes;
those of the names in them are found in the text.
"""

from __future__ import annotations

import ast
import re

from tschema.diagnostics.source import Place, SourceFile

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

_LINE_END = re.compile(rb"\r\n|\r|\n")
_HEAD = re.compile(rb"(?:class|(?:async\s+)?def)\s+([^\s(:\[\\]+)")


class Locator:
    """Finds the places of the nodes of one file."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._lines = _LINE_END.split(source.text.encode())

    def place(self, node: ast.expr | ast.stmt | ast.alias | ast.keyword | ast.arg) -> Place:
        """Return the place of a node."""
        end_line, end_offset = node.end_lineno, node.end_col_offset
        assert end_line is not None and end_offset is not None
        return Place(self._source, (node.lineno, node.col_offset, end_line, end_offset))

    def start(self, node: ast.stmt | ast.alias | ast.keyword | ast.arg, text: str) -> Place:
        """Return the place of the text that a node starts with."""
        return self._within(node.lineno, node.col_offset, len(text.encode()))

    def name(self, node: Definition) -> Place:
        """Return the place of the name in the head of a class or a function."""
        match = _HEAD.match(self._lines[node.lineno - 1], node.col_offset)
        if match is None:  # The name is on another line.
            return self._within(node.lineno, node.col_offset, 1)
        return self._within(node.lineno, match.start(1), len(match[1]))

    def decorator(self, node: ast.expr) -> Place:
        """Return the place of a decorator, from its `@`."""
        place = self.place(node)
        line, offset, *end = place.at
        sign = self._lines[line - 1].rfind(b"@", 0, offset)
        return Place(self._source, (line, sign if sign >= 0 else offset, end[0], end[1]))

    def doc_line(self, docstring: ast.expr, line: int, name: str) -> Place:
        """Return the place of a name in a 0-based line of a docstring; of all of it if in doubt."""
        whole = self.place(docstring)
        first, _, last, _ = whole.at
        offset = self._lines[first + line - 1].find(name.encode()) if first + line <= last else -1
        return self._within(first + line, offset, len(name.encode())) if offset >= 0 else whole

    def _within(self, line: int, offset: int, length: int) -> Place:
        return Place(self._source, (line, offset, line, offset + length))
