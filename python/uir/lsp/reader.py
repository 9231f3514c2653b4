"""Finds the names of a script.

In: a tree of Python's `ast`.  Out: its definitions, and the words that name them, types and
operators.  The parser of script decides which names exist, and reports errors.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from msgspec import Struct

from tschema.diagnostics.source import Place, SourceFile, Span

from .names import Role, Word
from .scopes import Definition, Kind, Scopes

__all__ = ["FUNCTION_LINE", "FunctionNames", "Reader"]


class LateWord(Struct, frozen=True, gc=False):
    """A word that a later definition may explain."""

    span: Span
    role: Role
    path: str
    owner: Definition | None
    """The function or the module around it."""


FUNCTION_LINE = 2
"""The line of `def` in the text of one function: a function in a module needs a line around it."""


class FunctionNames(Struct, frozen=True):
    """The names of the text of one function."""

    definitions: list[Definition]
    words: list[Word]
    late: list[LateWord]
    aliases: dict[str, str]


class Reader(ast.NodeVisitor):
    """Walks a text in the order in which it binds names."""

    def __init__(self, source: SourceFile, functions: Mapping[int, FunctionNames]) -> None:
        self.definitions: list[Definition] = []
        self.words: list[Word] = []
        self.aliases: dict[str, str] = {}
        self.late: list[LateWord] = []
        self._source = source
        self._functions = functions
        """By line, the functions that are read already."""
        self._scopes = Scopes()
        self._role: Role = "member"

    def resolve(self) -> None:
        """Give the words that no earlier definition explains their meanings."""
        for one in self.late:
            first, _, rest = one.path.partition(".")
            found = self._named(first, one.owner)
            if rest:
                is_module = found is not None and found.kind == "module"
                found = self._scopes.member(found, rest) if found and is_module else None
            self.words.append(Word(one.span, "use" if found else one.role, one.path, found))

    def _named(self, name: str, owner: Definition | None) -> Definition | None:
        while True:
            found = self._scopes.member(owner, name) if owner else self._scopes.find(name)
            if found or owner is None:
                return found
            owner = owner.owner

    # -- Places -----------------------------------------------------------------------------

    def _span(self, node: ast.expr | ast.stmt | ast.arg) -> Span:
        assert node.end_lineno is not None and node.end_col_offset is not None
        at = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        return Place(self._source, at).span()

    def _last_word(self, node: ast.expr, name: str) -> Span:
        """Return the span of the name that an expression ends with."""
        whole = self._span(node)
        line, column = whole.end_line, whole.end_column
        return Span(self._source, line, column - len(name), line, column)

    def _named_span(self, node: ast.FunctionDef | ast.ClassDef) -> Span:
        """Return the span of the name behind `def` or `class`."""
        text = self._source.line(node.lineno)
        start = self._span(node).column - 1
        column = text.find(node.name, start + len("def")) + 1
        return Span(self._source, node.lineno, column, node.lineno, column + len(node.name))

    def _extent(self, node: ast.FunctionDef | ast.ClassDef) -> Span:
        """Return the span of a definition; one that was read already ends where its text did."""
        if node.lineno in self._functions:
            function = self._functions[node.lineno].definitions[0]
            return self._moved(function.extent, node.lineno - FUNCTION_LINE)
        whole, last = self._span(node), node.body[-1]
        end = self._extent(last) if isinstance(last, ast.FunctionDef | ast.ClassDef) else whole
        return Span(self._source, whole.line, whole.column, end.end_line, end.end_column)

    # -- Definitions ------------------------------------------------------------------------

    def _define(self, name: str, kind: Kind, span: Span, extent: Span) -> Definition:
        definition = Definition(name, kind, span, extent, self._scopes.owner)
        self._scopes.define(definition)
        self.definitions.append(definition)
        self.words.append(Word(span, "definition", name, definition))
        return definition

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Read a module."""
        self._visit_as("decorator", node.decorator_list)
        module = self._define(node.name, "module", self._named_span(node), self._extent(node))
        with self._scopes.suite(module):
            self._visit_all(node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Read a function; shapes of its parameters may name variables of its first statements."""
        self._visit_as("decorator", node.decorator_list)
        if node.lineno in self._functions:
            self._add(self._functions[node.lineno], node.lineno)
            return
        func = self._define(node.name, "function", self._named_span(node), self._span(node))
        with self._scopes.suite(func):
            arguments = node.args
            for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                self._visit_as("type", [one.annotation] if one.annotation else [])
                whole = self._span(one)
                end = whole.column + len(one.arg)
                name = Span(self._source, whole.line, whole.column, whole.line, end)
                self._define(one.arg, "parameter", name, whole)
            self._visit_as("type", [node.returns] if node.returns else [])
            self._visit_all(node.body)

    def _add(self, function: FunctionNames, line: int) -> None:
        """Add the names of a function, moved to its line."""
        shift = line - FUNCTION_LINE
        moved: dict[Definition, Definition] = {}
        for old in function.definitions:
            new = Definition(
                old.name,
                old.kind,
                self._moved(old.span, shift),
                self._moved(old.extent, shift),
                moved[old.owner] if old.owner else self._scopes.owner,
            )
            moved[old] = new
            (self._scopes.define if old.owner is None else self._scopes.record)(new)
            self.definitions.append(new)
        for word in function.words:
            span = self._moved(word.span, shift)
            meaning = moved[word.definition] if word.definition else None
            self.words.append(Word(span, word.role, word.path, meaning))
        for late in function.late:
            found = self._scopes.find(late.path)
            span = self._moved(late.span, shift)
            if found is not None:
                self.words.append(Word(span, "use", late.path, found))
            else:
                owner = moved[late.owner] if late.owner else self._scopes.owner
                self.late.append(LateWord(span, late.role, late.path, owner))
        self.aliases |= function.aliases

    def _moved(self, span: Span, shift: int) -> Span:
        lines = span.line + shift, span.end_line + shift
        return Span(self._source, lines[0], span.column, lines[1], span.end_column)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        """Note the names by which a text knows packages and operators."""
        start = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        for one in node.names:
            self.aliases[one.asname or one.name] = start + one.name

    visit_ImportFrom = visit_Import

    def visit_Assign(self, node: ast.Assign) -> None:
        """Read a binding, the value first."""
        self.visit(node.value)
        for target in node.targets:
            self._bind(target, self._span(node))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Read a binding with a type."""
        self._visit_as("type", [node.annotation])
        if node.value is not None:
            self.visit(node.value)
        self._bind(node.target, self._span(node))

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Read `x += y` as a use and a binding, and `A[i] += y` as uses."""
        self.visit(node.value)
        self._bind(node.target, self._span(node))

    def _bind(self, target: ast.expr, extent: Span) -> None:
        if isinstance(target, ast.Name):
            self._define(target.id, "variable", self._span(target), extent)
        elif isinstance(target, ast.Tuple | ast.List):
            for one in target.elts:
                self._bind(one, extent)
        else:
            self.visit(target)

    # -- Suites -----------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> None:
        """Read a loop, whose variables are those of its suite."""
        self.visit(node.iter)
        with self._scopes.suite():
            self._bind(node.target, self._span(node))
            self._visit_all(node.body)

    def visit_With(self, node: ast.With) -> None:
        """Read a suite with its variables."""
        with self._scopes.suite():
            for item in node.items:
                self.visit(item.context_expr)
                if item.optional_vars is not None:
                    self._bind(item.optional_vars, self._span(node))
            self._visit_all(node.body)

    def visit_If(self, node: ast.If | ast.While) -> None:
        """Read a branch or a loop, each suite with names of its own."""
        self.visit(node.test)
        for body in (node.body, node.orelse):
            with self._scopes.suite():
                self._visit_all(body)

    visit_While = visit_If

    # -- Words ------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> None:
        """Note a word."""
        found = self._scopes.find(node.id)
        span = self._span(node)
        if found is not None:
            self.words.append(Word(span, "use", node.id, found))
        else:
            self.late.append(LateWord(span, "package", node.id, self._scopes.owner))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Note the last word of a dotted name."""
        path = _path(node)
        if path is not None:
            word = self._last_word(node, node.attr)
            self.late.append(LateWord(word, self._role, path, self._scopes.owner))
            self._role = "package"
        self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        """Read a call; `tir.Let(y, ...)` binds its first argument."""
        inner = self._role
        self._visit_as("call" if inner == "member" else inner, [node.func])
        arguments = node.args
        if _path(node.func) in ("tir.Let", "T.Let") and isinstance(arguments[0], ast.Name):
            self._bind(arguments[0], self._span(node))
            arguments = arguments[1:]
        self._visit_as("member", [*arguments, *(one.value for one in node.keywords)])

    def _visit_as(self, role: Role, nodes: Iterable[ast.AST]) -> None:
        before = self._role
        for node in nodes:
            self._role = role
            self.visit(node)
        self._role = before

    def _visit_all(self, nodes: Iterable[ast.AST]) -> None:
        self._visit_as("member", nodes)


def _path(node: ast.expr) -> str | None:
    """Return the dotted name that an expression is; None for others."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        start = _path(node.value)
        return f"{start}.{node.attr}" if start is not None else None
    return None
