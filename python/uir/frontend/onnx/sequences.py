"""Sequences and optional values, as far as they are known during the import.

A sequence is a list of values of the importer, and an optional value is the one that it holds or
`Absent`; no node of `relay` stands for either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, takewhile
from typing import Any, TypeAlias

import numpy as np
import onnx

from uir_nodes.ir import RelayExpr, TupleType
from uir_nodes.relay import Constant

from ..errors import Refused, SymbolicSizes
from ..tensors import Array, Dim, dims, dtype_of, rank, symbols_of
from .known import elements_of
from .narrow_tensors import narrow_result
from .node import Node, data_type
from .operators import converters, is_own
from .operators.quantization import quantize_narrow
from .value import Absent, NarrowValue, SequenceValue, Value

__all__ = ["OF_VALUES", "converter_of_values", "grouped", "named_tensors"]

# The tensors of a sequence.
MOST_PARTS = 10_000

ConverterOfValues: TypeAlias = Callable[[Node], Value]


def converter_of_values(proto: onnx.NodeProto, node: Node) -> ConverterOfValues | None:
    """Return the converter of a node of sequences or optional values; None if it has none."""
    if not is_own(proto.domain):
        return None
    others = SequenceValue | Absent | NarrowValue
    if proto.op_type == "Identity" and isinstance(given(node, 0), others):
        return lambda node: given(node, 0)
    if proto.op_type == "QuantizeLinear" and narrow_result(node):
        return quantize_narrow
    return CONVERTERS.get(proto.op_type)


def named_tensors(outputs: Sequence[tuple[str, Value]]) -> list[tuple[str, RelayExpr]]:
    """Return the outputs of a function and their names: those of a sequence `y` are `y.0` and on.

    Parameters
    ----------
    outputs
        The names and values of the outputs of a graph.

    Raises
    ------
    Refused
        If an output is an optional value that holds nothing, there is no tensor at all, or names
        of tensors of a sequence are those of other outputs.
    """
    values = {name: as_sequence(value) for name, value in outputs}
    found = [pair for name, _ in outputs for pair in tensors_of(name, values[name])]
    if not found:
        raise Refused("sequences without tensors, and no other output")
    clash = next((name for name in values if is_part(name, values)), None)
    if clash is not None:
        raise Refused(f"the name `{clash}`, which a tensor of a sequence has")
    return found


def tensors_of(name: str, value: Value) -> list[tuple[str, RelayExpr]]:
    """Return the tensors of an output, each after its name."""
    if not isinstance(value, SequenceValue):
        return [(name, value.expr)]
    return [(f"{name}.{place}", part.expr) for place, part in enumerate(value.parts)]


def is_part(name: str, outputs: Mapping[str, Value]) -> bool:
    """Return whether a name could be that of a tensor of a sequence."""
    whole, dot, place = name.rpartition(".")
    return bool(dot) and place.isdigit() and isinstance(outputs.get(whole), SequenceValue)


def grouped(names: Sequence[str], found: Sequence[Array], outputs: Sequence[str]) -> Iterator[Any]:
    """Yield the outputs of a graph, those of sequences as lists.

    Parameters
    ----------
    names
        The names of the outputs of a function, which `named_tensors` has made.
    found
        These outputs.
    outputs
        The names of the outputs of the graph.
    """
    by_name: dict[str, Array] = dict(zip(names, found, strict=True))
    for output in outputs:
        if output in by_name:
            yield by_name[output]
        else:
            parts = (by_name.get(f"{output}.{place}") for place in count())
            yield list(takewhile(lambda part: part is not None, parts))


def given(node: Node, place: int) -> Value:
    """Return an input that must be there."""
    value = node.values[place] if place < len(node.values) else None
    if value is None:
        raise Refused(f"input {place} is missing")
    return as_sequence(value)


def as_sequence(value: Value) -> Value:
    """Return a tuple, as an `If` of sequences has it, as a sequence, and other values as they are.

    Raises
    ------
    Refused
        If a part of the tuple is not a tensor.
    """
    if isinstance(value, SequenceValue | Absent | NarrowValue):
        return value
    if not isinstance(value.expr.checked_type, TupleType):
        return value
    parts = [Value(field, None, value.inputs) for field in value.expr]
    dtypes = [dtype_of(part.expr) for part in parts]
    return SequenceValue(parts, dtypes[0] if dtypes else None, value.inputs)


def sequence(node: Node) -> SequenceValue:
    """Return the first input, which must be a sequence."""
    value = given(node, 0)
    if isinstance(value, SequenceValue):
        return value
    raise Refused("input 0 is not a sequence")


def tensor(node: Node, place: int) -> Value:
    """Return an input that must be a tensor."""
    value = given(node, place)
    dims(value.expr)
    return value


def made(node: Node, parts: Sequence[Value], dtype: str | None) -> SequenceValue:
    """Return a sequence of tensors, which have one data type.

    Raises
    ------
    Refused
        If one has another data type, or they are too many.
    """
    if len(parts) > MOST_PARTS:
        raise Refused(f"a sequence of more than {MOST_PARTS:,} tensors")
    for found in (dtype_of(part.expr) for part in parts):
        dtype = dtype or found
        if found != dtype:
            raise Refused(f"a tensor of {found} in a sequence of {dtype}")
    return SequenceValue(parts, dtype, inputs_of(node))


def inputs_of(node: Node) -> frozenset[str]:
    """Return the names of the inputs of the graph that a node depends on."""
    return frozenset[str]().union(*(one.inputs for one in node.values if one is not None))


def place_in(node: Node, place: int, end: int) -> int:
    """Return an input that is an index from the front, or a negative one from the end.

    Raises
    ------
    Refused
        If it is not below `end`, or before the front.
    UnknownElements
        If it depends on inputs of the graph.
    """
    length, found = len(sequence(node).parts), node.integer(place)
    if not -length <= found < end:
        raise Refused(f"the index {found} of a sequence of {length} tensors")
    return found + length if found < 0 else found


def empty(node: Node) -> Value:
    """Return a sequence without tensors."""
    return made(node, [], data_type(node.attribute("dtype", onnx.TensorProto.FLOAT)))


def construct(node: Node) -> Value:
    """Return the sequence of the inputs."""
    parts = [tensor(node, place) for place in range(len(node.values))]
    return made(node, parts, dtype_of(tensor(node, 0).expr))


def at(node: Node) -> Value:
    """Return the tensor at an index, with its own elements if they are known."""
    whole = sequence(node)
    return whole.parts[place_in(node, 1, len(whole.parts))]


def insert(node: Node) -> Value:
    """Return the sequence with a tensor before an index, or at the end."""
    whole, value, length = sequence(node), tensor(node, 1), len(sequence(node).parts)
    place = place_in(node, 2, length + 1) if node.optional(2) is not None else length
    return made(node, [*whole.parts[:place], value, *whole.parts[place:]], whole.dtype)


def erase(node: Node) -> Value:
    """Return the sequence without the tensor at an index, or without the last one."""
    whole, length = sequence(node), len(sequence(node).parts)
    place = place_in(node, 1, length) if node.optional(1) is not None else length - 1
    if place < 0:
        raise Refused("an empty sequence, of which nothing can be erased")
    return made(node, [*whole.parts[:place], *whole.parts[place + 1 :]], whole.dtype)


def length_of(node: Node) -> Value:
    """Return the number of tensors."""
    return Value(None, np.array(len(sequence(node).parts), np.int64))


def split(node: Node) -> Value:
    """Cut along an axis: by lengths, into parts of one length, or at each place."""
    x, axis = tensor(node, 0), node.attribute("axis", 0)
    if not -rank(x.expr) <= axis < rank(x.expr):
        raise Refused(f"axis {axis} of a tensor of rank {rank(x.expr)}")
    lengths = lengths_of_parts(node, dims(x.expr)[axis])
    number = 0 if lengths.elements is None else lengths.elements.size
    if not 0 < number <= MOST_PARTS:
        raise Refused(f"a tensor that is cut into {number:,} parts")
    parts = applied(node, "Split", [x, lengths], number, axis=axis)
    if node.optional(1) is None and not node.flag("keepdims", True):
        parts = [applied(node, "Squeeze", [part, vector(axis)])[0] for part in parts]
    return made(node, parts, dtype_of(x.expr))


def lengths_of_parts(node: Node, size: Dim) -> Value:
    """Return the lengths of the parts of an axis.

    Raises
    ------
    SymbolicSizes
        If the number of parts depends on a symbolic size.
    UnknownElements
        If it depends on inputs of the graph.
    """
    whole = node.optional(1)
    if whole is not None and rank(whole):
        node.elements(1)
        return given(node, 1)
    if not isinstance(size, int):
        raise SymbolicSizes("the number of parts", symbols_of([size]))
    step = 1 if whole is None else node.integer(1)
    if step < 1:
        raise Refused(f"parts of the length {step}")
    return vector(*(min(step, size - start) for start in range(0, size, step)))


def vector(*numbers: int) -> Value:
    """Return a vector of sizes or axes."""
    return Value(None, np.array(numbers, np.int64))


def concatenate(node: Node) -> Value:
    """Join the tensors along an axis, or along a new one."""
    parts, axis = sequence(node).parts, node.required("axis")
    if not parts:
        raise Refused("an empty sequence, whose tensors have no shape")
    if node.flag("new_axis"):
        parts = [applied(node, "Unsqueeze", [part, vector(axis)])[0] for part in parts]
    return applied(node, "Concat", parts, axis=axis)[0]


def applied(
    node: Node, operator: str, values: Sequence[Value], outputs: int = 1, **attributes: Any
) -> list[Value]:
    """Return the outputs of another operator, with their known elements.

    Parameters
    ----------
    node
        The node that it is a part of.
    operator
        The operator.
    values
        Its inputs.
    outputs
        The number of its outputs.
    attributes
        Its attributes.
    """
    proto = onnx.helper.make_node(operator, ["x"] * len(values), ["y"] * outputs, **attributes)
    inner, convert = Node(proto, values, node.opset, node.bind), converters()[operator]
    found = convert(inner)
    fields = [one for one in (found if isinstance(found, Sequence) else [found]) if one is not None]
    known = elements_of(inner, convert, fields)
    inputs = inputs_of(node)
    return [
        Value(one if isinstance(one, Constant) else node.bind(one), elements, inputs)
        for one, elements in zip(fields, known, strict=True)
    ]


def optional(node: Node) -> Value:
    """Return the value that an optional value holds, or that it holds nothing."""
    return given(node, 0) if node.values and node.values[0] is not None else Absent()


def has_element(node: Node) -> Value:
    """Return whether an optional value holds one."""
    is_there = bool(node.values) and not isinstance(node.values[0], Absent | None)
    return Value(None, np.array(is_there))


def get_element(node: Node) -> Value:
    """Return the value that an optional value holds."""
    value = given(node, 0)
    if isinstance(value, Absent):
        raise Refused("an optional value that holds nothing")
    return value


CONVERTERS: dict[str, ConverterOfValues] = {
    "ConcatFromSequence": concatenate,
    "Optional": optional,
    "OptionalGetElement": get_element,
    "OptionalHasElement": has_element,
    "SequenceAt": at,
    "SequenceConstruct": construct,
    "SequenceEmpty": empty,
    "SequenceErase": erase,
    "SequenceInsert": insert,
    "SequenceLength": length_of,
    "SplitToSequence": split,
}

# The operators that this module converts.
OF_VALUES = tuple(CONVERTERS)
