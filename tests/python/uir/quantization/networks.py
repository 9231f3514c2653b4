"""Small networks with random weights, and the results of models by ONNX's own reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

from uir.quantization.calls import Call
from uir.quantization.runner import Runner

from ..frontend.onnx_calls import node
from ..frontend.onnx_graphs import Shape, constant, model, tensor

Array = np.ndarray[Any, Any]


def network(
    nodes: Sequence[onnx.NodeProto],
    weights: Mapping[str, Sequence[int]],
    inputs: Mapping[str, Shape],
    outputs: Sequence[str] = ("y",),
    opset: int = 21,
) -> onnx.ModelProto:
    """Return a model whose weights are normal with a variance that keeps that of the values."""
    rng = np.random.default_rng(3)
    constants = [
        constant(name, (rng.standard_normal(shape) / 3).astype(np.float32))
        for name, shape in weights.items()
    ]
    given = [tensor(name, shape) for name, shape in inputs.items()]
    return model(nodes, given, outputs, constants, opset)


def convolutions() -> onnx.ModelProto:
    """Return a network with a residual sum, pooling and a classifier."""
    nodes = [
        node("Conv", "x w1 b1", "c1", name="first", pads=[1, 1, 1, 1]),
        node("Relu", "c1", "r1"),
        node("Conv", "r1 w2 b2", "c2", name="second", pads=[1, 1, 1, 1]),
        node("Add", "c2 r1", "a", name="sum"),
        node("Relu", "a", "r2"),
        node("MaxPool", "r2", "p", kernel_shape=[2, 2], strides=[2, 2]),
        node("Conv", "p w3", "c3", name="third"),
        node("GlobalAveragePool", "c3", "g", name="pool"),
        node("Flatten", "g", "f"),
        node("Gemm", "f w4 b4", "y", name="classes", transB=1),
    ]
    weights: dict[str, Sequence[int]] = {
        "w1": (8, 3, 3, 3),
        "b1": (8,),
        "w2": (8, 8, 3, 3),
        "b2": (8,),
        "w3": (12, 8, 1, 1),
        "w4": (5, 12),
        "b4": (5,),
    }
    return network(nodes, weights, {"x": ("n", 3, 8, 8)})


def perceptron() -> onnx.ModelProto:
    """Return a network of two products, the second one with a bias and a transposed matrix."""
    nodes = [
        node("MatMul", "x w1", "h", name="up"),
        node("Relu", "h", "r"),
        node("Gemm", "r w2 b2", "y", name="down", transB=1),
    ]
    return network(nodes, {"w1": (40, 48), "w2": (24, 48), "b2": (24,)}, {"x": ("n", 40)})


def images(count: int = 3) -> Array:
    """Return inputs of calls of two images each."""
    return np.random.default_rng(4).standard_normal((count, 2, 3, 8, 8)).astype(np.float32)


def rows(count: int = 120) -> Array:
    """Return rows of 40 numbers that six numbers determine."""
    rng = np.random.default_rng(5)
    few, mix = rng.standard_normal((count, 6)), rng.standard_normal((6, 40))
    return (few @ mix).astype(np.float32)


def reference(proto: onnx.ModelProto, inputs: Mapping[str, Array]) -> list[Array]:
    """Return the results of a model."""
    return [np.asarray(one) for one in ReferenceEvaluator(proto).run(None, dict(inputs))]


class ReferenceRunner(Runner):
    """Runs models by the reference, which takes less time than a C compiler."""

    def __init__(
        self, proto: onnx.ModelProto, values: Sequence[str], calls: Sequence[Call]
    ) -> None:
        copy = onnx.ModelProto()
        copy.CopyFrom(proto)
        self.names = [name for name in dict.fromkeys(values) if name not in calls[0]]
        del copy.graph.output[:]
        copy.graph.output.extend(onnx.ValueInfoProto(name=name) for name in self.names)
        self.evaluator = ReferenceEvaluator(copy)
        self.calls = calls

    def __call__(self) -> Iterator[dict[str, Array]]:
        for call in self.calls:
            found: Any = self.evaluator.run(None, dict(call))
            yield {**call, **dict(zip(self.names, found, strict=True))}


def operators(proto: onnx.ModelProto) -> list[str]:
    """Return the operators of a model, without those that turn values into integers and back."""
    return [one.op_type for one in proto.graph.node if "Linear" not in one.op_type]
