"""The number of steps of a `Loop` whose condition compares counters with sizes.

Keras carries a counter beside the number of the step, and compares it with the trip count, or with
the only bound. A trial converts the body for a step of any number: the counters that it carries
have elements then, and so has the condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tschema.runtime import map as mapped
from uir_nodes.arith import Analyzer
from uir_nodes.ir import IntImm, PrimExpr
from uir_nodes.relay import Var
from uir_nodes.tir import SizeVar

from ... import relay, tir
from ..tensors import Dim, dtype_of, tensor_type
from .symbolic import simplified
from .value import Value

if TYPE_CHECKING:
    from .loop_body import Body

__all__ = ["holds_up_to", "length_by_condition"]

# Counters of 32 bits hold so many steps.
MOST_STEPS = 2**31 - 1

# By how much a step may change a counter: one that begins with 0 or more is never negative.
CHANGES = (0, 1)


class Counted(NamedTuple):
    """A step of any number.

    Attributes
    ----------
    step
        The number of the step.
    condition
        Whether there is a step behind it, by the number of the step and sizes.
    """

    step: SizeVar
    condition: PrimExpr | bool


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
    counted = counted_step(body, carried)
    return counted is not None and holds_before(counted, count, only_element(condition))


def length_by_condition(body: Body, condition: Value, carried: Sequence[Value]) -> Dim | None:
    """Return the trip count that the condition of a loop implies; None if it is not known.

    Parameters
    ----------
    body
        The body of the loop, which has no trip count.
    condition
        Whether there is a first step.
    carried
        The values before the first step.
    """
    counted = counted_step(body, carried)
    if counted is None:
        return None
    first = only_element(condition)
    for count in counts_of(counted):
        if isinstance(count, int) and count > MOST_STEPS:
            continue
        if holds_before(counted, count, first) and ends_at(counted, count, first):
            return count
    return None


def counted_step(body: Body, carried: Sequence[Value]) -> Counted | None:
    """Convert a step of any number; None if a node fails or elements end the loop."""
    step = SizeVar("step")
    starts = {at: start for at, one in enumerate(carried) if (start := start_of(one)) is not None}
    while True:
        symbols = {at: SizeVar(f"counter_{at}") for at in starts}
        found = body.try_step(*arguments(step, carried, symbols))
        if found is None:
            return None
        changes = {at: change_of(found[1 + at], symbol) for at, symbol in symbols.items()}
        known = {at: change for at, change in changes.items() if change is not None}
        if len(known) == len(changes):
            break
        # Another trial, as conclusions from the values of the others may be wrong.
        starts = {at: starts[at] for at in known}
    goes_on = only_element(found[0])
    if not isinstance(goes_on, PrimExpr):
        return Counted(step, goes_on) if isinstance(goes_on, bool) else None
    values = [(symbols[at], starts[at] + known[at] * step) for at in starts]
    return Counted(step, substituted(goes_on, values))


def substituted(expr: PrimExpr, values: Sequence[tuple[SizeVar, Dim]]) -> PrimExpr:
    """Return an expression with values for variables."""

    def value_of(node: Any) -> Dim | None:
        return next((value for var, value in values if var.same_as(node)), None)

    result: PrimExpr = mapped(expr, value_of)
    return result


def counts_of(counted: Counted) -> Iterator[Dim]:
    """Yield trip counts that the comparisons of a condition may mean, which remain to be proved."""
    whole = counted.condition
    parts = [whole] if isinstance(whole, PrimExpr) else []
    while parts:
        part = parts.pop()
        if isinstance(part, tir.And):
            parts += [part.b, part.a]
        elif isinstance(part, tir.LT | tir.LE | tir.GT | tir.GE):
            distance = part.b - part.a if isinstance(part, tir.LT | tir.LE) else part.a - part.b
            distance = substituted(distance, [(counted.step, IntImm(counted.step.dtype, 0))])
            yield simplified(distance + (1 if isinstance(part, tir.LT | tir.GT) else 2))


def holds_before(counted: Counted, count: Dim, first: PrimExpr | bool | None) -> bool:
    """Return whether a condition is known to hold before each of some steps."""
    behind = counted.step + 1 < count
    return follows(first, count > 0) and follows(counted.condition, behind)


def ends_at(counted: Counted, count: Dim, first: PrimExpr | bool | None) -> bool:
    """Return whether a condition is known to fail behind the last of some steps."""
    behind = counted.step + 1 >= count
    return follows(opposite(first), count <= 0) and follows(opposite(counted.condition), behind)


def opposite(condition: PrimExpr | bool | None) -> PrimExpr | bool:
    """Return the negation of a condition; False, which no step proves, for an unknown one."""
    return tir.Not(condition) if isinstance(condition, PrimExpr) else condition is False


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


def follows(condition: PrimExpr | bool | None, known: PrimExpr | bool) -> bool:
    """Return whether a condition follows from another one."""
    if not isinstance(condition, PrimExpr) and condition is True:
        return True
    analyzer = Analyzer()
    if not isinstance(known, PrimExpr):
        return not known or (isinstance(condition, PrimExpr) and analyzer.can_prove(condition))
    with analyzer.constraint_scope(known):
        # The known condition may be impossible, such as fewer than no elements.
        target = condition if isinstance(condition, PrimExpr) else tir.Not(known)
        return analyzer.can_prove(target)
