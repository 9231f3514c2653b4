"""Module and class bodies, from statements to declarations.

In: the statements of a schema file.  Out: the classes and functions among them.  The passes decide
from the base whether a class is a node or an enum.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import Help, InsertStatement, suggest
from tschema.diagnostics.source import Place
from tschema.frontend.docstring import parse_docstring
from tschema.frontend.places import Definition, Locator
from tschema.frontend.signature import FunctionNode, SignatureParser, keyword_values
from tschema.frontend.syntax import ReservedWord
from tschema.frontend.types import UnsupportedType, dotted_name, parse_type, parse_value
from tschema.ir.declarations import (
    FOREIGN_ENUMS,
    Assignment,
    ClassDecl,
    Docstring,
    FieldDecl,
    FunctionDecl,
    TypeExpr,
    Value,
    missing_import,
    qualify,
)


class BodyParser:
    """Parses the declarations of one file."""

    def __init__(self, scope: Mapping[str, str], locator: Locator, reporter: Reporter) -> None:
        self._scope = scope
        self._locator = locator
        self._reporter = reporter
        self._signatures = SignatureParser(scope, locator, reporter)
        self._broken = False
        self.classes: list[ClassDecl] = []
        self.functions: list[FunctionDecl] = []
        """The operators too."""
        self.dialects: list[ClassDecl] = []
        self.refused = False
        """Whether there was a statement that no schema file can hold."""

    def parse(self, statements: Sequence[ast.stmt]) -> None:
        """Take the statements of a module, without its docstring."""
        for statement in statements:
            if isinstance(statement, ast.ClassDef):
                self._check_decorators(statement, ("declare", "dialect"), "class")
                is_dialect = self._is_decorated(statement, "dialect")
                classes = self.dialects if is_dialect else self.classes
                classes.append(self._class(statement))
            elif isinstance(statement, FunctionNode):
                self._check_decorators(statement, ("function", "operator"), "function")
                self.functions.append(self._free_function(statement))
            elif not isinstance(statement, ast.Import | ast.ImportFrom):
                self._other_statement(statement)

    def _other_statement(self, statement: ast.stmt) -> None:
        self.refused = True
        self._reporter.error(
            "TS003",
            f"a schema file cannot hold {_describe(statement)}",
            self._locator.place(statement),
            help="it holds imports, `@declare` classes, `@function` functions and operators",
        )

    def _is_decorated(self, node: Definition, decorator: str) -> bool:
        """Return whether it has a decorator, maybe one that the file does not import."""
        return any(
            decorator in (self._decorator(one), _decorator_name(one)) for one in node.decorator_list
        )

    def _decorator(self, node: ast.expr) -> str | None:
        """Return which decorator of `tschema` a decorator is; only some take arguments."""
        name = _decorator_name(node)
        absolute = qualify(name, self._scope) if name else ""
        decorator = absolute.removeprefix("tschema.")
        takes_arguments = decorator in ("function", "method", "operator")
        if decorator == absolute or (isinstance(node, ast.Call) and not takes_arguments):
            return None
        return decorator

    def _check_decorators(self, node: Definition, expected: tuple[str, ...], noun: str) -> None:
        """Require exactly one of the decorators that the kind of declaration has."""
        for decorator in node.decorator_list:
            if self._decorator(decorator) not in expected:
                written = _decorator_name(decorator) or "..."
                self._reporter.error(
                    "TS005",
                    f"unknown decorator `@{written}` of {noun} `{node.name}`",
                    self._locator.decorator(decorator),
                    help=missing_import(written, self._scope)
                    or suggest(written, expected)
                    or f"expected `@{expected[0]}`",
                )
        if not node.decorator_list:
            self._reporter.error(
                "TS005",
                f"{noun} `{node.name}` has no decorator",
                self._locator.name(node),
                help=Help(f"write `@{expected[0]}` before it", InsertStatement(f"@{expected[0]}")),
            )

    def _class(self, node: ast.ClassDef) -> ClassDecl:
        self._broken = False
        doc_node = _doc_node(node.body)
        class_body = _ClassBody()
        for statement in node.body[1:] if doc_node else node.body:
            self._class_statement(statement, node.name, class_body)
        return ClassDecl(
            name=node.name,
            bases=tuple(self._bases(node)),
            doc=self._docstring(doc_node),
            assignments=tuple(class_body.assignments),
            fields=tuple(class_body.fields),
            methods=tuple(class_body.methods),
            place=self._locator.name(node),
            broken=self._broken,
        )

    def _bases(self, node: ast.ClassDef) -> Iterable[TypeExpr]:
        for keyword in node.keywords:
            self._broken = True
            message = f"class `{node.name}` cannot have keyword arguments"
            self._reporter.error("TS004", message, self._locator.place(keyword))
        for base in node.bases:
            try:
                yield self._base(node.name, parse_type(base, self._locator))
            except UnsupportedType as error:
                self._broken = True
                self._reporter.error("TS009", "expected the name of a base class", error.place)

    def _base(self, owner: str, base: TypeExpr) -> TypeExpr:
        """Return a base class; one of another kind of enum counts as `ty.IntEnum`."""
        if qualify(base.name, self._scope) not in FOREIGN_ENUMS:
            return base
        self._reporter.error(
            "TS009",
            f"`{owner}` is below `{base.name}`, and enums of a schema are below `ty.IntEnum`",
            base.place,
            help=f"write `class {owner}(ty.IntEnum)`",
        )
        return replace(base, name="ty.IntEnum")

    def _class_statement(self, statement: ast.stmt, owner: str, body: _ClassBody) -> None:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            body.fields.append(self._field(statement, statement.target))
        elif isinstance(statement, ast.Assign) and (target := _single_name(statement)):
            value = parse_value(statement.value, self._locator)
            body.assignments.append(Assignment(target.id, value, self._locator.place(target)))
        elif isinstance(statement, FunctionNode) and statement.name == "__init__":
            self._refuse_init(statement, owner)
        elif isinstance(statement, FunctionNode):
            body.methods.append(self._method(statement))
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Lambda):
            word = ReservedWord("lambda", 0)
            self._refuse(statement, word.reason, word.help)
        elif not _is_empty(statement):
            self._refuse(statement, f"class `{owner}` cannot hold {_describe(statement)}")

    def _refuse_init(self, node: FunctionNode, owner: str) -> None:
        self._broken = True
        self._reporter.error(
            "TS004",
            f"class `{owner}` cannot hold `__init__`: its fields make the constructor",
            self._locator.name(node),
            help="to check or complete fields, write `post_init = True` and `PostInit` in C++",
        )

    def _refuse(
        self,
        node: ast.stmt,
        message: str,
        help: str = "it holds a docstring, options, fields and `@method` functions",
    ) -> None:
        self._broken = True
        self._reporter.error("TS004", message, self._locator.place(node), help=help)

    def _field(self, statement: ast.AnnAssign, target: ast.Name) -> FieldDecl:
        return FieldDecl(
            name=target.id,
            annotation=self._annotation(statement.annotation, target.id),
            options=self._field_options(statement.value, target.id),
            place=self._locator.place(target),
        )

    def _annotation(self, node: ast.expr, owner: str) -> TypeExpr | None:
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

    def _field_options(self, node: ast.expr | None, owner: str) -> dict[str, Value]:
        if node is None:
            return {}
        if not isinstance(node, ast.Call):
            return {"default": parse_value(node, self._locator)}
        name = dotted_name(node.func)
        if name is not None and missing_import(name, self._scope):
            return {"default": Value("name", name, self._locator.place(node))}
        if name is None or qualify(name, self._scope) != "tschema.field":
            return {"default": parse_value(node, self._locator)}
        options: dict[str, Value] = {}
        for arg in node.args:
            is_star = isinstance(arg, ast.Starred)
            help = None if is_star else f"write `default={parse_value(arg, self._locator)}`"
            self._refuse_positional(self._locator.place(arg), owner, help)
        for keyword in node.keywords:
            self._field_option(keyword, owner, options)
        return options

    def _refuse_positional(self, place: Place, owner: str, help: str | None) -> None:
        message = f"`field` of `{owner}` takes keyword arguments only"
        self._reporter.error("TS026", message, place, help=help)

    def _field_option(self, keyword: ast.keyword, owner: str, options: dict[str, Value]) -> None:
        if keyword.arg is None:
            self._refuse_positional(self._locator.place(keyword.value), owner, None)
        elif keyword.arg in options:
            self._reporter.error(
                "TS026",
                f"field option `{keyword.arg}` of `{owner}` is given twice",
                self._locator.start(keyword, keyword.arg),
            )
        else:
            options[keyword.arg] = parse_value(keyword.value, self._locator)

    def _free_function(self, node: FunctionNode) -> FunctionDecl:
        options = self._decorator_options(node)
        if self._is_decorated(node, "operator"):
            return self._signatures.operator(node, options, self._function_doc(node))
        decl = self._function(node, ())
        decl.options = options
        return decl

    def _method(self, node: FunctionNode) -> FunctionDecl:
        is_static = self._is_decorated(node, "static")
        self._check_decorators(node, ("method", "static"), "function")
        if is_static and not self._is_decorated(node, "method"):
            self._reporter.error(
                "TS005",
                f"`{node.name}` is `@static`, and not a `@method`",
                self._locator.name(node),
                help="write `@method` before or behind `@static`",
            )
        options = self._decorator_options(node)
        decl = self._function(node, () if is_static else ("self",))
        decl.options, decl.is_static = options, is_static
        return decl

    def _decorator_options(self, node: FunctionNode) -> dict[str, Value]:
        options: dict[str, Value] = {}
        for one in node.decorator_list:
            if isinstance(one, ast.Call):
                what = f"`@{_decorator_name(one)}`"
                options = keyword_values(one, what, self._locator, self._reporter)
        return options

    def _function(self, node: FunctionNode, receiver: tuple[str, ...]) -> FunctionDecl:
        return self._signatures.parse(node, receiver, self._function_doc(node))

    def _function_doc(self, node: FunctionNode) -> Docstring:
        """Return the docstring of a function, which has no other body."""
        doc_node = _doc_node(node.body)
        for statement in node.body[1:] if doc_node else node.body:
            if not _is_empty(statement):
                self._reporter.error(
                    "TS031",
                    f"`{node.name}` has a body; it is written in C++",
                    self._locator.place(statement),
                    help="write `...`",
                )
                break
        return self._docstring(doc_node)

    def _docstring(self, node: ast.expr | None) -> Docstring:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            return Docstring()
        return parse_docstring(node.value, partial(self._locator.doc_line, node))


class _ClassBody:
    """The parts of a class body found so far."""

    def __init__(self) -> None:
        self.assignments: list[Assignment] = []
        self.fields: list[FieldDecl] = []
        self.methods: list[FunctionDecl] = []


def _doc_node(statements: Sequence[ast.stmt]) -> ast.expr | None:
    """Return the literal at the position of a docstring, which may be of another kind."""
    first = statements[0].value if isinstance(statements[0], ast.Expr) else None
    is_text = isinstance(first, ast.Constant) and isinstance(first.value, str | bytes)
    return first if is_text or isinstance(first, ast.JoinedStr) else None


def _is_empty(statement: ast.stmt) -> bool:
    """Return whether a statement is `pass` or `...`."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return statement.value.value is ...
    return isinstance(statement, ast.Pass)


