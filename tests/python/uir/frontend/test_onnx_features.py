"""Operators of the domain `ai.onnx.ml`, against ONNX's own reference."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

import uir
from uir.frontend.onnx import UnsupportedModelError, from_onnx

from .onnx_graphs import constant, model, tensor

RNG = np.random.default_rng(5)


def of_ml(nodes: list[onnx.NodeProto], *constants: onnx.TensorProto) -> onnx.ModelProto:
    proto = model(nodes, [tensor("x", ("n", 3))], [one.output[0] for one in nodes], constants)
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
    return proto


def node(operator: str, inputs: list[str], output: str, **attributes: object) -> onnx.NodeProto:
    return helper.make_node(operator, inputs, [output], domain="ai.onnx.ml", **attributes)


def test_features_equal_the_reference() -> None:
    nodes = [
        node("Scaler", ["x"], "scaled", offset=[1.0, 2.0, 3.0], scale=[0.5, 2.0, 1.0]),
        node("Scaler", ["x"], "shifted", offset=[1.0], scale=[2.0]),
        node("Normalizer", ["x"], "absolute", norm="L1"),
        node("Normalizer", ["x"], "squares", norm="L2"),
        node("Binarizer", ["x"], "flags", threshold=0.25),
        node("ArrayFeatureExtractor", ["x", "columns"], "chosen"),
    ]
    proto = of_ml(nodes, constant("columns", [2, 0]))
    library, reference = uir.build(from_onnx(proto)), ReferenceEvaluator(proto)
    for count in (1, 4):
        x = RNG.standard_normal((count, 3), np.float32)
        expected = reference.run(None, {"x": x})
        for found, wanted in zip(library["main"](x), expected, strict=True):
            assert np.shape(found) == wanted.shape
            np.testing.assert_allclose(np.from_dlpack(found), wanted, rtol=1e-6)


def test_rows_are_divided_by_their_greatest_element() -> None:
    """By its sign too, as ONNX's text and onnxruntime have it; the reference takes magnitudes."""
    proto = of_ml([node("Normalizer", ["x"], "y", norm="MAX")])
    library = uir.build(from_onnx(proto))
    x = np.array([[-3, 1, 2], [-1, -2, -3]], np.float32)
    expected = x / x.max(1, keepdims=True)
    np.testing.assert_array_equal(np.from_dlpack(library["main"](x)), expected)


def test_rows_of_zeros_stay() -> None:
    proto = of_ml([node("Normalizer", ["x"], norm, norm=norm) for norm in ("MAX", "L1", "L2")])
    zeros = np.zeros((2, 3), np.float32)
    for found in uir.build(from_onnx(proto))["main"](zeros):
        np.testing.assert_array_equal(np.from_dlpack(found), zeros)


def test_operators_belong_to_their_domain() -> None:
    nodes = [node("Relu", ["x"], "a"), helper.make_node("Scaler", ["x"], ["b"])]
    proto = of_ml(nodes)
    proto.graph.node[0].domain = "own"
    proto.opset_import.append(helper.make_opsetid("own", 1))
    del proto.graph.node[1]
    del proto.graph.output[1]
    with pytest.raises(UnsupportedModelError, match="no such operator of the domain `own`"):
        from_onnx(proto)
