"""`Loop` and `Scan`: loops of a known number of steps are unrolled.

A `Loop` whose condition depends on elements of inputs becomes an `If` for each step, inside that of
the step before. Then its greatest number of steps is known, and small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import onnx

from uir_nodes.ir import RelayExpr, SourceName, Span
from uir_nodes.relay import Block, If, Tuple

from ... import relay
from ...ir import structural_equal
from ..errors import Refused, SymbolicSizes
from ..tensors import dims, dtype_of, rank, symbols_of
from .errors import UnknownElements
from .expansion import Origin
from .functions import all_nodes
from .node import Node
from .scopes import Branch, Scope
from .value import Value

if TYPE_CHECKING:
    from .importer import Importer

__all__ = ["LOOPS", "convert_loop"]

# The nodes of a body times the number of steps.
MOST_NODES = 10_000

# The steps of a loop that its condition may end early, which are nested.
MOST_NESTED = 64

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

    def step(self, values: Sequence[Value]) -> Values:
        """Convert the body once; return its outputs, or None if a node fails.

        Parameters
        ----------
        values
            Its inputs.
        """
        importer = self._importer
        inner = Scope(self._outside.builder, self._outside.values, self._branch.path)
        inner.values.update(zip((one.name for one in self.graph.input), values, strict=True))
        before = len(importer.problems), len(importer.needed)
        final = importer.run_branch(self._branch, inner)
        if final is None or before != (len(importer.problems), len(importer.needed)):
            return None
        return [final.values[output.name] for output in self.graph.output]

    def choose(
        self, condition: Value, inside: Callable[[], Values], otherwise: list[Value]
    ) -> Values:
        """Return the values of an `If`.

        Parameters
        ----------
        condition
            Its condition.
        inside
            Converts the values for the case that the condition holds; None if a node fails.
        otherwise
            Its values if the condition does not hold.

        Raises
        ------
        Refused
            If the types of both differ.
        """
        outer = self._outside.builder
        self._outside.builder = relay.builder()
        try:
            found = inside()
            if found is None:
                return None
            then = self._outside.builder.make_block(Tuple([one.expr for one in found]))
        finally:
            self._outside.builder = outer
        other = Block([], Tuple([one.expr for one in otherwise]))
        types = [block.result.checked_type for block in (then, other)]
        if not structural_equal(*types):
            raise Refused(f"steps that change types, from `{types[1]}` to `{types[0]}`")
        flag = relay.reshape(condition.expr, [])
        whole = outer.emit(If(flag, then, other), "", self._span)
        inputs = condition.inputs.union(*(one.inputs for one in (*found, *otherwise)))
        return [Value(outer.emit(field, "", self._span), None, inputs) for field in whole]


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


def check_size(body: onnx.GraphProto, steps: int) -> None:
    """Check that a loop has not too many nodes after it is unrolled.

    Raises
    ------
    Refused
        If it has.
    """
    if steps * sum(1 for _ in all_nodes(body.node)) > MOST_NODES:
        raise Refused(f"a loop that unrolls to more than {MOST_NODES:,} nodes")


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


def unroll_loop(node: Node, body: Body) -> Values:
    """Unroll a `Loop`; return its outputs, or None if a node of the body fails.

    Raises
    ------
    Refused
        If the number of steps is not known, or there are too many nodes.
    UnknownElements
        If the number depends on elements of inputs.
    """
    has_count, has_condition = node.optional(0) is not None, node.optional(1) is not None
    if not has_count and not has_condition:
        raise Refused("a loop without a trip count and a condition")
    count = max(node.integer(0), 0) if has_count else None
    carried = [given(node, place) for place in range(2, len(node.values))]
    check_counts(body.graph, 2 + len(carried), 1 + len(carried))
    if count is not None and not has_condition:
        check_size(body.graph, count)
    stacked: list[list[RelayExpr]] = [[] for _ in body.graph.output[1 + len(carried) :]]
    condition: Condition = given(node, 1) if has_condition else None
    done = 0
    while done != count:
        goes_on = known_flag(condition)
        if goes_on is None:
            check_nesting(condition, bool(stacked), done, count)
            return nested_steps(body, condition, carried, done, count)
        if not goes_on:
            break
        check_size(body.graph, done + 1)
        found = body.step([*step_inputs(done), *carried])
        if found is None:
            return None
        done += 1
        condition = found[0] if has_condition else None
        carried = found[1 : 1 + len(carried)]
        for outputs, value in zip(stacked, found[1 + len(carried) :], strict=True):
            outputs.append(value.expr)
    return [*carried, *(joined(node, one, 0, carried) for one in stacked)]


def check_nesting(condition: Condition, is_stacked: bool, done: int, count: int | None) -> None:
    """Check that steps may be nested from here on, where a condition is not known.

    Raises
    ------
    UnknownElements
        If they may not, and the condition is an input of the loop, which may be a constant.
    Refused
        If they may not, and it is an output of a step.
    """
    reason = ""
    if is_stacked:
        reason = "outputs of steps whose number depends on elements of inputs"
    elif count is None or count - done > MOST_NESTED:
        steps = "any number of" if count is None else f"up to {count - done:,}"
        reason = f"a condition that depends on elements of inputs, and {steps} steps"
    if reason and done == 0 and condition is not None:
        raise UnknownElements(condition.inputs)
    if reason:
        raise Refused(reason)


def nested_steps(
    body: Body, condition: Condition, carried: list[Value], done: int, count: int | None
) -> Values:
    """Return the carried values after the rest of the steps, each inside of the one before."""
    if done == count:
        return carried

    def inside() -> Values:
        found = body.step([*step_inputs(done), *carried])
        if found is None:
            return None
        return nested_steps(body, found[0], found[1 : 1 + len(carried)], done + 1, count)

    goes_on = known_flag(condition)
    if condition is None or goes_on is not None:
        return inside() if goes_on else carried
    return body.choose(condition, inside, carried)


def step_inputs(done: int) -> list[Value]:
    """Return the first two inputs of a body: the number of the step, and that it runs."""
    return [Value(None, np.array(done, np.int64)), Value(None, np.array(True))]


def known_flag(condition: Condition) -> bool | None:
    """Return a condition, which holds if there is none; None if it depends on inputs.

    Raises
    ------
    Refused
        If it is not a boolean of one element.
    """
    if condition is None:
        return True
    elements = condition.elements
    if elements is None:
        if dtype_of(condition.expr) != "bool" or any(size != 1 for size in dims(condition.expr)):
            raise Refused(f"a condition of the type `{condition.expr.checked_type}`")
        return None
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


def unroll_scan(node: Node, body: Body) -> Values:
    """Unroll a `Scan`; return its outputs, or None if a node of the body fails.

    Raises
    ------
    Refused
        If the number of steps is not known, or there are too many nodes.
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
    lengths = {one.length for one in inputs}
    if len(lengths) != 1:
        raise Refused(f"inputs of the lengths {sorted(lengths)}")
    (count,) = lengths
    check_size(body.graph, count)
    stacked: list[list[RelayExpr]] = [[] for _ in body.graph.output[first:]]
    for done in range(count):
        found = body.step([*carried, *(one.at(done) for one in inputs)])
        if found is None:
            return None
        carried = found[:first]
        for outputs, value in zip(stacked, found[first:], strict=True):
            outputs.append(value.expr)
    axes = listed(node, "scan_output_axes", len(stacked))
    backwards = listed(node, "scan_output_directions", len(stacked))
    return [
        *carried,
        *(
            joined(node, outputs[::-1] if is_reverse else outputs, axis, carried)
            for outputs, axis, is_reverse in zip(stacked, axes, backwards, strict=True)
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
    SymbolicSizes
        If its length is symbolic.
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
        length = dims(self.value.expr)[self.axis]
        if not isinstance(length, int):
            raise SymbolicSizes("the number of steps", symbols_of([length]))
        self.length = length

    def at(self, done: int) -> Value:
        """Return the slice of a step."""
        place = self.length - 1 - done if self.is_reverse else done
        part = relay.strided_slice(self.value.expr, [place], [place + 1], axes=[self.axis])
        elements = self.value.elements
        known = None if elements is None else np.take(elements, place, self.axis)
        bound = self.node.bind(relay.squeeze(part, [self.axis]))
        return Value(bound, None if known is None else np.asarray(known), self.value.inputs)


LOOPS: dict[str, Callable[[Node, Body], Values]] = {
    "Loop": unroll_loop,
    "Scan": unroll_scan,
}
