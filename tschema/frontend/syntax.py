"""Whether text is Python at all, and shallow enough for the parser.

In: the text of a schema file or of a quoted annotation.  Out: Python's own tree, or an exception.
LibCST's parser overflows the stack on expressions that Python's own parser refuses, so that one
goes first; it executes nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["TooDeep", "check_expression", "check_module"]

_LONG_STATEMENT = 2000
_LONG_CHAIN = 100


class TooDeep(Exception):
    """An expression is nested deeper than any schema needs."""


def check_module(text: str) -> ast.Module:
    """Check the text of a module, and return Python's own tree of it.

    Raises
    ------
    SyntaxError, ValueError
        It is no Python.
    TooDeep
        An expression is nested too deeply.
    """
    try:
        tree = ast.parse(text)
    except (RecursionError, MemoryError):
        raise TooDeep from None
    lines = text.split("\n")
    if any(_has_long_chain(statement, lines) for statement in _statements(tree.body)):
        raise TooDeep
    return tree


def check_expression(text: str) -> None:
    """Check the text of an expression; raises as `check_module` does."""
    try:
        tree = ast.parse(text, mode="eval")
    except (RecursionError, MemoryError):
        raise TooDeep from None
    if any(_is_long_chain(node) for node in ast.walk(tree)):
        raise TooDeep


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body and of the classes and functions in it."""
    for statement in body:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef):
            yield from _statements(statement.body)
        else:
            yield statement


def _has_long_chain(statement: ast.stmt, lines: list[str]) -> bool:
    """Return whether a long statement chains `and` or `or`, which Python's parser keeps flat."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return False
    last = statement.end_lineno or statement.lineno
    if sum(map(len, lines[statement.lineno - 1 : last])) < _LONG_STATEMENT:
        return False
    return any(_is_long_chain(node) for node in ast.walk(statement))


def _is_long_chain(node: ast.AST) -> bool:
    return isinstance(node, ast.BoolOp) and len(node.values) > _LONG_CHAIN
