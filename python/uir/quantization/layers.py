"""The layers of a graph that can compute with integers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import onnx

from ..frontend.onnx.operators import is_own
from .graph import Graph, attribute

__all__ = ["MOVES", "PRODUCTS", "Layer", "Left", "layers_of"]

PRODUCTS = ("Conv", "Gemm", "MatMul")
"""Products, which are worth integers by themselves."""

FOLLOWERS = ("Add", "AveragePool", "Concat", "GlobalAveragePool")
"""Operators that are worth integers only between quantized layers."""

MOVES = ("Flatten", "MaxPool", "Reshape", "Slice", "Squeeze", "Transpose", "Unsqueeze")
"""Operators whose results are elements of their first input, so that they keep its scheme."""

LINEAR = ("Add", "BatchNormalization")
ACTIVATIONS = ("Clip", "Relu")
"""These and the former belong to the layer before them, whose result is rounded after them."""


class Layer(NamedTuple):
    """A node with the nodes that belong to it.

    Attributes
    ----------
    name
        The name of the node.
    node
        Its place.
    operator
        Its operator.
    data
        The inputs that are not constants, by their places.
    axis
        The axis of the weights whose indices are channels; None for one scale.
    tail
        The places of the nodes that follow, in order: a constant that is added, an activation.
    output
        The result of the last of them.
    """

    name: str
    node: int
    operator: str
    data: tuple[int, ...]
    axis: int | None
    tail: tuple[int, ...]
    output: str

    @property
    def is_product(self) -> bool:
        """Whether the layer multiplies matrices or is a convolution."""
        return self.operator in PRODUCTS


class Left(NamedTuple):
    """A product that cannot compute with integers.

    Attributes
    ----------
    name, operator
        The node.
    reason
        The reason, as text.
    """

    name: str
    operator: str
    reason: str


def layers_of(graph: Graph) -> tuple[list[Layer], list[Left]]:
    """Return the layers of a graph in order, and the products that cannot be layers."""
    layers: list[Layer] = []
    left: list[Left] = []
    taken: set[int] = set()
    for place, node in enumerate(graph.nodes):
        if place in taken or not is_own(node.domain):
            continue
        if node.op_type in PRODUCTS:
            reason = why_left(graph, node)
            if reason:
                left.append(Left(graph.names[place], node.op_type, reason))
                continue
        elif node.op_type not in FOLLOWERS or not has_float_data(graph, node):
            continue
        layer = layer_of(graph, place)
        taken.update(layer.tail)
        layers.append(layer)
    return layers, left


def why_left(graph: Graph, node: onnx.NodeProto) -> str:
    """Return why a product cannot be a layer; nothing if it can."""
    if node.input[0] in graph.constants:
        return "the first operand is a constant"
    if node.input[1] not in graph.constants:
        if node.op_type != "MatMul":
            return "the weights are not constant"
        is_float = graph.is_float(node.input[0]) and graph.is_float(node.input[1])
        return "" if is_float else "the operands are not known to be of float32"
    weights = graph.weights(node, 1)
    if weights is None:
        return f"the weights are of {graph.constants[node.input[1]].dtype}"
    return "" if np.isfinite(weights).all() else "the weights are not finite"


def has_float_data(graph: Graph, node: onnx.NodeProto) -> bool:
    """Return whether all inputs of a node are of float32, and none is a constant."""
    return all(name not in graph.constants and graph.is_float(name) for name in node.input)


def layer_of(graph: Graph, place: int) -> Layer:
    """Return the layer of a node, with the nodes that belong to it."""
    node = graph.nodes[place]
    data = [at for at, name in enumerate(node.input) if name and name not in graph.constants]
    if node.op_type in ("Conv", "Gemm"):
        data = [0]  # A bias that is not a constant stays as it is.
    is_tailed = node.op_type in (*PRODUCTS, "Add")
    tail = tuple(tail_of(graph, place)) if is_tailed else ()
    output = graph.nodes[tail[-1] if tail else place].output[0]
    axis = channel_axis(graph, node)
    return Layer(graph.names[place], place, node.op_type, tuple(data), axis, tail, output)


def channel_axis(graph: Graph, node: onnx.NodeProto) -> int | None:
    """Return the axis of the weights that is that of the results' channels."""
    if node.op_type == "Conv":
        return 0
    if node.op_type == "Gemm":
        return 0 if attribute(node, "transB", 0) else 1
    if node.op_type == "MatMul":
        weights = graph.weights(node, 1)
        return 1 if weights is not None and weights.ndim == 2 else None
    return None


def tail_of(graph: Graph, place: int) -> Iterator[int]:
    """Yield the places of the nodes that belong to the layer of a node; an activation ends it."""
    while True:
        output = graph.nodes[place].output[0]
        follower = graph.only_reader(output)
        if follower is None or not belongs(graph, graph.nodes[follower], output):
            return
        yield follower
        if graph.nodes[follower].op_type in ACTIVATIONS:
            return
        place = follower


def belongs(graph: Graph, node: onnx.NodeProto, output: str) -> bool:
    """Return whether a node has constant operands beside the result of a layer, and one result."""
    others = [name for name in node.input if name and name != output]
    is_tail = is_own(node.domain) and node.op_type in (*LINEAR, *ACTIVATIONS)
    if not is_tail or len(node.output) > 1 or list(node.input).count(output) != 1:
        return False
    return all(name in graph.constants for name in others)
