"""Makes a high-level function again with some of its parts changed.

In: a function in A-normal form and its changes.  Out: a function without the bindings and
parameters that its result no longer needs, whose types follow from those of the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tvm_ffi import Array

from uir_nodes.ir import DictAttrs, Op, PrimExpr, RelayExpr, TensorType
from uir_nodes.relay import (
    Binding,
    Block,
    Call,
    Constant,
    Function,
    If,
    Tuple,
    TupleGetItem,
    Var,
    While,
)

__all__ = ["Changes", "operands_of", "rebuild"]

_ASSUMPTIONS = "shape_assumptions"


@dataclass(frozen=True)
class Changes:
    """The changes of a function.

    Attributes
    ----------
    values
        The replacement of a variable: an expression of earlier variables, or a new variable, which
        becomes a parameter.
    operands
        The replacement of an operand, by the call and the place of the operand.
    result
        The new result; None if it stays the same.
    retype
        The new type of a parameter.
    reconstant
        The replacement of a constant.
    attribute
        The new value of an attribute of a call, by its name.
    """

    values: Mapping[RelayExpr, RelayExpr] = field(default_factory=dict)
    operands: Mapping[tuple[RelayExpr, int], RelayExpr] = field(default_factory=dict)
    result: RelayExpr | None = None
    retype: Callable[[TensorType], TensorType] = lambda type_: type_
    reconstant: Callable[[Constant], RelayExpr] = lambda constant: constant
    attribute: Callable[[str, Any], Any] = lambda _name, value: value


def rebuild(function: Function, changes: Changes) -> Function:
    """Make a function again.

    Parameters
    ----------
    function
        A function in A-normal form.
    changes
        The changes.

    Returns
    -------
    Function
        The function, without the parts that its result does not need.

    Raises
    ------
    TypeError, ValueError
        If an operator refuses its new operands.
    """
    return _Rebuild(changes).function(function)


def operands_of(value: RelayExpr) -> list[RelayExpr]:
    """Return the operands of a value, in order; those of a branch are not among them."""
    if isinstance(value, Call):
        return list(value.args)
    if isinstance(value, Tuple):
        return list(value.fields)
    return [value.tuple_value] if isinstance(value, TupleGetItem) else []


class _Rebuild:
    def __init__(self, changes: Changes) -> None:
        self.changes = changes
        self.known: dict[RelayExpr, RelayExpr] = {}
        self.params: list[Var] = []

    def function(self, function: Function) -> Function:
        for param in function.params:
            self.known[param] = self.param(param)
        body = self.block(function.body, self.changes.result)
        used = _used_by(body)
        params = [param for param in self.params if param in used] or self.params[:1]
        return Function(params, body, None, _without_assumptions(function.attrs))

    def param(self, param: Var) -> RelayExpr:
        if param in self.changes.values:
            return self.replacement(self.changes.values[param])
        type_ = param.type_annotation
        if isinstance(type_, TensorType):
            changed = self.changes.retype(type_)
            param = param if changed is type_ else Var(param.name, changed)
        self.params.append(param)
        return param

    def block(self, block: Block, result: RelayExpr | None = None) -> Block:
        bindings: list[Binding] = []
        for binding in block.bindings:
            if binding.var in self.changes.values:
                self.known[binding.var] = self.replacement(self.changes.values[binding.var])
                continue
            value = self.value(binding.value)
            type_ = value.checked_type
            if value is binding.value:
                self.known[binding.var] = binding.var
                bindings.append(binding)
                continue
            var = Var(binding.var.name, binding.var.type_annotation if type_ is None else type_)
            self.known[binding.var] = var
            bindings.append(Binding(var, value))
        made = self.value(block.result if result is None else result)
        return _without_dead(bindings, made)

    def replacement(self, value: RelayExpr) -> RelayExpr:
        if isinstance(value, Var) and value not in self.known:
            self.params.append(value)
            self.known[value] = value
        return self.value(value)

    def value(self, value: RelayExpr) -> RelayExpr:
        if value in self.known:
            return self.known[value]
        if isinstance(value, Constant):
            return self.changes.reconstant(value)
        if isinstance(value, If):
            branches = self.block(value.true_branch), self.block(value.false_branch)
            return If(self.value(value.condition), *branches)
        if isinstance(value, While):
            return self.loop(value)
        operands = [self.operand(value, place) for place in range(len(operands_of(value)))]
        kept = all(one is old for one, old in zip(operands, operands_of(value), strict=True))
        if isinstance(value, Tuple):
            return value if kept else Tuple(operands)
        if isinstance(value, TupleGetItem):
            return value if kept else TupleGetItem(operands[0], value.index)
        if not isinstance(value, Call):
            return value
        attrs = self.attributes(value)
        return value if kept and attrs is value.attrs else Call(value.op, operands, attrs)

    def loop(self, loop: While) -> RelayExpr:
        initial = [self.value(value) for value in loop.initial]
        params = []
        for param, value in zip(loop.params, initial, strict=True):
            made = Var(param.name, value.checked_type)
            self.known[param] = made
            params.append(made)
        condition = self.value(loop.condition)
        return While(params, condition, initial, self.block(loop.body))

    def operand(self, value: RelayExpr, place: int) -> RelayExpr:
        changed = self.changes.operands.get((value, place))
        return self.value(operands_of(value)[place] if changed is None else changed)

    def attributes(self, call: Call) -> Any:
        attrs = call.attrs
        if attrs is None or not isinstance(call.op, Op):
            return attrs
        names = vars(type(attrs)).get("__annotations__", {})
        changed = {}
        for name in names:
            old = getattr(attrs, name)
            new = self.changes.attribute(name, list(old) if isinstance(old, Array) else old)
            if new != old and not isinstance(new, PrimExpr):
                changed[name] = new
        return getattr(attrs, "__replace__")(**changed) if changed else attrs  # noqa: B009


def _without_dead(bindings: list[Binding], result: RelayExpr) -> Block:
    """Return a block without bindings whose variables are not used behind them."""
    used = set(_variables(result))
    kept: list[Binding] = []
    for binding in reversed(bindings):
        if binding.var in used:
            kept.append(binding)
            used.update(_variables(binding.value))
    return Block(kept[::-1], result)


def _used_by(block: Block) -> set[RelayExpr]:
    found = set(_variables(block.result))
    for binding in block.bindings:
        found.update(_variables(binding.value))
    return found


def _variables(value: RelayExpr) -> list[RelayExpr]:
    """Return the variables in a value, those of its branches and its loop too."""
    if isinstance(value, Var):
        return [value]
    if isinstance(value, If):
        inner = [*_used_by(value.true_branch), *_used_by(value.false_branch)]
        return [*_variables(value.condition), *inner]
    if isinstance(value, While):
        outer = [one for part in (value.condition, *value.initial) for one in _variables(part)]
        return [*outer, *_used_by(value.body)]
    return [one for operand in operands_of(value) for one in _variables(operand)]


def _without_assumptions(attrs: DictAttrs | None) -> DictAttrs | None:
    """Return attributes without the assumptions of the old body's types."""
    if attrs is None or _ASSUMPTIONS not in attrs.dict:
        return attrs
    return DictAttrs({key: one for key, one in attrs.dict.items() if key != _ASSUMPTIONS})
