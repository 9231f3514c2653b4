"""Operands of operators: their types and the data types that they take.

In: the parameters of an operator.  Out: `Operand`s, and diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import suggest_one_of
from tschema.ir.declarations import FunctionDecl, ParamDecl
from tschema.ir.model import Function, Operand, TypeRef
from tschema.passes.defaults import is_dtype

_CLASSES = ("float", "int", "number", "bool", "any")
_DTYPE = re.compile(r"(?P<variable>[A-Z]\w*)(\s*:\s*(?P<class>\w+))?|(?P<alone>\w+)")


class OperandChecker:
    """Checks the operands of operators."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def operands(self, decl: FunctionDecl, function: Function) -> Iterator[Operand]:
        """Yield the operands of an operator."""
        variables: set[str] = set()
        types = {param.name: param.type for param in function.params}
        for param in decl.params:
            if param.operand is None:
                continue
            is_optional = "default" in param.operand
            yield Operand(
                name=param.name,
                dtype=self._dtype(param, variables),
                optional=is_optional,
                variadic=self._is_variadic(param, types[param.name], is_optional),
            )

    def _is_variadic(self, param: ParamDecl, type_ref: TypeRef, is_optional: bool) -> bool:
        """Check the type of an operand; return whether the operand is variadic."""
        assert param.operand is not None
        default = param.operand.get("default")
        if default is not None and (default.kind != "literal" or default.value is not None):
            message = f"default of operand `{param.name}` cannot be {default}"
            self._reporter.error(
                "TS084", message, default.place, help="an operand has None or none"
            )
        for name in param.operand.keys() - {"dtype", "default"}:
            place, message = param.operand[name].place, f"unknown option `{name}` of an operand"
            self._reporter.error("TS084", message, place, help="there are `dtype`, `default`")
        inner = type_ref.args[0] if type_ref.kind in ("Optional", "Array") else type_ref
        if inner.kind != "node" or is_optional != (type_ref.kind == "Optional"):
            self._reporter.error(
                "TS084",
                f"operand `{param.name}` cannot have the type `{param.annotation}`",
                param.place,
                help="an operand is a node, an array of nodes, or with `default=None` an optional",
            )
        return type_ref.kind == "Array"

    def _dtype(self, param: ParamDecl, variables: set[str]) -> str:
        """Return the canonical text of the data types that an operand accepts."""
        value = param.operand.get("dtype") if param.operand else None
        if value is None:
            return "any"
        match = _DTYPE.fullmatch(str(value.value).strip())
        variable = match["variable"] if match else None
        given = (match["class"] or match["alone"]) if match else None
        problem = None
        if match is None or value.kind != "literal":
            problem = "it is not of the form `T: float`"
        elif given is not None and given not in _CLASSES and not is_dtype(given):
            problem = f"`{given}` is neither a class of data types nor a data type"
        elif given is None and variable not in variables:
            problem = f"no operand before it gives `{variable}` a class"
        if problem is not None:
            self._reporter.error(
                "TS084",
                f"bad `dtype` of operand `{param.name}`: {problem}",
                value.place,
                help=suggest_one_of(given or "", _CLASSES, "the classes are"),
            )
        if variable is not None:
            variables.add(variable)
        return ": ".join(part for part in (variable, given) if part)

    def check_order(self, decl: FunctionDecl) -> None:
        """Report required operands that follow an attribute."""
        attribute: ParamDecl | None = None
        for param in decl.params:
            if param.operand is None:
                attribute = attribute or param
            elif attribute is not None and "default" not in param.operand:
                self._reporter.error(
                    "TS085",
                    f"operand `{param.name}` of `{decl.name}` stands after an attribute",
                    param.place,
                    notes=[(f"attribute `{attribute.name}` is here", attribute.place)],
                    help="write the operands first; only one with `default=None` may follow",
                )
