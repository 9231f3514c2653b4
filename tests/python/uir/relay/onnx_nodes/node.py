"""One node of an ONNX graph: its inputs as arrays, its attributes as plain values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx

Array = np.ndarray[Any, np.dtype[Any]]
Outputs = Array | Sequence[Array | None]


class Refused(Exception):
    """What the operators of relay do not express; the text names it."""


class Node:
    """A node with the values of its inputs; one that is left out is None."""

    def __init__(self, proto: onnx.NodeProto, inputs: Sequence[Array | None], opset: int) -> None:
        self.proto = proto
        self.inputs = list(inputs)
        self.opset = opset
        self.outputs = list(proto.output)
        self._attributes = {
            attribute.name: onnx.helper.get_attribute_value(attribute)
            for attribute in proto.attribute
        }

    def optional(self, place: int) -> Array | None:
        """Return an input, or None if it is left out."""
        return self.inputs[place] if place < len(self.inputs) else None

    def input(self, place: int) -> Array:
        """Return an input that must be there."""
        value = self.optional(place)
        assert value is not None, f"{self.proto.op_type} lacks input {place}"
        return value

    def integers(self, place: int, attribute: str = "") -> list[int] | None:
        """Return an input that holds shapes or axes, or the attribute it was in older opsets."""
        value = self.optional(place)
        if value is None:
            found = self._attributes.get(attribute)
            return None if found is None else list(found)
        return [int(element) for element in value.reshape(-1)]

    def attribute(self, name: str, default: Any = None) -> Any:
        """Return an attribute; text is decoded."""
        value = self._attributes.get(name, default)
        return value.decode() if isinstance(value, bytes) else value

    def has_output(self, place: int) -> bool:
        """Whether the graph uses an output."""
        return place < len(self.outputs) and bool(self.outputs[place])


Run = Callable[[Node], Outputs]


def scalar(value: float, like: Array) -> Array:
    """Return a number as a tensor of rank 0, of the data type of another tensor."""
    return np.array(value, like.dtype)
