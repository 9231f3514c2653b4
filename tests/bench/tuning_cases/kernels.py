"""Networks of one node with odd shapes, of float32 and of 8 bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from uir.frontend.onnx import from_onnx
from uir.ir import IRModule

__all__ = ["kernels"]

PRODUCTS = {"m1": (1, 512, 1000), "k27": (784, 27, 64), "n17": (256, 512, 17), "odd": (77, 131, 59)}
CONVOLUTIONS: dict[str, tuple[tuple[int, ...], int, int, int, dict[str, Any]]] = {
    # The image, the channels of input and output, the window, and attributes.
    "depthwise5": ((28, 28), 96, 96, 5, {"group": 96, "pads": [2] * 4}),
    "depthwise7": ((14, 14), 192, 192, 7, {"group": 192, "pads": [3] * 4}),
    "depthwise.strided": (
        (56, 56),
        72,
        72,
        3,
        {"group": 72, "strides": [2, 2], "pads": [1] * 4},
    ),
    "strided": ((56, 56), 64, 128, 3, {"strides": [2, 2], "pads": [1] * 4}),
    "dilated": ((28, 28), 64, 64, 3, {"dilations": [2, 2], "pads": [2] * 4}),
    "groups": ((28, 28), 64, 64, 3, {"group": 4, "pads": [1] * 4}),
    "window14": ((14, 14), 256, 256, 3, {"pads": [1] * 4}),
    "window7": ((7, 7), 512, 512, 3, {"pads": [1] * 4}),
    "first": ((112, 112), 3, 32, 3, {"strides": [2, 2], "pads": [1] * 4}),
    "line": ((400,), 80, 128, 3, {"pads": [1] * 2}),
}
ROWS = {"softmax": (128, 1000), "softmax.narrow": (4096, 33)}
PRODUCTS_OF_8_BITS = {"int8.m1": (1, 512, 1000), "int8.n17": (256, 512, 17)}
CONVOLUTIONS_OF_8_BITS = {"int8.window14": "window14", "int8.strided": "strided"}


def kernels() -> Iterator[tuple[str, IRModule]]:
    """Yield the name and the module of each kernel."""
    numbers = np.random.default_rng(0)

    def of_8_bits(shape: tuple[int, ...]) -> np.ndarray:
        return numbers.integers(-127, 128, shape).astype(np.int8)

    for name, (rows, terms, columns) in PRODUCTS.items():
        weights = numbers.standard_normal((terms, columns), "float32")
        yield name, _model("MatMul", (rows, terms), weights, {})
    for name, given in CONVOLUTIONS.items():
        shape, weight_shape, attributes = _convolution(*given)
        yield name, _model("Conv", shape, numbers.standard_normal(weight_shape, "f4"), attributes)
    for name, row_shape in ROWS.items():
        yield name, _model("Softmax", row_shape, None, {})
    for name, (rows, terms, columns) in PRODUCTS_OF_8_BITS.items():
        yield name, _model("MatMulInteger", (rows, terms), of_8_bits((terms, columns)), {})
    for name, other in CONVOLUTIONS_OF_8_BITS.items():
        shape, weight_shape, attributes = _convolution(*CONVOLUTIONS[other])
        yield name, _model("ConvInteger", shape, of_8_bits(weight_shape), attributes)


def _convolution(
    image: tuple[int, ...], inputs: int, outputs: int, window: int, attributes: dict[str, Any]
) -> tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]:
    group = attributes.get("group", 1)
    return (1, inputs, *image), (outputs, inputs // group, *[window] * len(image)), attributes


def _model(
    kind: str, shape: tuple[int, ...], weights: np.ndarray | None, attributes: dict[str, Any]
) -> IRModule:
    """Return a network of one node."""
    inputs = ["x"] if weights is None else ["x", "w"]
    node = helper.make_node(kind, inputs, ["y"], **attributes)
    known = [] if weights is None else [numpy_helper.from_array(weights, "w")]
    is_whole = kind.endswith("Integer")
    graph = helper.make_graph(
        [node],
        kind,
        [helper.make_tensor_value_info("x", TensorProto.UINT8 if is_whole else 1, shape)],
        [helper.make_tensor_value_info("y", TensorProto.INT32 if is_whole else 1, None)],
        known,
    )
    return from_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)]))
