"""Loops whose steps are not unrolled: a `While` that counts them and carries values.

A tensor of the outputs of all steps is carried too, and each step writes its own. Their number must
follow from constants and sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from uir_nodes.ir import RelayExpr
from uir_nodes.relay import Tuple, TupleGetItem, Var, While

from ... import relay
from ...ir import structural_equal
from ..errors import Refused
from ..tensors import Dim, dims, dtype_of, number, rank, tensor_type
from .value import Value

if TYPE_CHECKING:
    from .loop_body import Body

__all__ = [
    "Ends",
    "Stack",
    "Step",
    "StepValues",
    "backwards",
    "check_types",
    "flag",
    "is_true",
    "repeat",
]


class Ends(NamedTuple):
    """What ends a loop.

    Attributes
    ----------
    most
        The greatest number of steps, a tensor of one integer; None for any number.
    condition
        Whether there is a first step; None if the conditions of steps do not count.
    length
        The number of steps, if it follows from constants and sizes; None otherwise.
    """

    most: RelayExpr | None
    condition: Value | None
    length: Dim | None


class Stack(NamedTuple):
    """Where the outputs of steps are put: along a new axis, from its begin or from its end."""

    axis: int = 0
    is_reverse: bool = False


class StepValues(NamedTuple):
    """The values that a step computes.

    Attributes
    ----------
    condition
        Whether there is another step; None if that does not count.
    carried
        The values for it.
    stacked
        The outputs of this step.
    """

    condition: Value | None
    carried: list[Value]
    stacked: list[Value]


Step: TypeAlias = Callable[[Value, list[Value]], StepValues | None]
"""Converts a step, of its number and the carried values; returns None if a node fails."""


def repeat(
    body: Body, ends: Ends, carried: Sequence[Value], stacks: Sequence[Stack], step: Step
) -> list[Value] | None:
    """Return the values after the last step, and the outputs of all; None if a node fails.

    Parameters
    ----------
    body
        The body of the loop.
    ends
        What ends it.
    carried
        The values before the first step.
    stacks
        Where the outputs of steps are put.
    step
        Converts a step.

    Raises
    ------
    Refused
        If a step changes the type of a value, no step can end the loop, or the number of outputs of
        steps is not known.
    """
    place = Var("step", relay.Tensor((), "int64"))
    params = [Var(f"carried_{at}", tensor_type(one.expr)) for at, one in enumerate(carried)]
    given = [Value(var, None, one.inputs) for var, one in zip(params, carried, strict=True)]
    with body.apart() as block:
        found = step(Value(place), given)
        if found is None:
            return None
        check_step(found, params, ends, bool(stacks))
        rows = [Rows(one, stack, ends) for one, stack in zip(found.stacked, stacks, strict=True)]
        done = body.emit(relay.add(place, number(1, "int64")))
        values = [one.expr for one in found.carried] + [body.emit(one.after(place)) for one in rows]
        goes_on = is_next(done, ends.most, found.condition)
        steps = block.make_block(Tuple([goes_on, done, *values]))
    first = number(0, "int64")
    initial = [first, *(one.expr for one in carried), *(one.before() for one in rows)]
    variables = [place, *params, *(one.param for one in rows)]
    whole = body.emit(While(variables, is_next(first, ends.most, ends.condition), initial, steps))
    fields = [body.emit(TupleGetItem(whole, at)) for at in range(1, len(initial))]
    stacked = [
        body.emit(one.placed(field))
        for one, field in zip(rows, fields[len(carried) :], strict=True)
    ]
    sources = [*carried, *found.carried, *found.stacked]
    sources += [one for one in (ends.condition, found.condition) if one is not None]
    inputs = frozenset[str]().union(*(one.inputs for one in sources))
    return [Value(expr, None, inputs) for expr in (*fields[: len(carried)], *stacked)]


class Rows:
    """The outputs of all steps, as a tensor that a loop carries; those of a step are a row.

    Parameters
    ----------
    row
        The output of a step.
    stack
        Where it is put.
    ends
        What ends the loop, of a known number of steps.

    Raises
    ------
    Refused
        If the outputs have no such axis.
    """

    def __init__(self, row: Value, stack: Stack, ends: Ends) -> None:
        assert ends.length is not None and ends.most is not None
        self.row, self.count = row.expr, ends.most
        count = rank(self.row) + 1
        if not -count <= stack.axis < count:
            raise Refused(f"axis {stack.axis} of outputs of rank {count}")
        self.axis, self.is_reverse = stack.axis % count, stack.is_reverse
        self.shape = [ends.length, *dims(self.row)]
        self.param = Var("steps", relay.Tensor(self.shape, dtype_of(self.row)))

    def before(self) -> RelayExpr:
        """Return the tensor before the first step, which needs no particular elements."""
        return relay.full(number(0, dtype_of(self.row)), self.shape)

    def after(self, place: RelayExpr) -> RelayExpr:
        """Return the tensor after a step, of a number."""
        if self.is_reverse:
            place = backwards(place, self.count)
        row = relay.expand_dims(self.row, [0])
        return relay.scatter_nd(self.param, relay.reshape(place, [1, 1]), row)

    def placed(self, whole: RelayExpr) -> RelayExpr:
        """Return the tensor with the axis of steps in its place."""
        order = list(range(1, len(self.shape)))
        order.insert(self.axis, 0)
        return whole if self.axis == 0 else relay.transpose(whole, order)


def backwards(place: RelayExpr, count: RelayExpr) -> RelayExpr:
    """Return a place among some, counted from the end."""
    return relay.subtract(relay.subtract(count, number(1, "int64")), place)


def check_step(found: StepValues, params: Sequence[Var], ends: Ends, is_stacked: bool) -> None:
    """Check that a step keeps the types of values, and that the number of steps is as stated.

    Raises
    ------
    Refused
        If it does not.
    """
    check_types(params, found.carried)
    is_endless = found.condition is None or is_true(found.condition)
    if is_endless and ends.most is None:
        raise Refused("a loop that no step ends")
    if is_stacked and not is_endless:
        raise Refused("outputs of steps whose number depends on elements of inputs")


def check_types(before: Sequence[RelayExpr], after: Sequence[Value]) -> None:
    """Check that a step keeps the types of values.

    Raises
    ------
    Refused
        If it does not.
    """
    for one, other in zip(before, after, strict=True):
        first, last = one.checked_type, other.expr.checked_type
        if not structural_equal(first, last):
            raise Refused(f"a step that changes a value of type `{first}` to `{last}`")


def is_next(step: RelayExpr, most: RelayExpr | None, condition: Value | None) -> RelayExpr:
    """Return whether a step runs: it is below the bound and the condition holds, where given."""
    flags = [] if most is None else [relay.less(step, most)]
    if condition is not None and not (flags and is_true(condition)):
        flags.append(relay.reshape(flag(condition), []))
    return reduce(relay.logical_and, flags)


def is_true(condition: Value) -> bool:
    """Return whether a condition is known to hold."""
    elements = condition.elements
    return elements is not None and elements.dtype == bool and bool(np.all(elements))


def flag(condition: Value) -> RelayExpr:
    """Return a condition.

    Raises
    ------
    Refused
        If it is not a boolean of one element.
    """
    if dtype_of(condition.expr) != "bool" or any(size != 1 for size in dims(condition.expr)):
        raise Refused(f"a condition of the type `{condition.expr.checked_type}`")
    return condition.expr
