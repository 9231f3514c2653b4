"""Small models of ONNX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Shape = Sequence["int | str"]

FLOAT = TensorProto.FLOAT
INT64 = TensorProto.INT64


def tensor(name: str, shape: Shape, dtype: int = FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, dtype, shape)


def constant(name: str, value: Any) -> onnx.TensorProto:
    return numpy_helper.from_array(np.asarray(value), name)


def model(
    nodes: Sequence[onnx.NodeProto],
    inputs: Sequence[onnx.ValueInfoProto],
    outputs: Sequence[str],
    constants: Sequence[onnx.TensorProto] = (),
    opset: int = 21,
    functions: Sequence[onnx.FunctionProto] = (),
) -> onnx.ModelProto:
    """Return a model; its outputs are said to be scalars of float32, which nobody checks."""
    results = [tensor(name, ()) for name in outputs]
    graph = helper.make_graph(list(nodes), "g", list(inputs), results, list(constants))
    imports = [helper.make_opsetid("", opset)]
    imports += [
        helper.make_opsetid(domain, 1) for domain in sorted({one.domain for one in functions})
    ]
    return helper.make_model(graph, opset_imports=imports, ir_version=10, functions=list(functions))
