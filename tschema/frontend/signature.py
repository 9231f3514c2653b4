"""Signatures of methods and functions, from LibCST to `FunctionDecl`.

In: a function definition whose body was looked at elsewhere.  Out: parameters and result as
written.  It resolves no name.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tschema.declarations import Docstring, FunctionDecl, ParamDecl, TypeExpr
from tschema.errors import Reporter
from tschema.frontend.positions import Locator
from tschema.frontend.types import UnsupportedType, parse_type, parse_value

__all__ = ["SignatureParser"]


class SignatureParser:
    """Parses the signatures of one file."""

    def __init__(self, locator: Locator, reporter: Reporter) -> None:
        self._locator = locator
        self._reporter = reporter

    def parse(
        self, node: cst.FunctionDef, receiver: tuple[str, ...], doc: Docstring
    ) -> FunctionDecl:
        """Return a function's declaration; `receiver` names the parameters that are implied."""
        params = list(node.params.params)
        names = tuple(param.name.value for param in params[: len(receiver)])
        if names != receiver:
            self._reporter.error(
                "TS033",
                f"the first parameter of method `{node.name.value}` is not `self`",
                self._locator.place(node.name),
            )
        self._refuse_others(node)
        declared = params[len(receiver) :] if names == receiver else params
        return FunctionDecl(
            name=node.name.value,
            params=tuple(self._param(param, node.name.value) for param in declared),
            returns=self._returns(node),
            doc=doc,
            place=self._locator.place(node.name),
        )

    def _refuse_others(self, node: cst.FunctionDef) -> None:
        for other in _other_params(node.params):
            self._reporter.error(
                "TS033",
                f"`{node.name.value}` can only have plain parameters",
                self._locator.place(other),
                help="write parameters without `*`, `**` and `/`",
            )
        if node.asynchronous:
            self._reporter.error(
                "TS033",
                f"`{node.name.value}` cannot be asynchronous",
                self._locator.place(node.asynchronous),
            )

    def _param(self, param: cst.Param, owner: str) -> ParamDecl:
        annotation = param.annotation.annotation if param.annotation else None
        return ParamDecl(
            name=param.name.value,
            annotation=self._type(annotation, f"parameter `{param.name.value}`", owner, param.name),
            default=parse_value(param.default, self._locator) if param.default else None,
            place=self._locator.place(param.name),
        )

    def _returns(self, node: cst.FunctionDef) -> TypeExpr | None:
        annotation = node.returns.annotation if node.returns else None
        return self._type(annotation, "the result", node.name.value, node.name)

    def _type(
        self, node: cst.BaseExpression | None, what: str, owner: str, at: cst.CSTNode
    ) -> TypeExpr | None:
        if node is None:
            self._reporter.error(
                "TS032", f"{what} of `{owner}` has no annotation", self._locator.place(at)
            )
            return None
        try:
            return parse_type(node, self._locator)
        except UnsupportedType as error:
            self._reporter.error(
                "TS015", f"the annotation of {what} of `{owner}` is not a type", error.place
            )
            return None


def _other_params(params: cst.Parameters) -> Iterator[cst.CSTNode]:
    yield from (param.name for param in params.posonly_params)
    if isinstance(params.star_arg, cst.Param):
        yield params.star_arg.name
    yield from (param.name for param in params.kwonly_params)
    if params.star_kwarg is not None:
        yield params.star_kwarg.name
