"""Signatures of methods, functions and operators, from syntax trees to `FunctionDecl`.

In: a function definition whose body was looked at elsewhere.  Out: parameters and result as
written.  It resolves no name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import Place
from tschema.frontend.places import Locator
from tschema.frontend.types import UnsupportedType, dotted_name, parse_type, parse_value
from tschema.ir.declarations import (
    Docstring,
    FunctionDecl,
    ParamDecl,
    TypeExpr,
    Value,
    qualify,
)

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class SignatureParser:
    """Parses the signatures of one file."""

    def __init__(self, scope: Mapping[str, str], locator: Locator, reporter: Reporter) -> None:
        self._scope = scope
        self._locator = locator
        self._reporter = reporter

    def operator(
        self, node: FunctionNode, options: dict[str, Value], doc: Docstring
    ) -> FunctionDecl:
        """Return an operator's declaration, which may have keyword-only parameters."""
        by_name = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        named = [self._param(param, default, node.name, kw_only=True) for param, default in by_name]
        node.args.kwonlyargs, node.args.kw_defaults = [], []
        decl = self.parse(node, (), doc)
        decl.params += tuple(named)
        decl.options, decl.is_operator = options, True
        return decl

    def parse(self, node: FunctionNode, receiver: tuple[str, ...], doc: Docstring) -> FunctionDecl:
        """Return a function's declaration; `receiver` names the parameters that are implied."""
        params = node.args.args
        names = tuple(param.arg for param in params[: len(receiver)])
        if names != receiver:
            self._reporter.error(
                "TS033",
                f"the first parameter of method `{node.name}` is not `self`",
                self._locator.name(node),
            )
        self._refuse_others(node)
        skipped = len(receiver) if names == receiver else 0
        declared = [*zip(params, _defaults(node.args), strict=True)][skipped:]
        return FunctionDecl(
            name=node.name,
            params=tuple(self._param(param, default, node.name) for param, default in declared),
            returns=self._type(node.returns, "the result", node.name, self._locator.name(node)),
            doc=doc,
            place=self._locator.name(node),
        )

    def _refuse_others(self, node: FunctionNode) -> None:
        for other in _other_params(node.args):
            self._reporter.error(
                "TS033",
                f"`{node.name}` can only have plain parameters",
                self._locator.start(other, other.arg),
                help="write parameters without `*`, `**` and `/`",
            )
        if isinstance(node, ast.AsyncFunctionDef):
            self._reporter.error(
                "TS033",
                f"`{node.name}` cannot be asynchronous",
                self._locator.start(node, "async"),
            )

    def _param(
        self, param: ast.arg, default: ast.expr | None, owner: str, kw_only: bool = False
    ) -> ParamDecl:
        place = self._locator.start(param, param.arg)
        operand = self._operand(default)
        if isinstance(default, ast.Constant) and default.value is ...:
            default = None  # Of an attribute after operands, which Python wants to have a default.
        return ParamDecl(
            name=param.arg,
            annotation=self._type(param.annotation, f"parameter `{param.arg}`", owner, place),
            default=parse_value(default, self._locator) if default and operand is None else None,
            place=place,
            kw_only=kw_only,
            operand=operand,
        )

    def _operand(self, default: ast.expr | None) -> dict[str, Value] | None:
        """Return the arguments of `operand(...)`; None if a default is anything else."""
        if not isinstance(default, ast.Call):
            return None
        name = dotted_name(default.func)
        if name is None or qualify(name, self._scope) != "tschema.operand":
            return None
        return keyword_values(default, "`operand`", self._locator, self._reporter)

    def _type(self, node: ast.expr | None, what: str, owner: str, at: Place) -> TypeExpr | None:
        if node is None:
            self._reporter.error("TS032", f"{what} of `{owner}` has no annotation", at)
            return None
        try:
            return parse_type(node, self._locator)
        except UnsupportedType as error:
            self._reporter.error(
                "TS015", f"the annotation of {what} of `{owner}` is not a type", error.place
            )
            return None


def keyword_values(
    call: ast.Call, what: str, locator: Locator, reporter: Reporter
) -> dict[str, Value]:
    """Return the keyword arguments of a call, and refuse positional ones."""
    given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg is None)]
    for one in given:
        message = f"{what} takes keyword arguments only"
        reporter.error("TS080", message, locator.place(one), help="write `name=value`")
    return {
        keyword.arg: parse_value(keyword.value, locator)
        for keyword in call.keywords
        if keyword.arg is not None
    }


def _defaults(args: ast.arguments) -> list[ast.expr | None]:
    """Return the default of each plain parameter."""
    given = args.defaults[-len(args.args) :] if args.args else []
    return [None] * (len(args.args) - len(given)) + [*given]


def _other_params(args: ast.arguments) -> Iterator[ast.arg]:
    yield from args.posonlyargs
    if args.vararg is not None:
        yield args.vararg
    yield from args.kwonlyargs
    if args.kwarg is not None:
        yield args.kwarg
