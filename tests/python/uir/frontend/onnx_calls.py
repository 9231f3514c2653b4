"""Models of one call, or of a few: from arrays, and their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper

import uir
from uir import relay
from uir.frontend.onnx import from_onnx

from .onnx_graphs import constant, model, tensor

Array = np.ndarray[Any, Any]


def node(operator: str, inputs: str, outputs: str, **attributes: Any) -> onnx.NodeProto:
    """Return a node of inputs and outputs as text, in which `_` is one that is left out."""
    names, results = (
        ["" if name == "_" else name for name in text.split()] for text in (inputs, outputs)
    )
    return helper.make_node(operator, names, results, **attributes)


def model_of(
    nodes: Sequence[onnx.NodeProto], operands: Mapping[str, Array], constants: Mapping[str, Any]
) -> onnx.ModelProto:
    """Return a model whose inputs have the shapes and data types of arrays."""
    inputs = [
        tensor(name, x.shape, helper.np_dtype_to_tensor_dtype(x.dtype))
        for name, x in operands.items()
    ]
    outputs = [name for one in nodes for name in one.output if name]
    weights = [constant(*pair) for pair in constants.items()]
    proto = model(nodes, inputs, outputs, weights, opset=23)
    own = {one.domain for one in nodes if one.domain}
    proto.opset_import.extend(helper.make_opsetid(domain, 1) for domain in sorted(own))
    return proto


def results(proto: onnx.ModelProto, operands: Mapping[str, Array]) -> list[Array]:
    """Return the outputs of a model, compiled."""
    found = uir.build(from_onnx(proto))["main"](*operands.values())
    one_output = len(proto.graph.output) == 1
    return [np.from_dlpack(one) for one in ([found] if one_output else found)]


def evaluated(proto: onnx.ModelProto, operands: Mapping[str, Array]) -> list[Array]:
    """Return the outputs of a model, interpreted, which takes no C compiler."""
    found: Any = relay.evaluate(from_onnx(proto), *operands.values())
    one_output = len(proto.graph.output) == 1
    return [np.asarray(one) for one in ([found] if one_output else found)]
