"""Schema files as Python's own parser reads them, in a tenth of the time that LibCST takes.

In: the text of a schema file.  Out: the same `FileSyntax` as of `syntax.read_syntax`, for those who
look and do not write: an editor asks while its user types.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Literal

from tschema.editing.comments import COMMENT, Scope, line_end, literals, owners_of
from tschema.editing.edits import line_starts
from tschema.editing.syntax import (
    DOTTED,
    Definition,
    FileSyntax,
    Reference,
    Text,
    read_syntax,
)
from tschema.frontend.syntax import parse_edited

_HEAD = re.compile(rb"(?:class|def)(?:\s|\\)+(\w+)")
_Body = ast.Module | ast.ClassDef | ast.FunctionDef


def find_syntax(text: str) -> FileSyntax:
    """Return the names, definitions and texts of a schema file, each in the order of the file."""
    reader = _Reader(text.encode())
    try:
        reader.read(parse_edited(text))
    except _Unusual:
        return read_syntax(text)
    found = reader.found
    found.references.sort(key=lambda one: one.end)
    found.definitions.sort(key=lambda one: one.start)
    found.texts.sort(key=lambda one: one.start)
    return found


class _Unusual(Exception):
    """The text has statements or expressions that no schema needs."""


class _Reader:
    """Collects names and texts."""

    def __init__(self, data: bytes) -> None:
        self.found = FileSyntax()
        self._data = data
        self._starts = line_starts(data)
        self._owner: tuple[str, ...] = ()
        self._keyword = ""
        self._is_annotation = False
        self._is_argument = False
        """Whether an annotation's call is around, that of `ty.foreign`."""
        self._docs: set[int] = set()
        self._literals: list[tuple[int, int]] = []
        self._scopes: list[Scope] = []

    def read(self, tree: ast.Module) -> None:
        """Take a whole file."""
        self._note_doc(tree)
        for one in tree.body:
            self._visit(one)
        self._take_comments()

    def _bounds(self, node: ast.stmt | ast.expr | ast.arg | ast.keyword) -> tuple[int, int]:
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[end_line - 1] + end_column

    def _visit(self, node: ast.AST) -> None:
        visit = _VISITS.get(type(node))
        if visit is not None:
            visit(self, node)
        elif isinstance(node, _PLAIN) and not isinstance(node, _RARE):
            for one in ast.iter_child_nodes(node):
                self._visit(one)
        else:
            raise _Unusual

    def _define(
        self,
        kind: Literal["class", "function", "parameter", "field", "assignment"],
        bounds: tuple[int, int],
        statement: tuple[int, int],
    ) -> str:
        name = self._data[slice(*bounds)].decode()
        self.found.definitions.append(Definition(kind, name, self._owner, *bounds, statement))
        return name

    def read_class(self, node: ast.ClassDef) -> None:
        outer = self._enter(node, "class")
        for base in node.bases:
            self._argument(base, self._keyword)
        for keyword in node.keywords:
            self._argument(keyword.value, keyword.arg or self._keyword)
        for one in (*node.decorator_list, *node.body):
            self._visit(one)
        self._owner = outer

    def read_function(self, node: ast.FunctionDef) -> None:
        outer = self._enter(node, "function")
        self._parameters(node.args)
        self._annotation(node.returns)
        for one in (*node.decorator_list, *node.body):
            self._visit(one)
        self._owner = outer

    def _enter(
        self,
        node: ast.ClassDef | ast.FunctionDef,
        kind: Literal["class", "function"],
    ) -> tuple[str, ...]:
        """Go into a definition, and return the names around it."""
        outer, bounds = self._owner, self._bounds(node)
        head = _HEAD.match(self._data, bounds[0])
        if head is None or getattr(node, "type_params", None):
            raise _Unusual
        name = self._define(kind, head.span(1), bounds)
        self._owner = (*outer, name)
        self._scopes.append(self._scope(node, bounds))
        self._note_doc(node)
        return outer

    def _scope(self, node: ast.ClassDef | ast.FunctionDef, bounds: tuple[int, int]) -> Scope:
        """Return the lines of a definition, its decorators included."""
        first = min(one.lineno for one in (node, *node.decorator_list))
        indent = node.body[0].col_offset if self._is_on_own_line(node.body[0]) else None
        return Scope(self._starts[first - 1], line_end(self._data, bounds[1]), indent, self._owner)

    def _is_on_own_line(self, node: ast.stmt) -> bool:
        start = self._starts[node.lineno - 1]
        return not self._data[start : start + node.col_offset].strip()

    def _parameters(self, node: ast.arguments) -> None:
        plain = [*node.posonlyargs, *node.args]
        defaults = [*[None] * (len(plain) - len(node.defaults)), *node.defaults]
        for one, default in zip(plain, defaults, strict=True):
            self._parameter(one, default)
        for one, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
            self._parameter(one, default)
        for rest in (node.vararg, node.kwarg):
            if rest is not None:
                self._parameter(rest, None)

    def _parameter(self, node: ast.arg, default: ast.expr | None) -> None:
        start, _ = self._bounds(node)
        name = start, start + len(node.arg.encode())
        first = start
        while self._data[first - 1 : first] == b"*":
            first -= 1
        self._define("parameter", name, (first, name[1]))
        self._annotation(node.annotation)
        if default is not None:
            self._visit(default)

    def read_annotated(self, node: ast.AnnAssign) -> None:
        if isinstance(node.target, ast.Name):
            self._define("field", self._bounds(node.target), self._bounds(node))
        else:
            self._visit(node.target)
        self._annotation(node.annotation)
        if node.value is not None:
            self._visit(node.value)

    def read_assigned(self, node: ast.Assign) -> None:
        target, outer = node.targets[0], self._keyword
        self._keyword = ""
        if isinstance(target, ast.Name):
            self._keyword = self._define("assignment", self._bounds(target), self._bounds(node))
        else:
            self._visit(target)
        for one in (*node.targets[1:], node.value):
            self._visit(one)
        self._keyword = outer

    def _annotation(self, node: ast.expr | None) -> None:
        if node is not None:
            outer, self._is_annotation = self._is_annotation, True
            self._visit(node)
            self._is_annotation = outer

    def read_call(self, node: ast.Call) -> None:
        self._visit(node.func)
        for argument in node.args:
            self._argument(argument, self._keyword)
        for keyword in node.keywords:
            self._argument(keyword.value, keyword.arg or self._keyword)

    def _argument(self, node: ast.expr, keyword: str) -> None:
        outer = self._keyword, self._is_argument
        self._keyword, self._is_argument = keyword, self._is_argument or self._is_annotation
        self._visit(node)
        self._keyword, self._is_argument = outer

    def read_name(self, node: ast.Name) -> None:
        start, end = self._bounds(node)
        self.found.references.append(Reference(self._data[start:end].decode(), end))

    def read_attribute(self, node: ast.Attribute) -> None:
        dotted = _dotted(node)
        if dotted is None:
            self._visit(node.value)
        else:
            self.found.references.append(Reference(dotted, self._bounds(node)[1]))

    def read_constant(self, node: ast.Constant) -> None:
        if node.value is None or isinstance(node.value, bool):
            # LibCST takes `True` for a name.
            self.found.references.append(Reference(str(node.value), self._bounds(node)[1]))
        if not isinstance(node.value, str | bytes):
            return
        first, last = self._bounds(node)
        is_doc = id(node) in self._docs
        for start, end, match in literals(self._data, first, last):
            self._literals.append((start, end))
            self._string(match[3].decode(), match.start(3), is_doc=is_doc)

    def _string(self, raw: str, start: int, *, is_doc: bool) -> None:
        if not self._is_annotation or is_doc:
            kind: Literal["doc", "string"] = "doc" if is_doc or self._keyword == "doc" else "string"
            self.found.texts.append(Text(kind, raw, start, self._owner, self._keyword))
        elif self._is_argument:
            self.found.texts.append(Text("string", raw, start, self._owner, "cpp"))
        else:
            for match in DOTTED.finditer(raw):
                end = start + len(raw[: match.end()].encode())
                self.found.references.append(Reference(match[0], end))

    def skip(self, _node: ast.Import | ast.ImportFrom) -> None:
        """Leave out imports, whose names the declarations have."""

    def _note_doc(self, node: _Body) -> None:
        """Remember the literal that is the docstring of a body on lines of its own."""
        first = node.body[0] if node.body else None
        if (
            isinstance(first, ast.Expr)
            and isinstance(first.value, ast.Constant)
            and self._is_on_own_line(first)
        ):
            self._docs.add(id(first.value))

    def _take_comments(self) -> None:
        """Take the comments: the signs that stand in no literal."""
        self._literals.sort()
        found: list[tuple[int, int]] = []
        at = 0
        while match := COMMENT.search(self._data, at):
            before = bisect_right(self._literals, (match.start(), len(self._data))) - 1
            end = self._literals[before][1] if before >= 0 else 0
            at = max(end, match.start())
            if end <= match.start():
                found.append(match.span())
                at = match.end()
        for (start, end), owner in owners_of(self._data, found, self._scopes):
            self.found.texts.append(Text("comment", self._data[start:end].decode(), start, owner))


def _dotted(node: ast.expr) -> str | None:
    """Return `a.b.c` for a name or an attribute of one, else None."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        left = _dotted(node.value)
        return left and f"{left}.{node.attr}"
    return None


_VISITS: dict[type[ast.AST], Callable[[_Reader, Any], None]] = {
    ast.ClassDef: _Reader.read_class,
    ast.FunctionDef: _Reader.read_function,
    ast.AnnAssign: _Reader.read_annotated,
    ast.Assign: _Reader.read_assigned,
    ast.Call: _Reader.read_call,
    ast.Name: _Reader.read_name,
    ast.Attribute: _Reader.read_attribute,
    ast.Constant: _Reader.read_constant,
    ast.Import: _Reader.skip,
    ast.ImportFrom: _Reader.skip,
}
_PLAIN = (
    ast.expr,
    ast.Expr,
    ast.Pass,
    ast.If,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
    ast.boolop,
)
"""Nodes with nothing of their own; all others are for LibCST."""
_RARE = (ast.JoinedStr, ast.Lambda)
