"""`Loop` and `Scan`: loops of a known and small number of steps are unrolled.

Others become a `While`: those whose number of steps depends on sizes or on elements of inputs. If
the body needs the number of a step, and there are few steps, these are nested.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import onnx

from uir_nodes.ir import PrimExpr, RelayExpr

from ... import relay
from ..errors import Refused
from ..tensors import Dim, size_tensor
from .errors import UnknownElements
from .expansion import Origin
from .loop_body import Body, NotUnrolled, Values, check_counts, check_unrolled, given, joined
from .nested_steps import MOST_NESTED, nest
from .node import Node
from .scans import steps_of_scan
from .scopes import Scope
from .symbolic import greatest
from .trip_counts import holds_up_to, length_by_condition
from .value import Value
from .while_loops import Ends, Stack, Step, StepValues, flag, is_true, repeat

if TYPE_CHECKING:
    from .importer import Importer

__all__ = ["LOOPS", "convert_loop"]

Condition: TypeAlias = "Value | None"


def convert_loop(
    importer: Importer, proto: onnx.NodeProto, node: Node, origin: Origin, scope: Scope
) -> None:
    """Convert the body of a `Loop` or a `Scan` as often as it runs.

    Raises
    ------
    Refused
        If that is not known, or too often.
    """
    graph = node.attribute("body")
    if graph is None:
        raise Refused("no body")
    outputs = LOOPS[proto.op_type](node, Body(importer, graph, origin, scope))
    if outputs is None:
        return
    if len(proto.output) > len(outputs):
        raise Refused(f"{len(proto.output)} outputs, and the body has {len(outputs)}")
    scope.values.update(zip(proto.output, outputs, strict=False))


def steps_of_loop(node: Node, body: Body) -> Values:
    """Return the outputs of a `Loop`, or None if a node of the body fails.

    Raises
    ------
    Refused
        If it has neither a trip count nor a condition, or its steps are neither known nor those of
        a `While`.
    UnknownElements
        If it has outputs of each step, and their number depends on elements of inputs.
    """
    has_count = node.optional(0) is not None
    condition = None if node.optional(1) is None else given(node, 1)
    if not has_count and condition is None:
        raise Refused("a loop without a trip count and a condition")
    carried = [given(node, place) for place in range(2, len(node.values))]
    check_counts(body.graph, 2 + len(carried), 1 + len(carried))
    stacks = [Stack()] * (len(body.graph.output) - 1 - len(carried))
    try:
        with body.attempt():
            return unroll_loop(node, body, carried, condition)
    except NotUnrolled as error:
        count = given_count(node)
        if stacks and condition is not None:
            count, condition = counted(node, body, carried, condition)
        length = None if count is None else length_of(count)
        if stacks and (length is None or not (condition is None or is_true(condition))):
            raise error.reason from None

    def step(place: Value, values: list[Value]) -> StepValues | None:
        # A step runs only if the condition holds.
        return loop_step(body, [place, Value(None, np.array(True)), *values], condition)

    ends = Ends(greatest_count(node, body, length), condition, length)
    if condition is not None and isinstance(length, int) and length <= MOST_NESTED and not stacks:
        check_unrolled(body.graph, length)
        if not is_repeated(body, ends, carried, step):
            return nest(body, step, condition, carried, length)
    return repeat(body, ends, carried, stacks, step)


def greatest_count(node: Node, body: Body, length: Dim | None) -> RelayExpr | None:
    """Return the trip count or the known number of steps as a tensor; None if there is neither."""
    if node.optional(0) is not None:
        return body.emit(relay.reshape(node.input(0), []))
    return None if length is None else body.emit(size_tensor(length))


def counted(
    node: Node, body: Body, carried: Sequence[Value], condition: Value
) -> tuple[Dim | None, Condition]:
    """Return a trip count and a condition that imply the end of a loop.

    A condition that compares counters with sizes may say as much as a trip count.

    Returns
    -------
    count
        The trip count, if it follows from constants and sizes.
    condition
        The condition, if it may end the loop earlier.
    """
    count = given_count(node)
    if node.optional(0) is None:
        count = length_by_condition(body, condition, carried)
        return count, condition if count is None else None
    holds = count is not None and holds_up_to(body, count, condition, carried)
    return count, None if holds else condition


def is_repeated(body: Body, ends: Ends, carried: Sequence[Value], step: Step) -> bool:
    """Return whether steps are those of a `While`, by a trial of which nothing is kept."""
    with body.trial():
        try:
            return repeat(body, ends, carried, [], step) is not None
        except (Refused, UnknownElements):
            return False


def loop_step(body: Body, values: Sequence[Value], condition: Value | None) -> StepValues | None:
    """Convert a step of a `Loop`, whose conditions count if it has a first one."""
    found = body.step(values[0], values)
    if found is None:
        return None
    count = len(values) - 1
    return StepValues(None if condition is None else found[0], found[1:count], found[count:])


def unroll_loop(node: Node, body: Body, carried: list[Value], condition: Value | None) -> Values:
    """Unroll a `Loop`; return its outputs, or None if a node of the body fails.

    Raises
    ------
    NotUnrolled
        If the number of steps is not known, or they have too many nodes.
    """
    count = known_count(node)
    if count is not None and condition is None:
        check_unrolled(body.graph, count)
    stacked: list[list[RelayExpr]] = [[] for _ in body.graph.output[1 + len(carried) :]]
    done = 0
    while done != count and known_flag(condition, done):
        check_unrolled(body.graph, done + 1)
        # The number of the step, and that it runs.
        inputs = [Value(None, np.array(done, np.int64)), Value(None, np.array(True))]
        found = loop_step(body, [*inputs, *carried], condition)
        if found is None:
            return None
        done += 1
        condition, carried = found.condition, found.carried
        for outputs, value in zip(stacked, found.stacked, strict=True):
            outputs.append(value.expr)
    return [*carried, *(joined(node, one, 0, carried) for one in stacked)]


def known_count(node: Node) -> int | None:
    """Return the trip count of a `Loop`; None if there is none.

    Raises
    ------
    NotUnrolled
        If it is not known.
    """
    if node.optional(0) is None:
        return None
    try:
        return max(node.integer(0), 0)
    except (Refused, UnknownElements) as reason:
        raise NotUnrolled(reason) from None


def given_count(node: Node) -> Dim | None:
    """Return the trip count of a `Loop`; None if it does not follow from constants and sizes."""
    elements = None if node.optional(0) is None else node.known(0)
    found = None if elements is None or elements.size != 1 else elements.reshape(-1).tolist()[0]
    return found if isinstance(found, int | PrimExpr) else None


def length_of(count: Dim) -> Dim:
    """Return the number of steps for a trip count, which may be negative."""
    if isinstance(count, int):
        return max(count, 0)
    length: PrimExpr = greatest(count, 0)
    return length


def known_flag(condition: Condition, done: int) -> bool:
    """Return a condition behind some steps, which holds if there is none.

    Raises
    ------
    NotUnrolled
        If it depends on inputs.
    Refused
        If it is not a boolean of one element.
    """
    if condition is None:
        return True
    elements = condition.elements
    if elements is None or elements.dtype == object:
        flag(condition)
        reason = "outputs of steps whose number depends on elements of inputs"
        raise NotUnrolled(UnknownElements(condition.inputs) if done == 0 else Refused(reason))
    if elements.dtype != bool or elements.size != 1:
        raise Refused(f"a condition of {elements.size} elements of `{elements.dtype}`")
    return bool(elements.reshape(-1)[0])


LOOPS: dict[str, Callable[[Node, Body], Values]] = {
    "Loop": steps_of_loop,
    "Scan": steps_of_scan,
}
