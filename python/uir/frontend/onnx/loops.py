"""`Loop` and `Scan`: loops of a known and small number of steps are unrolled.

Others become a `While`: those whose number of steps depends on sizes or on elements of inputs. If
the body needs the number of a step, and there are few steps, these are nested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import onnx

from uir_nodes.ir import PrimExpr, RelayExpr, SourceName, Span
from uir_nodes.relay import Builder

from ... import relay
from ...ir import structural_equal
from ..errors import Refused
from ..tensors import Dim, dims, rank, size_tensor
from .errors import UnknownElements
from .expansion import Origin
from .functions import all_nodes
from .nested import MOST_NESTED, nest
from .node import Node
from .repeated import Ends, Stack, Step, StepValues, backwards, flag, is_true, repeat
from .scopes import Branch, Scope
from .symbolic import greatest
from .trip_counts import holds_up_to
from .value import Value

if TYPE_CHECKING:
    from .importer import Importer

__all__ = ["LOOPS", "convert_loop"]

# The nodes of a body times the number of steps.
MOST_NODES = 10_000

Values: TypeAlias = "list[Value] | None"
Condition: TypeAlias = "Value | None"


class Body:
    """The body of a loop.

    Parameters
    ----------
    importer
        The importer of the model.
    graph
        The body.
    origin
        The node that it is a part of.
    scope
        The values outside of it.
    """

    def __init__(
        self, importer: Importer, graph: onnx.GraphProto, origin: Origin, scope: Scope
    ) -> None:
        self.graph = graph
        self._importer = importer
        self._branch = Branch.of(origin, "body", graph)
        self._outside = Scope(scope.builder, scope.values, self._branch.path)
        self._span = Span(SourceName(origin.node), 0, 0)
        importer.initialize(graph, self._outside)

    def step(self, place: Value, values: Sequence[Value]) -> Values:
        """Convert the body once; return its outputs, or None if a node fails.

        Parameters
        ----------
        place
            The number of the step.
        values
            The inputs of the body.
        """
        importer = self._importer
        inner = Scope(self._outside.builder, self._outside.values, self._branch.path)
        inner.values.update(zip((one.name for one in self.graph.input), values, strict=True))
        before = len(importer.problems), len(importer.needed)
        with importer.random_state.step(place.expr):
            final = importer.run_branch(self._branch, inner)
        if final is None or before != (len(importer.problems), len(importer.needed)):
            return None
        return [final.values[output.name] for output in self.graph.output]

    @contextmanager
    def apart(self) -> Iterator[Builder]:
        """Bind the values of steps in a block of their own, of which this gives the builder."""
        outer = self._outside.builder
        self._outside.builder = relay.builder()
        try:
            yield self._outside.builder
        finally:
            self._outside.builder = outer

    def emit(self, expr: RelayExpr) -> RelayExpr:
        """Bind an expression to a variable."""
        return self._outside.builder.emit(expr, "", self._span)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Keep neither the values of steps nor the problems of their nodes."""
        with self._importer.apart(), self.apart():
            yield

    def try_step(self, place: Value, values: Sequence[Value]) -> Values:
        """Return the outputs of a step as `step` does, and keep neither nodes nor problems."""
        with self.trial():
            return self.step(place, values)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Remove the values of steps if these turn out to be not unrolled."""
        before = self._outside.builder.bindings
        try:
            yield
        except NotUnrolled:
            self._outside.builder.bindings = before
            raise


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


def check_counts(body: onnx.GraphProto, inputs: int, outputs: int) -> None:
    """Check the number of inputs of a body, and that it has as many outputs or more.

    Raises
    ------
    Refused
        If they differ.
    """
    if len(body.input) != inputs or len(body.output) < outputs:
        raise Refused(
            f"a body of {len(body.input)} inputs and {len(body.output)} outputs, which must be "
            f"{inputs} and at least {outputs}"
        )


def given(node: Node, place: int) -> Value:
    """Return an input that must be there."""
    node.input(place)
    value = node.values[place]
    assert value is not None
    return value


class NotUnrolled(Exception):
    """The steps of a loop are not known, or too many, for the reason that it holds."""

    def __init__(self, reason: Refused | UnknownElements) -> None:
        super().__init__(reason)
        self.reason = reason


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
        count = given_count(node) if has_count else None
        length = None if count is None else length_of(count)
        if stacks and count is not None and condition is not None:
            condition = None if holds_up_to(body, count, condition, carried) else condition
        if stacks and (length is None or not (condition is None or is_true(condition))):
            raise error.reason from None

    def step(place: Value, values: list[Value]) -> StepValues | None:
        # A step runs only if the condition holds.
        return loop_step(body, [place, Value(None, np.array(True)), *values], condition)

    most = body.emit(relay.reshape(node.input(0), [])) if has_count else None
    ends = Ends(most, condition, length)
    if condition is not None and isinstance(length, int) and length <= MOST_NESTED and not stacks:
        check_unrolled(body.graph, length)
        if not is_repeated(body, ends, carried, step):
            return nest(body, step, condition, carried, length)
    return repeat(body, ends, carried, stacks, step)


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
    elements = node.known(0)
    found = None if elements is None or elements.size != 1 else elements.reshape(-1).tolist()[0]
    return found if isinstance(found, int | PrimExpr) else None


def length_of(count: Dim) -> Dim:
    """Return the number of steps for a trip count, which may be negative."""
    if isinstance(count, int):
        return max(count, 0)
    length: PrimExpr = greatest(count, 0)
    return length


def check_unrolled(body: onnx.GraphProto, steps: int) -> None:
    """Check that so many steps have not too many nodes.

    Raises
    ------
    NotUnrolled
        If they have.
    """
    if steps * sum(1 for _ in all_nodes(body.node)) > MOST_NODES:
        raise NotUnrolled(Refused(f"a loop that unrolls to more than {MOST_NODES:,} nodes"))


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


def joined(
    node: Node, outputs: Sequence[RelayExpr], axis: int, others: Sequence[Value | None]
) -> Value:
    """Return the outputs of all steps along a new axis.

    Raises
    ------
    Refused
        If there is no step, so that the shape is not known.
    """
    if not outputs:
        raise Refused("a loop without steps, whose outputs have no shape")
    parts = [relay.expand_dims(one, [axis]) for one in outputs]
    whole = node.bind(relay.concatenate(parts, axis=axis))
    every = [*node.values, *others]
    inputs = frozenset[str]().union(*(one.inputs for one in every if one is not None))
    return Value(whole, None, inputs)


def steps_of_scan(node: Node, body: Body) -> Values:
    """Return the outputs of a `Scan`, or None if a node of the body fails.

    Raises
    ------
    Refused
        If its inputs have different lengths, or its steps are neither unrolled nor those of a
        `While`.
    """
    if node.opset < 9:
        raise Refused("a `Scan` of opset 8, which has batches")
    scanned = node.attribute("num_scan_inputs", 0)
    first = len(node.values) - scanned
    if scanned < 1 or first < 0:
        raise Refused(f"`num_scan_inputs` {scanned} of {len(node.values)} inputs")
    check_counts(body.graph, len(node.values), first)
    carried = [given(node, place) for place in range(first)]
    inputs = [Scanned(node, first + at, at) for at in range(scanned)]
    length = inputs[0].length
    if not all(structural_equal(one.length, length) for one in inputs):
        raise Refused(f"inputs of the lengths {', '.join(f'`{one.length}`' for one in inputs)}")
    count = len(body.graph.output) - first
    axes = listed(node, "scan_output_axes", count)
    backwards = listed(node, "scan_output_directions", count)
    stacks = [Stack(axis, bool(back)) for axis, back in zip(axes, backwards, strict=True)]
    try:
        return unroll_scan(node, body, carried, inputs, stacks)
    except NotUnrolled:
        pass

    steps = body.emit(size_tensor(length))

    def step(place: Value, values: list[Value]) -> StepValues | None:
        rows = [one.row(body, place.expr, steps) for one in inputs]
        found = body.step(place, [*values, *rows])
        return None if found is None else StepValues(None, found[:first], found[first:])

    return repeat(body, Ends(steps, None, length), carried, stacks, step)


def unroll_scan(
    node: Node,
    body: Body,
    carried: list[Value],
    inputs: Sequence[Scanned],
    stacks: Sequence[Stack],
) -> Values:
    """Unroll a `Scan`; return its outputs, or None if a node of the body fails.

    Raises
    ------
    NotUnrolled
        If the number of steps is symbolic, or they have too many nodes.
    """
    count = inputs[0].length
    if not isinstance(count, int):
        raise NotUnrolled(Refused(f"`{count}` steps"))
    check_unrolled(body.graph, count)
    first = len(carried)
    stacked: list[list[RelayExpr]] = [[] for _ in stacks]
    for done in range(count):
        place = Value(None, np.array(done, np.int64))
        found = body.step(place, [*carried, *(one.at(done) for one in inputs)])
        if found is None:
            return None
        carried = found[:first]
        for outputs, value in zip(stacked, found[first:], strict=True):
            outputs.append(value.expr)
    return [
        *carried,
        *(
            joined(node, outputs[::-1] if stack.is_reverse else outputs, stack.axis, carried)
            for outputs, stack in zip(stacked, stacks, strict=True)
        ),
    ]


def listed(node: Node, name: str, count: int) -> list[Any]:
    """Return an attribute with a number for each output or input; it is of zeros if missing."""
    found = list(node.attribute(name) or [0] * count)
    if len(found) != count:
        raise Refused(f"{len(found)} `{name}`, which must be {count}")
    return found


class Scanned:
    """An input of a `Scan`, of which each step gets a slice.

    Parameters
    ----------
    node
        The node.
    place
        The place of the input.
    at
        Its place among those that are scanned.

    Raises
    ------
    Refused
        If it has no such axis.
    """

    def __init__(self, node: Node, place: int, at: int) -> None:
        count = node.attribute("num_scan_inputs")
        self.node = node
        self.value = given(node, place)
        axis = listed(node, "scan_input_axes", count)[at]
        self.is_reverse = bool(listed(node, "scan_input_directions", count)[at])
        if not -rank(self.value.expr) <= axis < rank(self.value.expr):
            raise Refused(f"axis {axis} of a tensor of rank {rank(self.value.expr)}")
        self.axis = axis % rank(self.value.expr)
        self.length = dims(self.value.expr)[self.axis]

    def row(self, body: Body, place: RelayExpr, count: RelayExpr) -> Value:
        """Return the slice of a step; its number and that of all are known when it runs."""
        place = backwards(place, count) if self.is_reverse else place
        taken = relay.take(self.value.expr, place, self.axis)
        return Value(body.emit(taken), None, self.value.inputs)

    def at(self, done: int) -> Value:
        """Return the slice of a step of a known length."""
        assert isinstance(self.length, int)
        place = self.length - 1 - done if self.is_reverse else done
        part = relay.strided_slice(self.value.expr, [place], [place + 1], axes=[self.axis])
        elements = self.value.elements
        known = None if elements is None else np.take(elements, place, self.axis)
        bound = self.node.bind(relay.squeeze(part, [self.axis]))
        return Value(bound, None if known is None else np.asarray(known), self.value.inputs)


LOOPS: dict[str, Callable[[Node, Body], Values]] = {
    "Loop": steps_of_loop,
    "Scan": steps_of_scan,
}
