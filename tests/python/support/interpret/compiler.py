"""What expressions and statements are compiled with: a table of methods by the type of a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from uir.ir import GlobalVar, Op, PrimExpr, post_order
from uir.tir import Buffer, BufferLoad, Call, CallEffectKind, ProducerLoad, Var, effect_kind

from .numbers import Value, fit

__all__ = ["Compiler", "Env", "Eval", "Returned", "compiles", "is_constant"]

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
    constants: Sequence[Value] = ()
    """The addresses of the module's constant tensors."""
    compiled: dict[Any, Eval] = field(default_factory=dict)
    data: dict[Any, bool] = field(default_factory=dict)
    matches: dict[Buffer, Buffer] = field(default_factory=dict)
    """The buffers whose regions the buffers of blocks match."""

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

    def fit(self, node: PrimExpr) -> Callable[[Value], Value]:
        """Return what brings an exact result into the data type of its node."""
        is_index = not self.is_data(node) and not is_constant(node)
        return fit(node.dtype, self.strict and is_index)

    def bind(self, variable: Var, value: PrimExpr) -> None:
        """Note that a variable has a value, before what uses it is compiled."""
        self.data[variable] = self.is_data(value)

    def is_data(self, node: PrimExpr) -> bool:
        """Tell whether a value depends on memory or on calls with effects: its sums wrap around."""
        found = self.data.get(node)
        if found is None:
            parts = post_order(node, BufferLoad, ProducerLoad, Call, Var)
            found = self.data[node] = any(self.data.get(part) or _reads(part) for part in parts)
        return found


def is_constant(node: PrimExpr) -> bool:
    """Tell whether a value is made of constants alone: such wrap around."""
    return not post_order(node, BufferLoad, ProducerLoad, Call, Var)


def _reads(node: PrimExpr) -> bool:
    if isinstance(node, Call):
        return not isinstance(node.op, Op) or effect_kind(node.op) > CallEffectKind.PURE
    return isinstance(node, (BufferLoad, ProducerLoad))


EXPR_METHODS: dict[type, Callable[[Compiler, Any], Eval]] = {}


def compiles(*types: type) -> Callable[[Method], Method]:
    def register(method: Method) -> Method:
        EXPR_METHODS.update(dict.fromkeys(types, method))
        return method

    return register
