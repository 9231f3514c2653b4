"""Runs the graph of an ONNX model node by node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx
from onnx import numpy_helper

from .node import Array, Node, Run


def run_model(
    nodes: Mapping[str, Run], model: onnx.ModelProto, arguments: Sequence[Array]
) -> list[Array | None]:
    """Return the outputs of a model for arrays as its inputs."""
    opset = next(entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx"))
    values: dict[str, Array | None] = {"": None}
    values.update({one.name: numpy_helper.to_array(one) for one in model.graph.initializer})
    values.update(zip((one.name for one in model.graph.input), arguments, strict=False))
    for proto in model.graph.node:
        node = Node(proto, [values[name] for name in proto.input], opset)
        outputs = nodes[proto.op_type](node)
        results = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
        values.update(zip(proto.output, results, strict=False))
    return [values[one.name] for one in model.graph.output]
