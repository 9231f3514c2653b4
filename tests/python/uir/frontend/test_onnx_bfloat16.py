"""Models of ONNX with tensors of bfloat16: each operator rounds to it."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import onnx
from onnx import helper, numpy_helper

from uir.frontend.onnx import Backend

from .onnx_graphs import model, tensor

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
RNG = np.random.default_rng(2)


def numbers(*shape: int) -> np.ndarray[Any, Any]:
    return RNG.standard_normal(shape).astype(BFLOAT16)


def test_inputs_weights_and_results_are_of_bfloat16() -> None:
    x, weight, bias = numbers(4, 3), numbers(3, 5), numbers(5)
    nodes = [
        helper.make_node("MatMul", ["x", "weight"], ["product"]),
        helper.make_node("Add", ["product", "bias"], ["y"]),
        helper.make_node("Cast", ["y"], ["wide"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Cast", ["wide"], ["narrow"], to=onnx.TensorProto.BFLOAT16),
    ]
    constants = [
        numpy_helper.from_array(array, name) for name, array in (("weight", weight), ("bias", bias))
    ]
    inputs = [tensor("x", ("n", 3), onnx.TensorProto.BFLOAT16)]
    proto = model(nodes, inputs, ["y", "wide", "narrow"], constants)
    y, wide, narrow = Backend.prepare(proto).run([x])
    product = (x.astype("float32") @ weight.astype("float32")).astype(BFLOAT16)
    expected = (product.astype("float32") + bias.astype("float32")).astype(BFLOAT16)
    assert [one.dtype.name for one in (y, wide, narrow)] == ["bfloat16", "float32", "bfloat16"]
    np.testing.assert_array_equal(y, expected)
    np.testing.assert_array_equal(wide, expected.astype("float32"))
    np.testing.assert_array_equal(narrow, y)
