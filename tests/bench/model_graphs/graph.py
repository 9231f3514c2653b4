"""Makes models of ONNX, node by node, with random weights."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

__all__ = ["Graph", "Network"]


class Network(NamedTuple):
    """
    A model and its input.

    Attributes
    ----------
    model
        The model, which has one input.
    shape
        The shape of the input in a call.
    tokens
        The number of different tokens, if the input holds tokens; 0 for one of float32.
    """

    model: onnx.ModelProto
    shape: tuple[int, ...]
    tokens: int = 0

    def with_names(self, *names: str | int) -> Network:
        """Return the same model of sizes that vary: a name stands for any size."""
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        dims = model.graph.input[0].type.tensor_type.shape.dim
        for dim, name in zip(dims, names, strict=True):
            if isinstance(name, str):
                dim.dim_param = name
        return self._replace(model=model)

    def data(self) -> np.ndarray:
        """Return random elements of the input."""
        numbers = np.random.default_rng(1)
        if self.tokens:
            return numbers.integers(0, self.tokens, self.shape)
        return numbers.standard_normal(self.shape, np.float32)


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

    def convolution(
        self, x: str, channels: tuple[int, int], window: tuple[int, ...], **attributes: Any
    ) -> str:
        """Add a convolution with a bias, as exporters write one with folded norms of batches."""
        inputs, outputs = channels
        depth = inputs // attributes.get("group", 1) * math.prod(window)
        weight = self.weight(depth, outputs).T.reshape(outputs, -1, *window)
        pads = [size // 2 for size in window] * 2
        return self.call("Conv", x, weight, self.factors(outputs), **{"pads": pads, **attributes})

    def network(self, shape: tuple[int, ...], result: str, tokens: int = 0) -> Network:
        """Return the model whose input is `x`."""
        dtype = TensorProto.INT64 if tokens else TensorProto.FLOAT
        data = helper.make_tensor_value_info("x", dtype, shape)
        y = helper.make_tensor_value_info(result, TensorProto.FLOAT, [None] * len(shape))
        graph = helper.make_graph(self.nodes, "network", [data], [y], self.constants)
        imports = [helper.make_opsetid("", 21), helper.make_opsetid("ai.onnx.ml", 3)]
        return Network(
            helper.make_model(graph, opset_imports=imports, ir_version=10), shape, tokens
        )
