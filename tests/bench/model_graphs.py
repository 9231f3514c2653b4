"""Models of ONNX with random weights: small ones that are made here, and known architectures.

The architectures are those in the package `onnx`, whose weights are constant fills.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

__all__ = ["MODELS", "Graph", "Network"]

TOKENS, WIDTH, HEADS = 128, 384, 12
LIGHT = Path(onnx.__file__).parent / "backend/test/data/light"


class Network(NamedTuple):
    """A model and the shape of its input."""

    model: onnx.ModelProto
    shape: tuple[int, ...]


class Graph:
    """Makes nodes; a value is its name."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self._numbers = np.random.default_rng(0)

    def call(self, operator: str, *operands: str | np.ndarray, **attributes: Any) -> str:
        """Add a node; arrays become constants."""
        names = [one if isinstance(one, str) else self._constant(one) for one in operands]
        result = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, names, [result], **attributes))
        return result

    def _constant(self, value: np.ndarray) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def weight(self, inputs: int, outputs: int) -> np.ndarray:
        """Return weights that keep the size of values of about 1."""
        return self._numbers.standard_normal((inputs, outputs), np.float32) * np.float32(
            inputs**-0.5
        )

    def factors(self, count: int) -> np.ndarray:
        return self._numbers.uniform(0.5, 1.5, count).astype(np.float32)

    def dense(self, x: str, inputs: int, outputs: int) -> str:
        return self.call(
            "Add", self.call("MatMul", x, self.weight(inputs, outputs)), self.factors(outputs)
        )

    def network(self, shape: tuple[int, ...], result: str) -> Network:
        data = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
        y = helper.make_tensor_value_info(result, TensorProto.FLOAT, [None] * len(shape))
        graph = helper.make_graph(self.nodes, "network", [data], [y], self.constants)
        imports = [helper.make_opsetid("", 21), helper.make_opsetid("ai.onnx.ml", 3)]
        return Network(helper.make_model(graph, opset_imports=imports, ir_version=10), shape)


def mlp() -> Network:
    """Return the classes of 64 images of 784 pixels."""
    graph, x, widths = Graph(), "x", (784, 512, 512, 10)
    for inputs, outputs in pairwise(widths):
        x = graph.dense(x, inputs, outputs)
        x = graph.call("Relu", x) if outputs != widths[-1] else x
    return graph.network((64, 784), graph.call("Softmax", x, axis=-1))


def encoder(layers: int) -> Network:
    """Return the tokens after layers of a transformer's encoder (Vaswani et al., 2017)."""
    graph, x = Graph(), "x"
    for _ in range(layers):
        x = encoder_layer(graph, x)
    return graph.network((1, TOKENS, WIDTH), x)


