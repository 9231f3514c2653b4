"""One node of a graph, as the converters of operators see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import onnx

from uir_nodes.ir import PrimExpr, RelayExpr

from ..errors import Refused, SymbolicSizes
from ..tensors import Array, Dim, symbols_of
from .errors import UnknownElements
from .symbolic import Quotient, is_symbolic
from .value import NarrowValue, Value

__all__ = ["NARROW_TYPES", "Converter", "Node", "Outputs", "data_type"]

Outputs: TypeAlias = RelayExpr | Sequence[RelayExpr | None]

# The data types that `relay` has.
DATA_TYPES: dict[int, str] = {
    onnx.TensorProto.BFLOAT16: "bfloat16",
    onnx.TensorProto.BOOL: "bool",
    onnx.TensorProto.DOUBLE: "float64",
    onnx.TensorProto.FLOAT: "float32",
    onnx.TensorProto.FLOAT16: "float16",
    onnx.TensorProto.INT8: "int8",
    onnx.TensorProto.INT16: "int16",
    onnx.TensorProto.INT32: "int32",
    onnx.TensorProto.INT64: "int64",
    onnx.TensorProto.UINT8: "uint8",
    onnx.TensorProto.UINT16: "uint16",
    onnx.TensorProto.UINT32: "uint32",
    onnx.TensorProto.UINT64: "uint64",
}

# The data types of 4 bits, whose elements lie in bytes.
NARROW_TYPES: dict[int, str] = {onnx.TensorProto.INT4: "int4", onnx.TensorProto.UINT4: "uint4"}


def data_type(number: int) -> str:
    """Return the name of a data type of ONNX.

    Raises
    ------
    Refused
        If `relay` does not have it.
    """
    if number not in DATA_TYPES:
        known = number and number in onnx.TensorProto.DataType.values()
        name = onnx.TensorProto.DataType.Name(number).lower() if known else f"number {number}"
        raise Refused(f"data type {name}")
    return DATA_TYPES[number]


def value_of(attribute: onnx.AttributeProto) -> Any:
    """Return the value of an attribute."""
    if attribute.ref_attr_name:
        raise Refused(
            f"attribute `{attribute.name}` refers to an attribute of a function, outside of one"
        )
    return onnx.helper.get_attribute_value(attribute)


class Node:
    """A node with the values of its inputs; one that is left out is None.

    Parameters
    ----------
    proto
        The node.
    values
        The inputs.
    opset
        The version of the operators.
    bind
        Binds an expression that has several uses to a variable.
    """

    def __init__(
        self,
        proto: onnx.NodeProto,
        values: Sequence[Value | None],
        opset: int,
        bind: Callable[[RelayExpr], RelayExpr],
    ) -> None:
        self._proto = proto
        self.operator = proto.op_type
        self.opset = opset
        self.values = list(values)
        self.bind = bind
        self._outputs = list(proto.output)
        self._attributes = {one.name: value_of(one) for one in proto.attribute}

    def with_values(self, values: Sequence[Value | None]) -> Node:
        """Return the node with other inputs, whose conversion binds nothing."""
        return Node(self._proto, values, self.opset, lambda expr: expr)

    def with_operands(self, values: Sequence[Value | None]) -> Node:
        """Return the node with other inputs, whose conversion binds as that of this one."""
        return Node(self._proto, values, self.opset, self.bind)

    def optional(self, place: int) -> RelayExpr | None:
        """Return an input, or None if it is left out."""
        value = self._value(place)
        return None if value is None else value.expr

    def input(self, place: int) -> RelayExpr:
        """Return an input that must be there."""
        return self._given(place).expr

    def is_given(self, place: int) -> bool:
        """Return whether an input is not left out."""
        return self._value(place) is not None

    def narrow_type(self, place: int) -> str | None:
        """Return the data type of an input of 4 bits; None for every other one."""
        value = self._value(place)
        return value.dtype if isinstance(value, NarrowValue) else None

    def with_stored(self) -> Node:
        """Return the node with the bytes of those inputs that are of 4 bits."""
        return self.with_operands(
            [one.stored if isinstance(one, NarrowValue) else one for one in self.values]
        )

    def inputs(self) -> list[RelayExpr]:
        """Return all inputs of an operator with any number of them."""
        return [self.input(place) for place in range(len(self.values))]

    def elements(self, place: int) -> Array:
        """Return the elements of an input that must be known.

        Raises
        ------
        UnknownElements
            If they depend on inputs of the graph.
        """
        value = self._given(place)
        if value.elements is None:
            raise UnknownElements(value.inputs)
        return value.elements

    def known(self, place: int) -> Array | None:
        """Return the elements of an input; None if they are not known."""
        return self._given(place).elements

    def number(self, place: int) -> Any:
        """Return the only element of an input that must be known, and no symbolic dimension."""
        element = self.element(place)
        if is_symbolic(element):
            raise SymbolicSizes(f"input {place}", self._symbols(place))
        return element

    def integer(self, place: int) -> int:
        """Return the only element of an input of integers that must be known."""
        number = self.number(place)
        if not isinstance(number, int):
            raise Refused(f"input {place} must be of integers, got {number}")
        return number

    def element(self, place: int) -> Any:
        """Return the only element of an input that must be known."""
        elements = self.elements(place)
        if elements.size != 1:
            raise Refused(f"input {place} must have one element, got {elements.size}")
        return elements.reshape(-1).tolist()[0]

    def dimensions(self, place: int, attribute: str = "") -> list[Dim] | None:
        """Return an input that holds sizes, or the attribute that held it in older versions."""
        if self._value(place) is None:
            found = self._attributes.get(attribute)
            return None if found is None else list(found)
        found = self._flat(place)
        if any(isinstance(one, Quotient) for one in found):
            raise SymbolicSizes(f"input {place}, of floats,", self._symbols(place))
        return [one if isinstance(one, PrimExpr) else int(one) for one in found]

    def dimension(self, place: int) -> Dim:
        """Return the only element of an input that holds a size."""
        found = self.dimensions(place) or []
        if len(found) != 1:
            raise Refused(f"input {place} must have one element, got {len(found)}")
        return found[0]

    def integers(self, place: int, attribute: str = "") -> list[int] | None:
        """Return an input that holds axes, or the attribute that held it in older versions."""
        found = self.dimensions(place, attribute)
        numbers = None if found is None else [one for one in found if isinstance(one, int)]
        if found is not None and numbers is not None and len(numbers) < len(found):
            raise SymbolicSizes(f"input {place}", self._symbols(place))
        return numbers

    def numbers(self, place: int) -> list[float] | None:
        """Return an input that holds factors; None if it is left out or empty."""
        if self._value(place) is None or not self.elements(place).size:
            return None
        if self.elements(place).dtype == object:
            raise SymbolicSizes(f"input {place}", self._symbols(place))
        return [float(one) for one in self._flat(place)]

    def attribute(self, name: str, default: Any = None) -> Any:
        """Return an attribute; text is decoded."""
        value = self._attributes.get(name, default)
        try:
            return value.decode() if isinstance(value, bytes) else value
        except UnicodeDecodeError:
            raise Refused(f"attribute `{name}` is not UTF-8") from None

    def required(self, name: str) -> int:
        """Return an integer that must be given, of an operator that no checker knows.

        Raises
        ------
        Refused
            If it is missing, or not an integer.
        """
        value = self._attributes.get(name)
        if not isinstance(value, int):
            found = "is missing" if value is None else f"must be an integer, got {value}"
            raise Refused(f"attribute `{name}` {found}")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """Return an attribute that is 0 or 1."""
        return bool(self._attributes.get(name, default))

    def has_output(self, place: int) -> bool:
        """Return whether the node has an output."""
        return place < len(self._outputs) and bool(self._outputs[place])

    @property
    def output_count(self) -> int:
        """The number of outputs."""
        return len(self._outputs)

    def _value(self, place: int) -> Value | None:
        return self.values[place] if place < len(self.values) else None

    def _given(self, place: int) -> Value:
        value = self._value(place)
        if value is None:
            raise Refused(f"input {place} is missing")
        return value

    def _symbols(self, place: int) -> list[str]:
        """Return the names of the dimensions that the elements of an input depend on."""
        elements = (
            one.numerator if isinstance(one, Quotient) else one for one in self._flat(place)
        )
        return symbols_of([one for one in elements if isinstance(one, PrimExpr)])

    def _flat(self, place: int) -> list[Any]:
        return list(self.elements(place).reshape(-1))


Converter: TypeAlias = Callable[[Node], Outputs]
