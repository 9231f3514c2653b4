"""Reads the names of a text, and of its next versions.

In: texts of one file.  Out: their names.  Functions are read one by one, and those of the last text
not again.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tschema.diagnostics.source import SourceFile

from .functions import split_functions
from .names import Names
from .reader import FunctionNames, Reader

__all__ = ["NamesReader"]


class NamesReader:
    """Reads the texts of one file, one after the other."""

    def __init__(self) -> None:
        self._functions: dict[str, FunctionNames] = {}
        """Those of the last text."""

    def read(self, source: SourceFile) -> Names:
        """Return the names of a text.

        Raises
        ------
        SyntaxError, ValueError, RecursionError, MemoryError
            If Python cannot read the text.
        """
        try:
            return self._read_by_function(source)
        except SyntaxError:
            return _read(source, ast.parse(source.text), {})

    def _read_by_function(self, source: SourceFile) -> Names:
        split = split_functions(source.lines)
        tree = ast.parse(split.around)
        read = {
            text: self._functions.get(text) or _read_function(text)
            for text in {*split.functions.values()}
        }
        self._functions = read
        return _read(source, tree, {line: read[text] for line, text in split.functions.items()})


def _read(source: SourceFile, tree: ast.Module, functions: Mapping[int, FunctionNames]) -> Names:
    reader = Reader(source, functions)
    reader.visit(tree)
    reader.resolve()
    words = sorted(reader.words, key=lambda word: (word.span.line, word.span.column))
    return Names(tuple(reader.definitions), tuple(words), reader.aliases)


def _read_function(text: str) -> FunctionNames:
    source = SourceFile("", f"if 1:\n{text}" if text[0] in " \t" else f"\n{text}")
    reader = Reader(source, {})
    reader.visit(ast.parse(source.text))
    return FunctionNames(reader.definitions, reader.words, reader.late, reader.aliases)
