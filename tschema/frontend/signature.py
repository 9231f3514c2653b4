"""Signatures of methods and functions, from syntax trees to `FunctionDecl`.

In: a function definition whose body was looked at elsewhere.  Out: parameters and result as
written.  It resolves no name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import Place
from tschema.frontend.places import Locator
from tschema.frontend.types import UnsupportedType, parse_type, parse_value
from tschema.ir.declarations import Docstring, FunctionDecl, ParamDecl, TypeExpr

__all__ = ["FunctionNode", "SignatureParser"]

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class SignatureParser:
    """Parses the signatures of one file."""

    def __init__(self, locator: Locator, reporter: Reporter) -> None:
        self._locator = locator
        self._reporter = reporter

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

    def _param(self, param: ast.arg, default: ast.expr | None, owner: str) -> ParamDecl:
        place = self._locator.start(param, param.arg)
        return ParamDecl(
            name=param.arg,
            annotation=self._type(param.annotation, f"parameter `{param.arg}`", owner, place),
            default=parse_value(default, self._locator) if default else None,
            place=place,
        )

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