def _decorator_name(node: ast.expr) -> str | None:
    """Return the name of a decorator for a message, without its arguments."""
    return dotted_name(node.func if isinstance(node, ast.Call) else node)


def _single_name(statement: ast.Assign) -> ast.Name | None:
    target = statement.targets[0]
    return target if len(statement.targets) == 1 and isinstance(target, ast.Name) else None


_DESCRIPTIONS: dict[str, str] = {
    "If": "an `if` statement",
    "For": "a `for` statement",
    "AsyncFor": "a `for` statement",
    "While": "a `while` statement",
    "With": "a `with` statement",
    "AsyncWith": "a `with` statement",
    "Try": "a `try` statement",
    "TryStar": "a `try` statement",
    "Match": "a `match` statement",
    "ClassDef": "a nested class",
    "Assign": "an assignment",
    "AugAssign": "an assignment",
    "AnnAssign": "an annotated assignment",
    "Expr": "an expression",
    "Import": "an import",
    "ImportFrom": "an import",
    "Delete": "a `del` statement",
    "Assert": "an `assert` statement",
    "Raise": "a `raise` statement",
    "Pass": "a `pass` statement",
}


def _describe(statement: ast.stmt) -> str:
    return _DESCRIPTIONS.get(type(statement).__name__, "this statement")
