"""What expressions and statements are compiled with: a table of methods by the type of a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from tvm_ffi import dtype as DataType

from uir.ir import GlobalVar, PrimExpr

from .numbers import Value, fit

__all__ = ["Compiler", "Env", "Eval", "Returned", "compiles"]

Env: TypeAlias = dict[Any, Value]
"""The values of the variables that are bound, by the variable."""

Eval: TypeAlias = Callable[[Env], Value]

Method = TypeVar("Method", bound=Callable[..., Any])


class Returned(Exception):
    """Ends a function; carries its value."""

    def __init__(self, value: Value) -> None:
        super().__init__(value)
        self.value = value


@dataclass
class Compiler:
    """Turns the nodes of one function into closures; a shared node is compiled once."""

    externs: Mapping[str, Callable[..., Any]]
    strict: bool
    call: Callable[[GlobalVar, Sequence[Value]], Value]
    compiled: dict[Any, Eval] = field(default_factory=dict)

    def expr(self, node: PrimExpr) -> Eval:
        """Compile an expression."""
        found = self.compiled.get(node)
        if found is None:
            found = self.compiled[node] = EXPR_METHODS[type(node)](self, node)
        return found

    def exprs(self, nodes: Sequence[PrimExpr]) -> Callable[[Env], list[Value]]:
        """Compile several expressions."""
        evals = [self.expr(node) for node in nodes]
        return lambda env: [eval_(env) for eval_ in evals]

    def fit(self, dtype: DataType) -> Callable[[Value], Value]:
        """Return what brings results into a data type."""
        return fit(dtype, self.strict)


EXPR_METHODS: dict[type, Callable[[Compiler, Any], Eval]] = {}


def compiles(*types: type) -> Callable[[Method], Method]:
    def register(method: Method) -> Method:
        EXPR_METHODS.update(dict.fromkeys(types, method))
        return method

    return register
