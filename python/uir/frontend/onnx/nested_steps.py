"""Steps of a `Loop` that its condition may end, each inside of the `If` of the step before.

A body may need the number of its step when it is compiled, such as for the bounds of a slice, which
that of a `While` does not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uir_nodes.relay import Block, If, Tuple

from ... import relay
from .value import Value
from .while_loops import Step, check_types, flag, is_true

if TYPE_CHECKING:
    from .loop_body import Body

__all__ = ["MOST_NESTED", "nest"]

MOST_NESTED = 64
"""The greatest number of steps that are nested."""


def nest(
    body: Body,
    step: Step,
    condition: Value,
    carried: list[Value],
    count: int,
    done: int = 0,
) -> list[Value] | None:
    """Return the carried values after the last step, or None if a node fails.

    Parameters
    ----------
    body
        The body of the loop.
    step
        Converts a step, of its number and the carried values.
    condition
        Whether there is another step.
    carried
        The values before it.
    count
        The greatest number of steps.
    done
        The number of steps before.

    Raises
    ------
    Refused
        If a step changes the type of a value.
    """
    if done == count or is_known_false(condition):
        return carried
    if is_true(condition):
        return after(body, step, carried, count, done)
    with body.apart() as block:
        inside = after(body, step, carried, count, done)
        if inside is None:
            return None
        then = block.make_block(Tuple([one.expr for one in inside]))
    values = [one.expr for one in carried]
    check_types(values, inside)
    otherwise = Block([], Tuple(values))
    whole = body.emit(If(body.emit(relay.reshape(flag(condition), [])), then, otherwise))
    inputs = condition.inputs.union(*(one.inputs for one in (*inside, *carried)))
    return [Value(body.emit(field), None, inputs) for field in whole]


def after(
    body: Body,
    step: Step,
    carried: list[Value],
    count: int,
    done: int,
) -> list[Value] | None:
    """Return the carried values after a step and those that follow it."""
    found = step(Value(None, np.array(done, np.int64)), carried)
    if found is None or found.condition is None:
        return None if found is None else found.carried
    return nest(body, step, found.condition, found.carried, count, done + 1)


def is_known_false(condition: Value) -> bool:
    """Return whether a condition is known not to hold."""
    elements = condition.elements
    return elements is not None and elements.dtype == bool and not np.any(elements)
