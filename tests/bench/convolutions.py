"""Compiled convolutions on one thread, against onnxruntime.

Prints `conv2d.3x3`, the four convolutions of ResNet-50 with windows of 3 x 3 and stride 1, one call
of each, in milliseconds. Lines that begin with `#` have the ratio of each one, and of windows of
other shapes. Data, weights and results are in the layout of ONNX; onnxruntime packs its constant
weights once.

The peer is the package `onnxruntime`, which is installed in a folder of its own the first time.
"""

from __future__ import annotations

import os
import subprocess
import sys
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

PEER = Path(__file__).resolve().parents[2] / "build/peer-onnxruntime"
# The rest of what it needs is in the environment, as `onnx` needs it too.
PACKAGES = ("onnxruntime==1.32.0", "flatbuffers==25.12.19")
ROUNDS = 15
# Multiplications of a timing, which takes long enough.
WORK = 1 << 28


class Case(NamedTuple):
    """A convolution of one image with padding that keeps its size at stride 1."""

    channels: int
    spatial: tuple[int, ...]
    outputs: int
    kernel: int
    stride: int = 1
    groups: int = 1

    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Return the shapes of the data, of the weights and of the result."""
        rank = len(self.spatial)
        places = [(extent - 1) // self.stride + 1 for extent in self.spatial]
        return (
            (1, self.channels, *self.spatial),
            (self.outputs, self.channels // self.groups, *[self.kernel] * rank),
            (1, self.outputs, *places),
        )

    def attributes(self) -> dict[str, Any]:
        """Return the attributes that both sides have."""
        rank = len(self.spatial)
        return {"strides": [self.stride] * rank, "pads": [self.kernel // 2] * 2 * rank}


RESNET = (
    Case(64, (56, 56), 64, 3),
    Case(128, (28, 28), 128, 3),
    Case(256, (14, 14), 256, 3),
    Case(512, (7, 7), 512, 3),
)
OTHERS = {
    "3x3 stride 2": Case(128, (56, 56), 128, 3, stride=2),
    "1x1": Case(256, (56, 56), 64, 1),
    "1x1 of small images": Case(2048, (7, 7), 512, 1),
    "1x1 stride 2": Case(256, (56, 56), 512, 1, stride=2),
    "7x7 stride 2": Case(3, (224, 224), 64, 7, stride=2),
    "depthwise": Case(128, (56, 56), 128, 3, groups=128),
    "32 groups": Case(128, (56, 56), 128, 3, groups=32),
    "1-D": Case(64, (1000,), 64, 3),
    "3-D": Case(16, (16, 16, 16), 32, 3),
}


def ours(case: Case) -> Any:
    """Return our convolution, which takes data, weights and the result."""
    import uir

    data, weights, _ = case.shapes()
    attributes = ", ".join(f"{key}={value}" for key, value in case.attributes().items())
    module = uir.script.parse(
        f"""
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor({data}, "float32"), w: relay.Tensor({weights}, "float32")):
        return relay.conv(x, w, {attributes}, groups={case.groups})
"""
    )
    return uir.build(module)["main_into"]


def peer(case: Case, weights: Any) -> Any:
    """Return onnxruntime's session of one convolution with constant weights."""
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    shapes = case.shapes()
    node = helper.make_node("Conv", ["x", "w"], ["y"], group=case.groups, **case.attributes())
    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in (("x", shapes[0]), ("y", shapes[2]))
    )
    graph = helper.make_graph([node], "conv", [x], [y], [numpy_helper.from_array(weights, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def times(case: Case) -> tuple[float, float]:
    """Return how long both sides take, in milliseconds, after they computed the same."""
    import numpy as np
    import tvm_ffi
    from report import interleaved

    numbers = np.random.default_rng(0)
    data, weights = (numbers.standard_normal(shape, np.float32) for shape in case.shapes()[:2])
    found = np.empty(case.shapes()[2], np.float32)
    function, session = ours(case), peer(case, weights)
    args = [tvm_ffi.from_dlpack(one) for one in (data, weights, found)]
    function(*args)
    (expected,) = session.run(None, {"x": data})
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-2)
    calls = max(WORK // (found.size * prod(case.shapes()[1][1:])), 1)
    nanoseconds = interleaved(
        lambda: function(*args),
        lambda: session.run(None, {"x": data}),
        rounds=ROUNDS,
        calls=calls,
    )
    return nanoseconds[0] / 1e6, nanoseconds[1] / 1e6


def measure() -> None:
    """Print the figures."""
    from report import report

    found = [times(case) for case in RESNET]
    for case, (own, other) in zip(RESNET, found, strict=True):
        print(f"# 3x3, {case.channels} x {case.spatial}: {other / own:.3f}", file=sys.stderr)
    report("conv2d.3x3", sum(own for own, _ in found), sum(other for _, other in found), "ms")
    for name, case in OTHERS.items():
        own, other = times(case)
        print(f"# {name}: {other / own:.3f}", file=sys.stderr)


def main() -> None:
    """Run both sides in a process of one thread."""
    done = PEER / "installed"
    if not done.exists() or done.read_text() != "\n".join(PACKAGES):
        quiet = ("--quiet", "--disable-pip-version-check", "--no-deps")
        command = [sys.executable, "-m", "pip", "install", *quiet, "--upgrade", "--target", PEER]
        subprocess.run([*command, *PACKAGES], check=True)
        done.write_text("\n".join(PACKAGES))
    threads = {"OMP_NUM_THREADS": "1", "UIR_NUM_THREADS": "1"}
    environment = {**os.environ, **threads, "PYTHONPATH": str(PEER)}
    subprocess.run([sys.executable, __file__, "measure"], check=True, env=environment)


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure()
    else:
        main()
