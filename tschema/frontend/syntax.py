"""Text to Python's own syntax trees, which executes nothing.

In: the text of a schema file or of a quoted annotation.  Out: a tree, or an exception.
"""

from __future__ import annotations

import ast
import warnings


class TooDeep(Exception):
    """Something is nested deeper than the parser goes, and than any schema needs."""


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
        with warnings.catch_warnings():
            # On odd escapes; what they mean is clear.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (RecursionError, MemoryError):
        raise TooDeep from None


def parse_expression(text: str) -> ast.expr:
    """Return the tree of an expression; raises as `parse_module` does."""
    try:
        return ast.parse(text, mode="eval").body
    except (RecursionError, MemoryError):
        raise TooDeep from None
