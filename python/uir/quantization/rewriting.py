"""Models with quantized layers, and models that compare each layer with its quantized twin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import onnx

from .graph import Graph, inputs_of
from .layers import Layer
from .plan import plan_of, source_of
from .scheme import Scheme
from .writer import Writer

__all__ = ["quantized_model", "with_nodes", "with_twins", "without_unread"]


def quantized_model(
    graph: Graph, layers: Sequence[Layer], schemes: Mapping[str, Scheme]
) -> onnx.ModelProto:
    """Return the model in which layers compute with integers.

    Parameters
    ----------
    graph
        The graph.
    layers
        The layers.
    schemes
        The schemes of the values that they read, by `source_of`.
    """
    plan, writer = plan_of(graph, layers), Writer(graph, schemes)
    products = {layer.node: layer for layer in layers if has_weights(graph, layer)}
    nodes: list[onnx.NodeProto] = []
    for place, node in enumerate(graph.nodes):
        copy = copy_of(node)
        for at, name in enumerate(node.input):
            if (place, name) in plan.reads:
                copy.input[at] = writer.value(nodes, name, plan.sources[name])
        if place in products:
            source = plan.sources[node.input[0]]
            copy.input[1:] = writer.constant_inputs(nodes, products[place], source)
        nodes.append(copy)
    return without_unread(with_nodes(graph.model, nodes, writer.constants.values()))


def with_twins(
    graph: Graph, layers: Sequence[Layer], schemes: Mapping[str, Scheme]
) -> tuple[onnx.ModelProto, list[str]]:
    """Return a model that has a quantized twin of each layer, which reads the exact values.

    Parameters
    ----------
    graph, layers, schemes
        As `quantized_model` takes them.

    Returns
    -------
    model
        The model.
    results
        The names of the results of the twins, one for each layer.
    """
    writer = Writer(graph, schemes)
    nodes = list(graph.nodes)
    results = [add_twin(graph, layer, writer, nodes) for layer in layers]
    return with_nodes(graph.model, nodes, writer.constants.values()), results


def add_twin(graph: Graph, layer: Layer, writer: Writer, nodes: list[onnx.NodeProto]) -> str:
    """Add the twin of a layer to nodes, and return the name of its result."""
    twin = copy_of(graph.nodes[layer.node])
    for at in layer.data:
        value = twin.input[at]
        twin.input[at] = writer.value(nodes, value, source_of(graph, value))
    if has_weights(graph, layer):
        source = source_of(graph, graph.nodes[layer.node].input[0])
        twin.input[1:] = writer.constant_inputs(nodes, layer, source)
    renamed: dict[str, str] = {}
    for node in (twin, *(copy_of(graph.nodes[place]) for place in layer.tail)):
        node.input[:] = [renamed.get(name, name) for name in node.input]
        renamed[node.output[0]] = writer.names.fresh(f"{node.output[0]}_twin")
        node.output[:] = [renamed[node.output[0]]]
        node.name = f"{node.output[0]}_node"
        nodes.append(node)
    return renamed[layer.output]


def has_weights(graph: Graph, layer: Layer) -> bool:
    """Return whether a layer is a product with constant weights."""
    return layer.is_product and graph.weights(graph.nodes[layer.node], 1) is not None


def copy_of(node: onnx.NodeProto) -> onnx.NodeProto:
    """Return a copy of a node."""
    copy = onnx.NodeProto()
    copy.CopyFrom(node)
    return copy


def with_nodes(
    model: onnx.ModelProto,
    nodes: Iterable[onnx.NodeProto],
    constants: Iterable[onnx.TensorProto],
) -> onnx.ModelProto:
    """Return a model with other nodes and more constants."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    del copy.graph.node[:]
    copy.graph.node.extend(nodes)
    copy.graph.initializer.extend(constants)
    return copy


def without_unread(model: onnx.ModelProto) -> onnx.ModelProto:
    """Remove the constants of a model that no node reads any more, and return it."""
    graph = model.graph
    read = {name for node in graph.node for name in inputs_of(node)}
    read.update(one.name for one in graph.output)
    unread = {one.name for one in graph.initializer if one.name not in read}
    keep_those(graph.initializer, lambda one: one.name not in unread)
    keep_those(graph.input, lambda one: one.name not in unread)
    keep_those(graph.node, lambda one: one.op_type != "Constant" or one.output[0] in read)
    return model


def keep_those(fields: Any, is_kept: Callable[[Any], bool]) -> None:
    """Remove elements of a repeated field."""
    kept = [one for one in fields if is_kept(one)]
    del fields[:]
    fields.extend(kept)
