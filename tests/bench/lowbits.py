"""Products and convolutions of 8 bits on one thread, against our float32 and onnxruntime.

Prints two rows for each shape, in milliseconds: `<kind>.8bit.<shape>.float32`, whose peer is our
code for the same shape in float32, and `<kind>.8bit.<shape>.onnxruntime`, whose peer runs the same
model. Products are `MatMulInteger`, with a left operand of uint8 and a zero point, and a constant
right one of int8. Convolutions are `QLinearConv` with weights of int8. The row `instructions` names
the instructions that the processor has for such products.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from onnx_peer import ROUNDS, WORK, run_in_one_thread
from report import interleaved, report

PRODUCTS = [
    (512, 512, 512),
    (1024, 1024, 1024),
    (2048, 2048, 2048),
    (128, 768, 3072),
    (1, 4096, 4096),
]
# Channels of a group, filters, sizes of images and of kernels, groups: of ResNet-50, then of
# MobileNetV2 and ResNeXt-50.
CONVOLUTIONS = [
    (64, 64, 56, 3, 1),
    (256, 256, 14, 3, 1),
    (512, 512, 7, 3, 1),
    (256, 64, 56, 1, 1),
    (1024, 256, 14, 1, 1),
    (1, 144, 56, 3, 144),
    (1, 576, 14, 3, 576),
    (1, 960, 7, 3, 960),
    (8, 256, 28, 3, 32),
]
INSTRUCTIONS = ["avx512_vnni", "avx_vnni", "avx2", "asimddp", "i8mm"]


def instructions() -> list[str]:
    """Return the instructions for products of bytes that the processor has."""
    known = set(Path("/proc/cpuinfo").read_text().split())
    return [name for name in INSTRUCTIONS if name in known]


def graph_of(node: Any, a: Any, y: Any, constants: dict[str, Any]) -> Any:
    """Return the model of a node that reads `a` and constants, and writes `y`."""
    from onnx import helper, numpy_helper

    dtype = {"uint8": 2, "int32": 6, "float32": 1}
    x = helper.make_tensor_value_info("a", dtype[str(a.dtype)], a.shape)
    result = helper.make_tensor_value_info("y", dtype[str(y.dtype)], y.shape)
    weights = [numpy_helper.from_array(one, name) for name, one in constants.items()]
    graph = helper.make_graph([node], "one", [x], [result], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def product(a: Any, b: Any, y: Any) -> Any:
    """Return the model of a product with a constant right operand, and a zero point of bytes."""
    from onnx import helper

    if a.dtype == np.float32:
        return graph_of(helper.make_node("MatMul", ["a", "b"], ["y"]), a, y, {"b": b})
    node = helper.make_node("MatMulInteger", ["a", "b", "zero"], ["y"])
    return graph_of(node, a, y, {"b": b, "zero": np.array(121, "uint8")})


def convolution(a: Any, b: Any, y: Any) -> Any:
    """Return the model of a convolution that keeps the size of images."""
    from onnx import helper

    window = {"pads": [b.shape[-1] // 2] * 4, "group": a.shape[1] // b.shape[1]}
    if a.dtype == np.float32:
        return graph_of(helper.make_node("Conv", ["a", "b"], ["y"], **window), a, y, {"b": b})
    inputs = ["a", "one", "zero", "b", "one", "none", "scale", "zero"]
    numbers = {"one": np.float32(1), "scale": np.float32(4e3)}
    zeros = {"zero": np.array(121, "uint8"), "none": np.array(0, "int8")}
    constants = {"b": b, **{key: np.array(one) for key, one in numbers.items()}, **zeros}
    return graph_of(helper.make_node("QLinearConv", inputs, ["y"], **window), a, y, constants)


def session(product: Any) -> Any:
    """Return onnxruntime's session of a model on one thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        product.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def compiled(product: Any, a: Any, y: Any) -> Any:
    """Return a function that runs our code for a model on its operand and its result."""
    import tvm_ffi

    import uir
    from uir.frontend.onnx import from_onnx

    main = uir.build(from_onnx(product))["main_into"]
    args = [tvm_ffi.from_dlpack(one) for one in (a, y)]
    return lambda: main(*args)


def measure(name: str, model: Any, a: Any, b: Any, y: Any, terms: int) -> None:
    """Check that results differ by one step of `y` at most, and print the rows of a shape."""
    one = model(a, b, y)
    peer, ours = session(one), compiled(one, a, y)
    ours()
    step = 1 if y.dtype == np.uint8 else 0
    np.testing.assert_allclose(y.astype("int64"), peer.run(None, {"a": a})[0], rtol=0, atol=step)
    wide, real = a.astype("float32"), y.astype("float32")
    floats = compiled(model(wide, b.astype("float32"), real), wide, real)
    calls = max(WORK // (y.size * terms), 1)
    for side, function in (("float32", floats), ("onnxruntime", lambda: peer.run(None, {"a": a}))):
        found = interleaved(ours, function, rounds=ROUNDS, calls=calls)
        report(f"{name}.{side}", found[0] / 1e6, found[1] / 1e6, "ms")


def measure_all() -> None:
    """Print the rows of all shapes."""
    random = np.random.default_rng(0)
    for m, k, n in PRODUCTS:
        a = random.integers(0, 256, (m, k), "uint8")
        b = random.integers(-128, 128, (k, n), "int8")
        measure(f"matmul.8bit.{m}x{k}x{n}", product, a, b, np.empty((m, n), "int32"), k)
    for channels, filters, size, kernel, groups in CONVOLUTIONS:
        a = random.integers(0, 256, (1, channels * groups, size, size), "uint8")
        b = random.integers(-128, 128, (filters, channels, kernel, kernel), "int8")
        y = np.empty((1, filters, size, size), "uint8")
        name = f"conv.8bit.{channels}x{filters}x{size}x{size}.{kernel}x{kernel}"
        measure(name, convolution, a, b, y, channels * kernel * kernel)


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        print(json.dumps({"name": "instructions", "found": instructions()}), flush=True)
        measure_all()
    else:
        run_in_one_thread(__file__)
