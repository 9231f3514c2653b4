"""Products of integers of 8 bits on one thread, against our float32 and onnxruntime's integers.

Prints two rows for each shape, in milliseconds: `matmul.8bit.<shape>.float32`, whose peer is our
product of the same shape in float32, and `matmul.8bit.<shape>.onnxruntime`, whose peer is
`MatMulInteger`. The left operand is of uint8 with a zero point, the right one constant and of int8.
The row `instructions` names the instructions that the processor has for such products.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from onnx_peer import ROUNDS, WORK, run_in_one_thread
from report import interleaved, report

SHAPES = [
    (512, 512, 512),
    (1024, 1024, 1024),
    (2048, 2048, 2048),
    (128, 768, 3072),
    (1, 4096, 4096),
]
INSTRUCTIONS = ["avx512_vnni", "avx_vnni", "avx2", "asimddp", "i8mm"]


def instructions() -> list[str]:
    """Return the instructions for products of bytes that the processor has."""
    known = set(Path("/proc/cpuinfo").read_text().split())
    return [name for name in INSTRUCTIONS if name in known]


def model(a: Any, b: Any) -> Any:
    """Return the model of a product with a constant right operand, and a zero point of bytes."""
    from onnx import TensorProto, helper, numpy_helper

    is_integer = a.dtype == np.uint8
    name, dtype = ("MatMulInteger", "UINT8") if is_integer else ("MatMul", "FLOAT")
    constants = [numpy_helper.from_array(b, "b")]
    if is_integer:
        constants.append(numpy_helper.from_array(np.array(121, "uint8"), "zero"))
    node = helper.make_node(name, ["a", "b", *(["zero"] if is_integer else [])], ["y"])
    value = helper.make_tensor_value_info("a", getattr(TensorProto, dtype), a.shape)
    y = helper.make_tensor_value_info("y", TensorProto.INT32 if is_integer else 1, None)
    graph = helper.make_graph([node], "product", [value], [y], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


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


def measure(m: int, k: int, n: int) -> None:
    """Print the rows of a shape, after both sides computed the same."""
    random = np.random.default_rng(0)
    a, b = random.integers(0, 256, (m, k), "uint8"), random.integers(-128, 128, (k, n), "int8")
    y, real = np.empty((m, n), "int32"), np.empty((m, n), "float32")
    product = model(a, b)
    peer, ours = session(product), compiled(product, a, y)
    ours()
    np.testing.assert_array_equal(y, peer.run(None, {"a": a})[0])
    wide = a.astype("float32")
    floats = compiled(model(wide, b.astype("float32")), wide, real)
    calls = max(WORK // (m * k * n), 1)
    name = f"matmul.8bit.{m}x{k}x{n}"
    for side, function in (("float32", floats), ("onnxruntime", lambda: peer.run(None, {"a": a}))):
        found = interleaved(ours, function, rounds=ROUNDS, calls=calls)
        report(f"{name}.{side}", found[0] / 1e6, found[1] / 1e6, "ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        print(json.dumps({"name": "instructions", "found": instructions()}), flush=True)
        for shape in SHAPES:
            measure(*shape)
    else:
        run_in_one_thread(__file__)
