"""Products and convolutions of a few bits on one thread, against our float32 and onnxruntime.

Prints two rows for each shape, in milliseconds: `<kind>.8bit.<shape>.float32`, whose peer is our
code for the same shape in float32, and `<kind>.8bit.<shape>.onnxruntime`, whose peer runs the same
model. Products are `MatMulInteger`, with a left operand of uint8 and a zero point, and a constant
right one of int8. Convolutions are `QLinearConv` with weights of int8. The row `instructions` names
the instructions that the processor has for such products.

Products with weights of 4 bits in blocks of 32 (`MatMulNBits`) have three rows: for one row of
data, `matmul.4bit.<shape>.bandwidth` is the GB/s of weights and scales that we read, beside those
that the machine reads in a loop of loads; then the float32 product, and onnxruntime.
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
# The zero point of data, and the scale of results.
ZERO, SCALE = 121, 4e3
# Rows, terms and columns of products with weights of 4 bits.
PACKED = [(1, 4096, 4096), (1, 11008, 4096), (8, 4096, 4096), (64, 4096, 4096)]
BLOCK = 32
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
    return graph_of(node, a, y, {"b": b, "zero": np.array(ZERO, "uint8")})


def packed_product(a: Any, b: Any, y: Any) -> Any:
    """Return the model of a product with weights of 4 bits: `b` are the weights and the scales."""
    from onnx import helper

    node = helper.make_node(
        "MatMulNBits", ["a", "weights", "scales"], ["y"], domain="com.microsoft",
        K=a.shape[1], N=y.shape[1], bits=4, block_size=BLOCK,
    )  # fmt: skip
    model = graph_of(node, a, y, {"weights": b[0], "scales": b[1]})
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return model


def convolution(a: Any, b: Any, y: Any) -> Any:
    """Return the model of a convolution that keeps the size of images."""
    from onnx import helper

    window = {"pads": [b.shape[-1] // 2] * 4, "group": a.shape[1] // b.shape[1]}
    if a.dtype == np.float32:
        return graph_of(helper.make_node("Conv", ["a", "b"], ["y"], **window), a, y, {"b": b})
    inputs = ["a", "one", "zero", "b", "one", "none", "scale", "zero"]
    numbers = {"one": np.float32(1), "scale": np.float32(SCALE)}
    zeros = {"zero": np.array(ZERO, "uint8"), "none": np.array(0, "int8")}
    constants = {"b": b, **{key: np.array(one) for key, one in numbers.items()}, **zeros}
    return graph_of(helper.make_node("QLinearConv", inputs, ["y"], **window), a, y, constants)


def exact(a: Any, b: Any) -> Any:
    """Return the results of `product` or `convolution`, by float64."""
    numbers, weights = a.astype("float64") - ZERO, b.astype("float64")
    if b.ndim == 2:
        return numbers @ weights
    border = b.shape[-1] // 2
    padded = np.pad(numbers, ((0, 0), (0, 0), (border, border), (border, border)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, b.shape[2:], (2, 3))
    groups = a.shape[1] // b.shape[1]
    sums = [
        np.tensordot(part, filters, ((1, 4, 5), (1, 2, 3)))
        for part, filters in zip(
            np.split(windows, groups, 1), np.split(weights, groups), strict=True
        )
    ]
    found = np.moveaxis(np.concatenate(sums, -1), -1, 1)
    return np.clip(np.rint(found / SCALE) + ZERO, 0, 255)


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
    # Without instructions for four products, onnxruntime's sums saturate: it is no reference.
    step = 1 if y.dtype == np.uint8 else 0
    np.testing.assert_allclose(y.astype("int64"), exact(a, b), rtol=0, atol=step)
    wide, real = a.astype("float32"), y.astype("float32")
    floats = compiled(model(wide, b.astype("float32"), real), wide, real)
    calls = max(WORK // (y.size * terms), 1)
    for side, function in (("float32", floats), ("onnxruntime", lambda: peer.run(None, {"a": a}))):
        found = interleaved(ours, function, rounds=ROUNDS, calls=calls)
        report(f"{name}.{side}", found[0] / 1e6, found[1] / 1e6, "ms")


def measure_packed(rows: int, terms: int, columns: int, random: Any) -> None:
    """Print the rows of a product with weights of 4 bits."""
    from uir.driver import machine_peak

    blocks = terms // BLOCK
    weights = random.integers(0, 256, (columns, blocks, BLOCK // 2), "uint8")
    scales = (random.random((columns, blocks), "float32") + 0.5) / 64
    numbers = np.stack([weights & 15, weights >> 4], -1).reshape(columns, blocks, BLOCK)
    matrix = ((numbers.astype("float32") - 8) * scales[..., None]).reshape(columns, terms).T
    a, y = random.standard_normal((rows, terms), "float32"), np.empty((rows, columns), "float32")
    model = packed_product(a, (weights, scales), y)
    peer, ours = session(model), compiled(model, a, y)
    ours()
    np.testing.assert_allclose(y, a @ matrix, rtol=1e-4, atol=1e-3)
    floats = compiled(
        product(a, np.ascontiguousarray(matrix), np.empty_like(y)), a, np.empty_like(y)
    )
    calls = max(WORK // (y.size * terms), 1)
    name = f"matmul.4bit.{rows}x{terms}x{columns}"
    for side, function in (("float32", floats), ("onnxruntime", lambda: peer.run(None, {"a": a}))):
        found = interleaved(ours, function, rounds=ROUNDS, calls=calls)
        report(f"{name}.{side}", found[0] / 1e6, found[1] / 1e6, "ms")
    if rows == 1:
        read = (weights.nbytes + scales.nbytes) / found[0]
        peak = machine_peak(1).bytes_per_second / 1e9
        report(f"{name}.bandwidth", read, peak, "GB/s", more_is_better=True)


def measure_all() -> None:
    """Print the rows of all shapes."""
    random = np.random.default_rng(0)
    for shape in PACKED:
        measure_packed(*shape, random)
    for shape in PACKED:
        measure_packed(*shape, random)
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
