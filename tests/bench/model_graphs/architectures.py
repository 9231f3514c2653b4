"""Architectures in the package `onnx`, whose constant weights become random ones."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from .graph import Network

__all__ = ["architecture"]

LIGHT = Path(onnx.__file__).parent / "backend/test/data/light"


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
