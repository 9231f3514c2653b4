"""Text to Python's own syntax trees, which executes nothing.

In: the text of a schema file or of a quoted annotation.  Out: a tree, or an exception.
"""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from keyword import iskeyword
from typing import NamedTuple

_FIELD = re.compile(r"(\s+)(\w+)\s*:\s*\w")
# `else: pass` is not a field.
_SUITES = frozenset({"else", "except", "finally", "try"})


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
        return _last_tree(text)
    except (RecursionError, MemoryError):
        raise TooDeep from None


@lru_cache(maxsize=1)
def _last_tree(text: str) -> ast.Module:
    """Return the tree of a module; editors ask for the declarations, then the names of a text."""
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
