"""The steps of a `Scan`: unrolled if their number is known and small, else those of a `While`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from uir_nodes.ir import RelayExpr

from ... import relay
from ...ir import structural_equal
from ..errors import Refused
from ..tensors import dims, rank, size_tensor
from .loop_body import Body, NotUnrolled, Values, check_counts, check_unrolled, given, joined
from .node import Node
from .value import Value
from .while_loops import Ends, Stack, StepValues, backwards, repeat

__all__ = ["steps_of_scan"]


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
