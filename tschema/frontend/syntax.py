"""Text to Python's own syntax trees, which executes nothing.

In: the text of a schema file or of a quoted annotation.  Out: a tree, or an exception.  A text that
an editor has changed is parsed by parts, those between blank lines at the start of a statement, so
that only the changed ones cost time.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from keyword import iskeyword
from typing import NamedTuple

_FIELD = re.compile(r"(\s+)(\w+)\s*:\s*\w")
# `else: pass` is not a field.
_SUITES = frozenset({"else", "except", "finally", "try"})
_PART_END = re.compile(r"\n\n(?=[@A-Za-z_])")


class TooDeep(Exception):
    """Something is nested deeper than the parser goes, and than any schema needs."""


class ReservedWord(NamedTuple):
    """A word that Python reserves as the name of a field, and its column from 1."""

    word: str
    column: int

    @property
    def reason(self) -> str:
        """The message of the error."""
        return f"Python reserves the word `{self.word}`, which cannot be the name of a field"

    @property
    def help(self) -> str:
        """The way out."""
        return f"call it `{self.word}_`"


def reserved_word(text: str, line: int) -> ReservedWord | None:
    """Return the name of the field of a line that Python does not take, if it is such a word."""
    lines = text.splitlines()
    found = _FIELD.match(lines[line - 1]) if line <= len(lines) else None
    if found is None or not iskeyword(found[2]) or found[2] in _SUITES:
        return None
    return ReservedWord(found[2], len(found[1]) + 1)


def parse_module(text: str) -> ast.Module:
    """Return the tree of a module.

    Raises
    ------
    SyntaxError, ValueError
        It is not Python.
    TooDeep
        Something is nested too deeply.
    """
    try:
        return _tree(text)
    except (RecursionError, MemoryError):
        raise TooDeep from None


@lru_cache(maxsize=1)
def parse_edited(text: str) -> ast.Module:
    """Return the tree of a module, most of which was parsed before; raises as `parse_module` does.

    An editor asks for the declarations, then for the names of a text. The trees share statements.
    """
    if "\r" in text:  # Python counts other lines.
        return parse_module(text)
    try:
        parts = [_part(line, part) for line, part in _parts(text)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # It is wrong, or a blank line inside of a statement looked like its end.
        return parse_module(text)
    return ast.Module([statement for part in parts for statement in part.body], type_ignores=[])


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text, each with the number of lines before it."""
    start = line = 0
    for found in _PART_END.finditer(text):
        part = text[start : found.end()]
        yield line, part
        start, line = found.end(), line + part.count("\n")
    yield line, text[start:]


@lru_cache(maxsize=1024)
def _part(line: int, text: str) -> ast.Module:
    return _tree("\n" * line + text)


def _tree(text: str) -> ast.Module:
    with warnings.catch_warnings():
        # Warnings about invalid escapes, whose meaning is clear.
        warnings.simplefilter("ignore")
        return ast.parse(text)


def parse_expression(text: str) -> ast.expr:
    """Return the tree of an expression; raises as `parse_module` does."""
    try:
        return ast.parse(text, mode="eval").body
    except (RecursionError, MemoryError):
        raise TooDeep from None
