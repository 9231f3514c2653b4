"""A schema file, cut into what merges as one.

In: the text of a file.  Out: `Item`s, each with the blank lines and comments above it;
together they are the text, character by character.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec import Struct

from tschema.editing.schema_merge.docstrings import read_docstring
from tschema.editing.schema_merge.item import END, Item, cut_lines, is_comment

_LONE_CR = re.compile(r"\r(?!\n)")


def read_items(text: str) -> tuple[Item, ...] | None:
    """
    Cut a schema file into declarations.

    Returns
    -------
    items
        Its statements, and the lines below the last one; None where it is not valid Python, two
        statements share a line or a name, or a line ends with a lone CR.
    """
    if _LONE_CR.search(text):
        return None
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    lines = cut_lines(text)
    items = _read(tree.body, lines, range(0, len(lines)))
    return items if items is not None and "".join(one.whole for one in items) == text else None


class _Span(Struct, frozen=True):
    """The lines of a statement, by index."""

    start: int
    stop: int


def _read(body: Sequence[ast.stmt], lines: Sequence[str], inside: range) -> tuple[Item, ...] | None:
    """Return the items of a body, given its lines."""
    items: list[Item] = []
    done = inside.start
    spans = [_span(one) for one in body]
    for index, (node, span) in enumerate(zip(body, spans, strict=True)):
        if span.start < done:
            return None
        following = spans[index + 1].start if index + 1 < len(body) else inside.stop
        # Comments at the indentation of a body belong to it, though they are below it.
        stop = span.stop + _indented(lines[span.stop : following], node.col_offset)
        item = _item(node, index, lines, done, _Span(span.start, stop))
        if item is None:
            return None
        items.append(item)
        done = stop
    items.append(Item(END, "".join(lines[done : inside.stop]), ""))
    names = [one.key for one in items]
    return tuple(items) if len(set(names)) == len(names) else None


def _span(node: ast.stmt) -> _Span:
    decorators = getattr(node, "decorator_list", ())
    first = min([node.lineno, *(one.lineno for one in decorators)])
    assert node.end_lineno is not None, "the parser states it"
    return _Span(first - 1, node.end_lineno)


def _indented(lines: Sequence[str], outer: int) -> int:
    """Return how many lines reach to the last comment that is deeper than a statement."""
    deep = [
        index
        for index, line in enumerate(lines)
        if is_comment(line) and len(line) - len(line.lstrip()) > outer
    ]
    return deep[-1] + 1 if deep else 0


def _item(node: ast.stmt, index: int, lines: Sequence[str], done: int, span: _Span) -> Item | None:
    lead = "".join(lines[done : span.start])
    text = "".join(lines[span.start : span.stop])
    if index == 0 and _is_text(node):
        return read_docstring(lead, text)
    if isinstance(node, ast.ClassDef):
        return _class(node, lines, lead, span)
    if isinstance(node, ast.ImportFrom):
        names = tuple(ast.unparse(one) for one in node.names)
        key = f"from {'.' * node.level}{node.module or ''}"
        return Item(key, lead, text, kind="import", names=names)
    return _plain(node, lead, text)


def _is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a string."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _plain(node: ast.stmt, lead: str, text: str) -> Item:
    """Return the item of a statement that is merged as a whole."""
    if isinstance(node, ast.AnnAssign):
        kind = "field" if _is_positional(node.value) else "option"
        named = ast.unparse(node.target)
        return Item(f"name {named}", lead, text, kind=kind, sort=ast.unparse(node.annotation))
    if isinstance(node, ast.Assign):
        named = ", ".join(ast.unparse(one) for one in node.targets)
        kind = "number" if _is_number(node.value) else ""
        return Item(f"name {named}", lead, text, kind=kind, sort=ast.unparse(node.value))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return Item(f"name {node.name}", lead, text)
    is_import = isinstance(node, ast.Import)
    return Item(f"text {ast.unparse(node)}", lead, text, kind="import" if is_import else "")


def _is_number(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and type(value.value) is int


def _is_positional(value: ast.expr | None) -> bool:
    """Return whether a field is an argument that may be given without its name."""
    words = {one.arg: ast.unparse(one.value) for one in getattr(value, "keywords", ()) if one.arg}
    return words.get("kw_only") != "True" and words.get("init") != "False"


def _class(node: ast.ClassDef, lines: Sequence[str], lead: str, span: _Span) -> Item | None:
    key = f"name {node.name}"
    text = "".join(lines[span.start : span.stop])
    first = _span(node.body[0]).start
    if first < node.lineno:
        return Item(key, lead, text)  # The whole class is on one line.
    above = [*takewhile(_is_blank_or_comment, reversed(lines[span.start : first]))]
    begin = first - len(above)
    inner = _read(node.body, lines, range(begin, span.stop))
    head = "".join(lines[span.start : begin])
    former = tuple(_former_names(node))
    if inner is None or begin <= span.start:
        return Item(key, lead, text, former=former)
    return Item(key, lead, text, head=head, inner=inner, former=former)


def _is_blank_or_comment(line: str) -> bool:
    return not line.strip() or is_comment(line)


def _former_names(node: ast.ClassDef) -> Iterator[str]:
    """Yield the names that a class had before, as it says itself."""
    for one in node.body:
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "renamed_from":
            for value in ast.walk(one.value):
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield f"name {value.value}"
