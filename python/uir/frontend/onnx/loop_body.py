"""The body of a loop, and the checks of its steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

import onnx

from uir_nodes.ir import RelayExpr, SourceName, Span
from uir_nodes.relay import Builder

from ... import relay
from ..errors import Refused
from .errors import UnknownElements
from .expansion import Origin
from .functions import all_nodes
from .node import Node
from .scopes import Branch, Scope
from .value import Value

if TYPE_CHECKING:
    from .importer import Importer

__all__ = ["Body", "NotUnrolled", "Values", "check_counts", "check_unrolled", "given", "joined"]

# The nodes of a body times the number of steps.
MOST_NODES = 10_000

Values: TypeAlias = "list[Value] | None"


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


class NotUnrolled(Exception):
    """The steps of a loop are not known, or too many, for the reason that it holds."""

    def __init__(self, reason: Refused | UnknownElements) -> None:
        super().__init__(reason)
        self.reason = reason


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


def check_unrolled(body: onnx.GraphProto, steps: int) -> None:
    """Check that so many steps have not too many nodes.

    Raises
    ------
    NotUnrolled
        If they have.
    """
    if steps * sum(1 for _ in all_nodes(body.node)) > MOST_NODES:
        raise NotUnrolled(Refused(f"a loop that unrolls to more than {MOST_NODES:,} nodes"))


def given(node: Node, place: int) -> Value:
    """Return an input that must be there."""
    node.input(place)
    value = node.values[place]
    assert value is not None
    return value


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
