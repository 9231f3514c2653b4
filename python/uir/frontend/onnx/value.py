"""The values of a graph."""

from __future__ import annotations

from collections.abc import Sequence

import onnx
from onnx import numpy_helper

from uir_nodes.ir import RelayExpr
from uir_nodes.relay import Tuple

from ... import relay
from ...runtime import as_array
from ..errors import Refused
from ..tensors import Array

__all__ = ["Absent", "NarrowValue", "SequenceValue", "Value"]


class Value:
    """A value of a graph: its expression, its elements if they are known, and its inputs.

    The elements of a constant are in memory once, whether they or the expression are asked for.

    Parameters
    ----------
    expr
        The expression; None for a constant of the elements.
    elements
        The elements, if they are known: an array, or a tensor of a model, which is read when they
        are needed. An array of data type `object` has symbolic dimensions among them.
    inputs
        The names of the inputs of the graph that it depends on.
    """

    def __init__(
        self,
        expr: RelayExpr | None,
        elements: Array | onnx.TensorProto | None = None,
        inputs: frozenset[str] = frozenset(),
    ) -> None:
        self._expr = expr
        self._elements = elements
        self.inputs = inputs

    @property
    def elements(self) -> Array | None:
        """The elements, if they are known."""
        if isinstance(self._elements, onnx.TensorProto):
            self._elements = numpy_helper.to_array(self._elements)
        return self._elements

    @property
    def expr(self) -> RelayExpr:
        """The expression."""
        if self._expr is None:
            assert self.elements is not None
            constant = relay.const(self.elements)
            self._expr, self._elements = constant, as_array(constant.data)
        return self._expr


class SequenceValue(Value):
    """A sequence of tensors, whose length is known; its expression is their tuple.

    Parameters
    ----------
    parts
        The tensors.
    dtype
        The data type of their elements; None if it is not known, as there are none.
    inputs
        The names of the inputs of the graph that it depends on.
    """

    def __init__(
        self, parts: Sequence[Value], dtype: str | None, inputs: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(None, None, inputs)
        self.parts = list(parts)
        self.dtype = dtype

    @property
    def expr(self) -> RelayExpr:
        """The tuple of the tensors."""
        return Tuple([part.expr for part in self.parts])


class NarrowValue(Value):
    """A tensor of int4 or uint4, each of whose elements lies in a byte.

    Only operators that know of 4 bits take it, by `stored`: for others, whose results may leave the
    range, it is a tensor of a data type that `relay` does not have.

    Parameters
    ----------
    stored
        The tensor of int8 or uint8.
    dtype
        The data type, `int4` or `uint4`.
    """

    def __init__(self, stored: Value, dtype: str) -> None:
        super().__init__(None, None, stored.inputs)
        self.stored = stored
        self.dtype = dtype

    @property
    def elements(self) -> Array | None:
        """Nothing, as `stored` has the elements."""
        return None

    @property
    def expr(self) -> RelayExpr:
        """None; asking for it raises `Refused`."""
        raise Refused(f"data type {self.dtype}")


class Absent(Value):
    """An optional value that holds nothing."""

    def __init__(self) -> None:
        super().__init__(None)

    @property
    def expr(self) -> RelayExpr:
        """None; asking for it raises `Refused`."""
        raise Refused("an optional value that holds nothing")