def encoder_layer(graph: Graph, x: str) -> str:
    def norm(y: str) -> str:
        factors = graph.factors(WIDTH), graph.factors(WIDTH)
        return graph.call("LayerNormalization", y, *factors, epsilon=1e-5)

    def heads(axes: Sequence[int]) -> str:
        shape = np.array([1, TOKENS, HEADS, WIDTH // HEADS])
        split = graph.call("Reshape", graph.dense(x, WIDTH, WIDTH), shape)
        return graph.call("Transpose", split, perm=list(axes))

    queries, keys, values = heads((0, 2, 1, 3)), heads((0, 2, 3, 1)), heads((0, 2, 1, 3))
    scale = np.array((WIDTH // HEADS) ** -0.5, np.float32)
    scores = graph.call("Mul", graph.call("MatMul", queries, keys), scale)
    seen = graph.call("MatMul", graph.call("Softmax", scores, axis=-1), values)
    turned = graph.call("Transpose", seen, perm=[0, 2, 1, 3])
    joined = graph.call("Reshape", turned, np.array([1, TOKENS, WIDTH]))
    x = norm(graph.call("Add", x, graph.dense(joined, WIDTH, WIDTH)))
    hidden = graph.call("Gelu", graph.dense(x, WIDTH, 4 * WIDTH))
    return norm(graph.call("Add", x, graph.dense(hidden, 4 * WIDTH, WIDTH)))


def attention(tokens: int) -> Network:
    """Return the attention of 12 heads of 64 elements over tokens, which are their own keys."""
    graph = Graph()
    keys = graph.call("Transpose", "x", perm=[0, 1, 3, 2])
    scores = graph.call("Mul", graph.call("MatMul", "x", keys), np.array(0.125, np.float32))
    seen = graph.call("MatMul", graph.call("Softmax", scores, axis=-1), "x")
    return graph.network((1, HEADS, tokens, 64), seen)


def lstm(layers: int, features: int, steps: int) -> Network:
    """Return the states of stacked layers of long short-term memory, batch 1."""
    graph, x = Graph(), "x"
    for _ in range(layers):
        weights = [graph.weight(features, 4 * features).T[None] for _ in range(2)]
        biases = graph.factors(8 * features)[None]
        states = graph.call("LSTM", x, *weights, biases, hidden_size=features)
        x = graph.call("Squeeze", states, np.array([1]))
    return graph.network((steps, 1, features), x)


def trees(count: int, depth: int, rows: int, features: int = 32) -> Network:
    """Return the sums of the leaves of full trees that rows reach, as in gradient boosting."""
    graph, numbers = Graph(), np.random.default_rng(0)
    inner, leaves = 2**depth - 1, 2**depth
    nodes = np.arange(inner + leaves)
    is_inner = nodes < inner
    size = count * len(nodes)
    sums = graph.call(
        "TreeEnsembleRegressor",
        "x",
        domain="ai.onnx.ml",
        n_targets=1,
        nodes_treeids=np.repeat(np.arange(count), len(nodes)),
        nodes_nodeids=np.tile(nodes, count),
        nodes_modes=np.tile(np.where(is_inner, "BRANCH_LEQ", "LEAF"), count).tolist(),
        nodes_truenodeids=np.tile(np.where(is_inner, 2 * nodes + 1, 0), count),
        nodes_falsenodeids=np.tile(np.where(is_inner, 2 * nodes + 2, 0), count),
        nodes_featureids=numbers.integers(0, features, size),
        nodes_values=numbers.standard_normal(size).astype(np.float32),
        target_treeids=np.repeat(np.arange(count), leaves),
        target_nodeids=np.tile(nodes[inner:], count),
        target_ids=np.zeros(count * leaves, np.int64),
        target_weights=numbers.standard_normal(count * leaves).astype(np.float32),
    )
    return graph.network((rows, features), sums)


def architecture(name: str) -> Network:
    """Return a model of the package `onnx` with random weights."""
    model, numbers = onnx.load(LIGHT / f"light_{name}.onnx"), np.random.default_rng(0)
    graph = model.graph
    shapes = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    kept = []
    for node in graph.node:
        if node.op_type != "ConstantOfShape":
            kept.append(node)
            continue
        value = random_weights(shapes[node.input[0]], numbers)
        graph.initializer.append(numpy_helper.from_array(value, node.output[0]))
    del graph.node[:]
    graph.node.extend(kept)
    used = {name for node in kept for name in node.input}
    weights = {one.name for one in graph.initializer}
    for part in (graph.initializer, graph.input):
        left = [one for one in part if one.name in used]
        del part[:]
        part.extend(left)
    data = next(one for one in graph.input if one.name not in weights)
    # Version 4 of the format has weights that are no inputs, which both sides treat as constants.
    del graph.input[:]
    graph.input.append(data)
    model.ir_version = 8
    return Network(model, tuple(dim.dim_value for dim in data.type.tensor_type.shape.dim))


def random_weights(shape: np.ndarray, numbers: np.random.Generator) -> np.ndarray:
    """Return weights that keep the size of values of about 1, or factors of channels."""
    dims = [int(dim) for dim in shape]
    if len(dims) < 2:
        return numbers.uniform(0.5, 1.5, dims).astype(np.float32)
    return numbers.standard_normal(dims, np.float32) * np.float32(math.prod(dims[1:]) ** -0.5)


MODELS: dict[str, Callable[[], Network]] = {
    "mlp": mlp,
    "encoder.layer": lambda: encoder(1),
    "encoder.6layers": lambda: encoder(6),
    "attention.1024": lambda: attention(1024),
    "lstm": lambda: lstm(2, 256, 100),
    "trees.b1": lambda: trees(500, 6, 1),
    "trees.b1000": lambda: trees(500, 6, 1000),
    "squeezenet.b1": lambda: architecture("squeezenet"),
    "resnet50.b1": lambda: architecture("resnet50"),
    "densenet121.b1": lambda: architecture("densenet121"),
}
