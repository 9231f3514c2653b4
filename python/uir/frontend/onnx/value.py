"""The values of a graph."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from ... import relay
from ..tensors import Array

__all__ = ["Value"]


class Value:
    """A value of a graph: its expression, its elements if they are known, and its inputs.

    Parameters
    ----------
    expr
        The expression; None for a constant of the elements.
    elements
        The elements, if they are known. An array of data type `object` has symbolic dimensions
        among them.
    inputs
        The names of the inputs of the graph that it depends on.
    """

    def __init__(
        self,
        expr: RelayExpr | None,
        elements: Array | None = None,
        inputs: frozenset[str] = frozenset(),
    ) -> None:
        self._expr = expr
        self.elements = elements
        self.inputs = inputs

    @property
    def expr(self) -> RelayExpr:
        """The expression."""
        if self._expr is None:
            assert self.elements is not None
            self._expr = relay.const(self.elements)
        return self._expr
