"""The nodes of a model, with the maker and the readers of each value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

from ..frontend.onnx.functions import all_nodes, inline_functions
from ..frontend.onnx.model import Model, opset_of, read_model
from ..frontend.onnx.operators import is_own
from ..frontend.tensors import Array

__all__ = ["Graph", "Names", "attribute", "inputs_of", "read_graph"]

# From it on, scales may differ along an axis.
OPSET = 13


class Graph:
    """The graph of a model, without the graphs that are attributes of its nodes.

    Attributes
    ----------
    model
        The model, which nothing changes.
    nodes
        Its nodes, in order.
    names
        A distinct name for each node: its own, else that of its operator and its place.
    constants
        The values that are known: initializers, and those of `Constant` nodes.
    makers
        The place of the node that makes a value.
    readers
        The places of the nodes that read a value, also in graphs that are their attributes.
    outputs
        The results of the model.
    """

    def __init__(self, model: onnx.ModelProto) -> None:
        self.model = model
        graph = model.graph
        self.nodes = list(graph.node)
        self.names = list(distinct_names(self.nodes))
        self.constants = dict(constants_of(graph))
        self.makers = {
            name: place for place, node in enumerate(self.nodes) for name in node.output if name
        }
        self.readers: dict[str, list[int]] = {}
        for place, node in enumerate(self.nodes):
            for name in dict.fromkeys(inputs_of(node)):
                self.readers.setdefault(name, []).append(place)
        self.outputs = [one.name for one in graph.output]

    @cached_property
    def types(self) -> dict[str, onnx.TypeProto.Tensor]:
        """The data types and shapes of values, as far as ONNX infers them."""
        try:
            graph = onnx.shape_inference.infer_shapes(self.model).graph
        except (ValueError, RuntimeError, onnx.shape_inference.InferenceError):
            graph = self.model.graph  # A model of more than 2 GB, or types that contradict.
        infos = (*graph.input, *graph.value_info, *graph.output)
        return {one.name: one.type.tensor_type for one in infos if one.type.HasField("tensor_type")}

    def is_float(self, name: str) -> bool:
        """Return whether a value is known to be of float32."""
        found = self.types.get(name)
        return found is not None and found.elem_type == onnx.TensorProto.FLOAT

    def weights(self, node: onnx.NodeProto, place: int) -> Array | None:
        """Return an input of a node if it is a constant of float32, which all layers need."""
        if len(node.input) <= place:
            return None
        found = self.constants.get(node.input[place])
        return found if found is not None and found.dtype == np.float32 else None

    def only_reader(self, name: str) -> int | None:
        """Return the place of the one node that reads a value; None if there are others."""
        readers = self.readers.get(name, [])
        is_read_once = len(readers) == 1 and name not in self.outputs
        # A graph that is an attribute reads the value under its name.
        if not is_read_once or name not in self.nodes[readers[0]].input:
            return None
        return readers[0]


class Names:
    """Makes names that no value of a graph has.

    Parameters
    ----------
    graph
        The graph.
    """

    def __init__(self, graph: Graph) -> None:
        self._taken = {*graph.constants, *graph.makers, *graph.readers, *graph.outputs}

    def fresh(self, name: str) -> str:
        """Return a name, with a number if it is taken, and take it."""
        found, count = name, 0
        while found in self._taken:
            count += 1
            found = f"{name}_{count}"
        self._taken.add(found)
        return found


def read_graph(model: Model) -> Graph:
    """Read a model, whose functions are inlined; operators older than version 13 are converted.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the model is damaged or malformed, or ONNX cannot convert it.
    UnsupportedModelError
        If the model's version of the operators is too old or too new.
    """
    proto = inline_functions(read_model(model))
    version = opset_of(proto)
    if version >= OPSET:
        return Graph(proto)
    try:
        return Graph(onnx.version_converter.convert_version(proto, OPSET))
    except (RuntimeError, ValueError) as error:
        raise ValueError(
            f"the model has version {version} of the operators, quantized models need {OPSET}, and "
            f"`onnx.version_converter` fails: {error}"
        ) from error


def distinct_names(nodes: Iterable[onnx.NodeProto]) -> Iterator[str]:
    """Yield a name for each node; the place tells nodes of the same name apart."""
    listed = list(nodes)
    counts = Counter(node.name for node in listed)
    for place, node in enumerate(listed):
        is_own_name = node.name and counts[node.name] == 1
        yield node.name if is_own_name else f"{node.name or node.op_type}_{place}"


def constants_of(graph: onnx.GraphProto) -> Iterator[tuple[str, Array]]:
    """Yield initializers and the values of `Constant` nodes."""
    for tensor in graph.initializer:
        yield tensor.name, numpy_helper.to_array(tensor)
    for node in graph.node:
        value = attribute(node, "value")
        if node.op_type == "Constant" and is_own(node.domain) and value is not None:
            yield node.output[0], numpy_helper.to_array(value)


def inputs_of(node: onnx.NodeProto) -> Iterator[str]:
    """Yield the values that a node reads, and those that graphs in its attributes do."""
    for one in all_nodes([node]):
        yield from (name for name in one.input if name)
        for graph in (value.g for value in one.attribute if value.HasField("g")):
            yield from (output.name for output in graph.output)


def attribute(node: onnx.NodeProto, name: str, default: Any = None) -> Any:
    """Return the value of an attribute of a node, or the default."""
    for one in node.attribute:
        if one.name == name:
            return onnx.helper.get_attribute_value(one)
    return default
