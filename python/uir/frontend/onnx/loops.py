"""`Loop` and `Scan`: loops of a known number of steps are unrolled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import onnx

from uir_nodes.ir import RelayExpr

from ... import relay
from ..errors import Refused, SymbolicSizes
from ..tensors import dims, rank, symbols_of
from .functions import all_nodes
from .node import Node
from .value import Value

__all__ = ["LOOPS", "Step"]

# The nodes of a body times the number of steps.
MOST_NODES = 10_000

# Runs a body: from the values of its inputs to those of its outputs; None if a node fails.
Step: TypeAlias = Callable[[Sequence[Value]], "list[Value] | None"]


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


def convert_loop(node: Node, body: onnx.GraphProto, step: Step) -> list[Value] | None:
    """Unroll a `Loop`; return its outputs, or None if a node of the body fails.

    Raises
    ------
    Refused
        If the number of steps is not known, the condition depends on inputs, or there are too many
        nodes.
    """
    if node.optional(0) is None:
        raise Refused("a loop without a trip count")
    count, has_condition = node.integer(0), node.optional(1) is not None
    carried = [given(node, place) for place in range(2, len(node.values))]
    check_counts(body, 2 + len(carried), 1 + len(carried))
    if not has_condition:
        check_size(body, count)
    stacked: list[list[RelayExpr]] = [[] for _ in body.output[1 + len(carried) :]]
    goes_on = not has_condition or bool(node.number(1))
    done = 0
    while goes_on and done < count:
        check_size(body, done + 1)
        flags = [Value(None, np.array(done, np.int64)), Value(None, np.array(True))]
        found = step([*flags, *carried])
        if found is None:
            return None
        done += 1
        goes_on = not has_condition or done == count or is_true(found[0])
        carried = found[1 : 1 + len(carried)]
        for outputs, value in zip(stacked, found[1 + len(carried) :], strict=True):
            outputs.append(value.expr)
    return [*carried, *(joined(node, one, 0, carried) for one in stacked)]


def is_true(condition: Value) -> bool:
    """Return a condition that must be known.

    Raises
    ------
    Refused
        If it is not.
    """
    elements = condition.elements
    if elements is None or elements.dtype != bool or elements.size != 1:
        raise Refused("a condition that is not known during the import")
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


def convert_scan(node: Node, body: onnx.GraphProto, step: Step) -> list[Value] | None:
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
    check_counts(body, len(node.values), first)
    carried = [given(node, place) for place in range(first)]
    inputs = [Scanned(node, first + at, at) for at in range(scanned)]
    lengths = {one.length for one in inputs}
    if len(lengths) != 1:
        raise Refused(f"inputs of the lengths {sorted(lengths)}")
    (count,) = lengths
    check_size(body, count)
    stacked: list[list[RelayExpr]] = [[] for _ in body.output[first:]]
    for done in range(count):
        found = step([*carried, *(one.at(done) for one in inputs)])
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


LOOPS: dict[str, Callable[[Node, onnx.GraphProto, Step], list[Value] | None]] = {
    "Loop": convert_loop,
    "Scan": convert_scan,
}
