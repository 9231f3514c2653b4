"""Module and class bodies, from statements to declarations.

In: LibCST statements of one chunk of a file.  Out: the classes and functions among them.
Whether a class is a node or an enum is left to the passes, since only its base tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import libcst as cst

from tschema.declarations import (
    Assignment,
    ClassDecl,
    DocItem,
    Docstring,
    FieldDecl,
    FunctionDecl,
    TypeExpr,
    Value,
    qualify,
)
from tschema.errors import Reporter, suggest
from tschema.frontend.docstring import Item, parse_docstring
from tschema.frontend.positions import DocLine, Locator
from tschema.frontend.recall import ChunkDecl
from tschema.frontend.signature import SignatureParser
from tschema.frontend.types import (
    UnsupportedType,
    dotted_name,
    parse_type,
    parse_value,
    string_value,
)

__all__ = ["BodyParser"]

_Statement = cst.BaseStatement | cst.BaseSmallStatement


class BodyParser:
    """Parses the declarations of one chunk."""

    def __init__(self, scope: Mapping[str, str], locator: Locator, reporter: Reporter) -> None:
        self._scope = scope
        self._locator = locator
        self._reporter = reporter
        self._signatures = SignatureParser(locator, reporter)
        self._broken = False
        self._refused = False

    def parse(self, statements: Sequence[_Statement]) -> ChunkDecl:
        """Return the classes and functions that statements of a module declare."""
        classes: list[ClassDecl] = []
        functions: list[FunctionDecl] = []
        for statement in statements:
            if isinstance(statement, cst.ClassDef):
                self._check_decorators(statement, "declare", "class")
                classes.append(self._class(statement))
            elif isinstance(statement, cst.FunctionDef):
                self._check_decorators(statement, "function", "function")
                functions.append(self._function(statement, ()))
            else:
                self._other_statement(statement)
        return ChunkDecl((), tuple(classes), tuple(functions), self._refused)

    def _other_statement(self, statement: _Statement) -> None:
        if isinstance(statement, cst.SimpleStatementLine) and all(
            isinstance(small, cst.Import | cst.ImportFrom) for small in statement.body
        ):
            return
        self._refused = True
        self._reporter.error(
            "TS003",
            f"a schema file cannot hold {_describe(statement)}",
            self._locator.place(_head(statement)),
            help="it holds imports, `@declare` classes and `@function` functions",
        )

    def _check_decorators(
        self, node: cst.ClassDef | cst.FunctionDef, expected: str, noun: str
    ) -> None:
        """Require exactly the decorator that the kind of declaration has."""
        names = [self._decorator(decorator) for decorator in node.decorators]
        for decorator, name in zip(node.decorators, names, strict=True):
            if name != f"tschema.{expected}":
                written = _decorator_name(decorator) or "..."
                self._reporter.error(
                    "TS005",
                    f"unknown decorator `@{written}` of {noun} `{node.name.value}`",
                    self._locator.place(decorator),
                    help=suggest(written, (expected,)) or f"expected `@{expected}`",
                )
        if not names:
            self._reporter.error(
                "TS005",
                f"{noun} `{node.name.value}` has no decorator",
                self._locator.place(node.name),
                help=f"write `@{expected}` before it",
            )

    def _decorator(self, decorator: cst.Decorator) -> str:
        name = dotted_name(decorator.decorator)
        return qualify(name, self._scope) if name else ""

    def _class(self, node: cst.ClassDef) -> ClassDecl:
        self._broken = False
        statements = _statements(node.body)
        doc_node = _doc_node(statements)
        class_body = _ClassBody()
        for statement in statements[1:] if doc_node else statements:
            self._class_statement(statement, node.name.value, class_body)
        return ClassDecl(
            name=node.name.value,
            bases=tuple(self._bases(node)),
            doc=self._docstring(doc_node),
            assignments=tuple(class_body.assignments),
            fields=tuple(class_body.fields),
            methods=tuple(class_body.methods),
            place=self._locator.place(node.name),
            broken=self._broken,
        )

    def _bases(self, node: cst.ClassDef) -> Iterable[TypeExpr]:
        for keyword in node.keywords:
            self._broken = True
            message = f"class `{node.name.value}` cannot have keyword arguments"
            self._reporter.error("TS004", message, self._locator.place(keyword))
        for base in node.bases:
            try:
                yield parse_type(base.value, self._locator)
            except UnsupportedType as error:
                self._broken = True
                self._reporter.error("TS009", "expected the name of a base class", error.place)

    def _class_statement(self, statement: _Statement, owner: str, body: _ClassBody) -> None:
        if isinstance(statement, cst.AnnAssign) and isinstance(statement.target, cst.Name):
            body.fields.append(self._field(statement, statement.target))
        elif isinstance(statement, cst.Assign) and _single_name(statement) is not None:
            body.assignments.append(self._assignment(statement))
        elif isinstance(statement, cst.FunctionDef):
            self._check_decorators(statement, "method", "function")
            body.methods.append(self._function(statement, ("self",)))
        elif not _is_empty(statement):
            self._refuse(_head(statement), f"class `{owner}` cannot hold {_describe(statement)}")

    def _refuse(self, node: cst.CSTNode, message: str) -> None:
        self._broken = True
        self._reporter.error(
            "TS004",
            message,
            self._locator.place(node),
            help="it holds a docstring, options, fields and `@method` functions",
        )

    def _assignment(self, statement: cst.Assign) -> Assignment:
        target = statement.targets[0].target
        return Assignment(
            dotted_name(target) or "",
            parse_value(statement.value, self._locator),
            self._locator.place(target),
        )

    def _field(self, statement: cst.AnnAssign, target: cst.Name) -> FieldDecl:
        return FieldDecl(
            name=target.value,
            annotation=self._annotation(statement.annotation.annotation, target.value),
            options=self._field_options(statement.value, target.value),
            place=self._locator.place(target),
        )

    def _annotation(self, node: cst.BaseExpression, owner: str) -> TypeExpr | None:
        try:
            return parse_type(node, self._locator)
        except UnsupportedType as error:
            self._reporter.error(
                "TS015",
                f"the annotation of field `{owner}` is not a type",
                error.place,
                help="write a type of `tschema.ty`, a declared class, or a plain Python type",
            )
            return None

    def _field_options(self, node: cst.BaseExpression | None, owner: str) -> dict[str, Value]:
        if node is None:
            return {}
        if not isinstance(node, cst.Call):
            return {"default": parse_value(node, self._locator)}
        name = dotted_name(node.func)
        if name is None or qualify(name, self._scope) != "tschema.field":
            return {"default": Value("other", None, self._locator.place(node))}
        options: dict[str, Value] = {}
        for arg in node.args:
            self._field_option(arg, owner, options)
        return options

    def _field_option(self, arg: cst.Arg, owner: str, options: dict[str, Value]) -> None:
        value = parse_value(arg.value, self._locator)
        if arg.keyword is None:
            self._reporter.error(
                "TS026",
                f"`field` of `{owner}` takes keyword arguments only",
                self._locator.place(arg.value),
                help=f"write `default={value}`" if not arg.star else None,
            )
        elif arg.keyword.value in options:
            self._reporter.error(
                "TS026",
                f"field option `{arg.keyword.value}` of `{owner}` is given twice",
                self._locator.place(arg.keyword),
            )
        else:
            options[arg.keyword.value] = value

    def _function(self, node: cst.FunctionDef, receiver: tuple[str, ...]) -> FunctionDecl:
        statements = _statements(node.body)
        doc_node = _doc_node(statements)
        rest = statements[1:] if doc_node else statements
        for statement in rest:
            if not _is_empty(statement):
                self._reporter.error(
                    "TS031",
                    f"`{node.name.value}` has a body; it is written in C++",
                    self._locator.place(_head(statement)),
                    help="write `...`",
                )
                break
        return self._signatures.parse(node, receiver, self._docstring(doc_node))

    def _docstring(self, node: cst.BaseExpression | None) -> Docstring:
        if not isinstance(node, cst.SimpleString | cst.ConcatenatedString):
            return Docstring()
        raw = string_value(node)
        if not isinstance(raw, str):
            return Docstring()
        parsed = parse_docstring(raw)
        return Docstring(
            text=parsed.text,
            see_also=parsed.see_also,
            attributes=self._doc_items(node, parsed.attributes),
            params=self._doc_items(node, parsed.params),
            returns=parsed.returns,
        )

    def _doc_items(self, node: cst.BaseExpression, items: Iterable[Item]) -> tuple[DocItem, ...]:
        return tuple(
            DocItem(item.name, item.text, self._locator.place(DocLine(node, item.line, item.name)))
            for item in items
        )


class _ClassBody:
    """What a class body has shown so far."""

    def __init__(self) -> None:
        self.assignments: list[Assignment] = []
        self.fields: list[FieldDecl] = []
        self.methods: list[FunctionDecl] = []


def _statements(body: cst.BaseSuite) -> list[_Statement]:
    """Return the statements of a suite, with those on one line taken apart."""
    if isinstance(body, cst.SimpleStatementSuite):
        return list(body.body)
    statements: list[_Statement] = []
    for statement in body.body:
        if isinstance(statement, cst.SimpleStatementLine):
            statements += statement.body
        else:
            statements.append(statement)
    return statements


def _doc_node(statements: Sequence[_Statement]) -> cst.BaseExpression | None:
    first = statements[0] if statements else None
    if isinstance(first, cst.Expr) and isinstance(
        first.value, cst.SimpleString | cst.ConcatenatedString
    ):
        return first.value
    return None


def _is_empty(statement: _Statement) -> bool:
    """Return whether a statement is `pass` or `...`."""
    return isinstance(statement, cst.Pass) or (
        isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Ellipsis)
    )


def _decorator_name(decorator: cst.Decorator) -> str | None:
    """Return the name of a decorator for a message, without its arguments."""
    node = decorator.decorator
    return dotted_name(node.func if isinstance(node, cst.Call) else node)


def _single_name(statement: cst.Assign) -> str | None:
    if len(statement.targets) != 1 or not isinstance(statement.targets[0].target, cst.Name):
        return None
    return statement.targets[0].target.value


_DESCRIPTIONS: dict[type[cst.CSTNode], str] = {
    cst.If: "an `if` statement",
    cst.For: "a `for` statement",
    cst.While: "a `while` statement",
    cst.With: "a `with` statement",
    cst.Try: "a `try` statement",
    cst.TryStar: "a `try` statement",
    cst.Match: "a `match` statement",
    cst.ClassDef: "a nested class",
    cst.FunctionDef: "a function",
    cst.Assign: "an assignment",
    cst.AugAssign: "an assignment",
    cst.AnnAssign: "an annotated assignment",
    cst.Expr: "an expression",
    cst.Import: "an import",
    cst.ImportFrom: "an import",
    cst.Del: "a `del` statement",
    cst.Assert: "an `assert` statement",
    cst.Raise: "a `raise` statement",
    cst.Pass: "a `pass` statement",
}


def _head(statement: _Statement) -> cst.CSTNode:
    """Return the node to point at: a simple statement without its line."""
    return statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else statement


def _describe(statement: _Statement) -> str:
    return _DESCRIPTIONS.get(type(_head(statement)), "this statement")
