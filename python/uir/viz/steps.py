"""The steps of a function on tensors, and the values that pass between them.

In: a function of relay. Out: nodes and edges without places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from uir_nodes.ir import GlobalVar, Op, RelayExpr, Span
from uir_nodes.relay import (
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

from ..ir.source_text import source_text
from ..relay.type_text import type_text

__all__ = ["Flow", "Step", "Value", "fold_steps", "steps_of"]

INPUT, RESULT, BRANCH, LOOP, GROUP = "input", "result", "if", "loop", "group"


@dataclass
class Step:
    """One box of a picture.

    Attributes
    ----------
    name
        The operator or function that is called, or the name of a parameter.
    kind
        `call`, or what else it is: `input`, `result`, `if`, `loop`, `tuple`, `item`, `group`.
    source
        The file and line, or the node of a model, that it was made from; empty if unknown.
    text
        Its script.
    constants
        How many operands are constants, which have no boxes.
    callee
        The name of the called function of the module; empty for operators.
    members
        The steps of a group.
    """

    name: str
    kind: str
    source: str = ""
    text: str = ""
    constants: int = 0
    callee: str = ""
    members: list[Step] = field(default_factory=list)


@dataclass(frozen=True)
class Value:
    """A value that one step computes and another one takes.

    Attributes
    ----------
    source, target
        The places of the steps.
    type
        The type, such as `float32 (n, 8)`; empty if it is not known yet.
    """

    source: int
    target: int
    type: str


@dataclass
class Flow:
    """Steps in an order in which they can run, and the values between them."""

    steps: list[Step]
    values: list[Value]


def steps_of(function: Function) -> Flow:
    """Return the steps of a function; those of its branches and loops are not among them."""
    builder = _Builder()
    for param in function.params:
        builder.add(param, Step(str(param.name), INPUT, text=f"{param}: {param.checked_type}"))
    return builder.flow_of(function.body)


class _Builder:
    """Collects the steps of one function."""

    def __init__(self) -> None:
        self._flow = Flow([], [])
        self._places: dict[RelayExpr, int] = {}

    def flow_of(self, body: Block) -> Flow:
        for binding in body.bindings:
            self._places[binding.var] = self._place_of(binding.value, binding.span)
        result = self._place_of(body.result, None)
        self._flow.steps.append(Step("result", RESULT))
        self._connect(result, len(self._flow.steps) - 1, body.result)
        return self._flow

    def add(self, expr: RelayExpr, step: Step) -> int:
        """Add a step whose operands have one."""
        self._flow.steps.append(step)
        place = self._places[expr] = len(self._flow.steps) - 1
        return place

    def _place_of(self, expr: RelayExpr, span: Span | None) -> int:
        """Return the step that computes an expression; nesting may be deeper than the stack."""
        waiting = [expr]
        while waiting:
            part = waiting[-1]
            missing = [one for one in _operands(part) if one not in self._places]
            if part in self._places or not missing:
                waiting.pop()
                if part not in self._places:
                    self._add_part(part, span)
            else:
                waiting += reversed(missing)
        return self._places[expr]

    def _add_part(self, expr: RelayExpr, span: Span | None) -> None:
        step = _step(expr, expr.span or span)
        place = self.add(expr, step)
        for operand in _operands(expr):
            self._connect(self._places[operand], place, operand)

    def _connect(self, source: int, target: int, operand: RelayExpr) -> None:
        found = operand.checked_type
        self._flow.values.append(Value(source, target, "" if found is None else type_text(found)))


def _step(expr: RelayExpr, span: Span | None) -> Step:
    source = source_text(span)
    text = str(expr)
    if isinstance(expr, Call):
        constants = sum(isinstance(one, Constant) for one in expr.args)
        callee = str(expr.op.name_hint) if isinstance(expr.op, GlobalVar) else ""
        name = str(expr.op.name).rpartition(".")[2] if isinstance(expr.op, Op) else str(expr.op)
        return Step(name, "call", source, text, constants, callee)
    if isinstance(expr, If):
        return Step("if", BRANCH, source, text)
    if isinstance(expr, While):
        return Step("loop", LOOP, source, text)
    if isinstance(expr, TupleGetItem):
        return Step(f"item {expr.index}", "item", source, text)
    if isinstance(expr, Tuple):
        return Step("tuple", "tuple", source, text)
    return Step(text, "constant" if isinstance(expr, Constant) else "value", source, text)


def _operands(expr: RelayExpr) -> list[RelayExpr]:
    """Return the operands that have steps: all but constants, and absent ones."""
    found: list[RelayExpr] = []
    if isinstance(expr, Call):
        found = [*expr.args]
    elif isinstance(expr, Tuple):
        found = [*expr.fields]
    elif isinstance(expr, TupleGetItem):
        found = [expr.tuple_value]
    elif isinstance(expr, If):
        inside = [*_free_variables(expr.true_branch), *_free_variables(expr.false_branch)]
        found = [expr.condition, *dict.fromkeys(inside)]
    elif isinstance(expr, While):
        inside = [one for one in _free_variables(expr.body) if one not in list(expr.params)]
        found = list(dict.fromkeys([expr.condition, *expr.initial, *inside]))
    return [one for one in found if not _is_hidden(one)]


def _is_hidden(expr: RelayExpr) -> bool:
    return isinstance(expr, Constant) or (isinstance(expr, Tuple) and not expr.fields)


def _free_variables(block: Block) -> Iterator[Var]:
    """Yield the variables that a branch or a loop takes from the function around it."""
    bound: set[RelayExpr] = {binding.var for binding in block.bindings}
    waiting: list[RelayExpr] = [block.result, *(binding.value for binding in block.bindings)]
    while waiting:
        expr = waiting.pop()
        if isinstance(expr, Var):
            if expr not in bound:
                yield expr
        else:
            waiting += _operands(expr)


def fold_steps(flow: Flow, group_of: Callable[[Step], str | None]) -> Flow:
    """Return a flow in which all steps of a group are one step.

    Parameters
    ----------
    flow
        The flow.
    group_of
        Returns the name of the group of a step; None or an empty name for none.
    """
    steps: list[Step] = []
    groups: dict[str, int] = {}
    places: list[int] = []
    for step in flow.steps:
        group = group_of(step) if step.kind not in (INPUT, RESULT) else None
        if group and group in groups:
            places.append(groups[group])
        else:
            places.append(len(steps))
            steps.append(Step(group, GROUP) if group else step)
        if group:
            groups[group] = places[-1]
            steps[places[-1]].members.append(step)
    moved = (Value(places[one.source], places[one.target], one.type) for one in flow.values)
    return Flow(steps, [one for one in dict.fromkeys(moved) if one.source != one.target])
