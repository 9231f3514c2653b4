"""Proofs that the condition of a `Loop` holds up to its trip count.

Keras carries a counter beside the number of the step, and compares it with the trip count. A trial
converts the body for a step of any number: the counters that it carries have elements then, and so
has the condition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tschema.runtime import map as mapped
from uir_nodes.arith import Analyzer
from uir_nodes.ir import PrimExpr
from uir_nodes.relay import Var
from uir_nodes.tir import SizeVar

from ... import relay
from ..tensors import Dim, dtype_of, tensor_type
from .value import Value

if TYPE_CHECKING:
    from .loop_body import Body

__all__ = ["holds_up_to"]

# Counters of 32 bits hold so many steps.
MOST_STEPS = 2**31 - 1

# By how much a step may change a counter: one that begins with 0 or more is never negative.
CHANGES = (0, 1)

# The symbols of counters, with their values in a step.
Counters: TypeAlias = Sequence[tuple[SizeVar, PrimExpr]]


def holds_up_to(body: Body, count: Dim, condition: Value, carried: Sequence[Value]) -> bool:
    """Return whether the condition of a loop is known to hold before each of its steps.

    Parameters
    ----------
    body
        The body of the loop.
    count
        The trip count.
    condition
        Whether there is a first step.
    carried
        The values before the first step.
    """
    if isinstance(count, int) and count > MOST_STEPS:
        return False
    step = SizeVar("step")
    starts = {at: start for at, one in enumerate(carried) if (start := start_of(one)) is not None}
    while True:
        symbols = {at: SizeVar(f"counter_{at}") for at in starts}
        found = body.try_step(*arguments(step, carried, symbols))
        if found is None:
            return False
        changes = {at: change_of(found[1 + at], symbol) for at, symbol in symbols.items()}
        known = {at: change for at, change in changes.items() if change is not None}
        if len(known) == len(changes):
            break
        # Another trial, as conclusions from the values of the others may be wrong.
        starts = {at: starts[at] for at in known}
    counters = [(symbols[at], starts[at] + known[at] * step) for at in starts]
    return follows(condition, count > 0, []) and follows(found[0], step + 1 < count, counters)


def start_of(value: Value) -> Dim | None:
    """Return the integer that a counter is before the first step; None for other values."""
    found = only_element(value)
    if dtype_of(value.expr) not in ("int32", "int64"):
        return None
    if isinstance(found, PrimExpr):
        return found if Analyzer().can_prove(found >= 0) else None
    return int(found) if found is not None and 0 <= found <= MOST_STEPS else None


def only_element(value: Value) -> Any:
    """Return the only element of a value; None if it has others or is not known."""
    elements = value.elements
    known = elements is not None and elements.size == 1
    return elements.reshape(-1).tolist()[0] if elements is not None and known else None


def arguments(
    step: SizeVar, carried: Sequence[Value], symbols: Mapping[int, SizeVar]
) -> tuple[Value, list[Value]]:
    """Return the number of a step and its inputs, of which counters have elements."""
    place = with_element(relay.Tensor((), "int64"), step)
    values = [
        with_element(tensor_type(one.expr), symbols.get(at)) for at, one in enumerate(carried)
    ]
    # A step runs only if the condition holds.
    return place, [place, Value(None, np.array(True)), *values]


def with_element(type: Any, element: SizeVar | None) -> Value:
    """Return a value of a type, whose only element is known if it is given."""
    var = Var("value", type)
    if element is None:
        return Value(var)
    elements = np.empty([1] * len(type.shape), dtype=object)
    elements[...] = element
    return Value(var, elements)


def change_of(value: Value, symbol: SizeVar) -> int | None:
    """Return by how much a step changes a counter; None if by something else."""
    found = only_element(value)
    if not isinstance(found, PrimExpr):
        return None
    same = (one for one in CHANGES if Analyzer().can_prove_equal(found, symbol + one))
    return next(same, None)


def follows(condition: Value, known: PrimExpr | bool, counters: Counters) -> bool:
    """Return whether a condition follows from another one, for the values of counters."""
    found = only_element(condition)
    if not isinstance(found, PrimExpr):
        return found is True
    analyzer = Analyzer()
    if not isinstance(known, PrimExpr):
        return analyzer.can_prove(found)

    def value_of(node: Any) -> PrimExpr | None:
        return next((value for var, value in counters if var.same_as(node)), None)

    expr = mapped(found, value_of)
    with analyzer.constraint_scope(known):
        return analyzer.can_prove(expr)
