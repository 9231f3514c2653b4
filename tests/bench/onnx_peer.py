"""Operators on images, compiled, against onnxruntime on one thread.

The peer is the package `onnxruntime`, which is installed in a folder of its own the first time.
Data, weights and results are in the layout of ONNX; onnxruntime packs its constant weights once.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

__all__ = ["Call", "output_with_threads", "run_in_one_thread", "times"]

PEER = Path(__file__).resolve().parents[2] / "build/peer-onnxruntime"
# The rest of what it needs is in the environment, as `onnx` needs it too.
PACKAGES = ("onnxruntime==1.32.0", "flatbuffers==25.12.19")
ROUNDS = 15
# Multiplications of a timing, which takes long enough.
WORK = 1 << 28


@dataclass(frozen=True)
class Call:
    """
    A call of an operator.

    Attributes
    ----------
    relay, onnx
        The names of the operator.
    data, weights
        Shapes; an operator without weights has none.
    window
        The shape of the window.
    attributes
        The attributes that both sides call the same.
    groups
        The groups of channels of a convolution.
    """

    relay: str
    onnx: str
    data: tuple[int, ...]
    window: tuple[int, ...]
    weights: tuple[int, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)
    groups: int = 1

    def module(self) -> Any:
        """Return our module of the call."""
        import uir

        shapes = {"x": self.data, **({"w": self.weights} if self.weights else {})}
        params = ", ".join(
            f'{name}: relay.Tensor({dims}, "float32")' for name, dims in shapes.items()
        )
        operands = ["x", "w"] if self.weights else ["x", f"{self.window}"]
        keywords = dict(self.attributes, **({"groups": self.groups} if self.weights else {}))
        call = ", ".join([*operands, *(f"{key}={value!r}" for key, value in keywords.items())])
        return uir.script.parse(
            f"""
@uir.script.ir_module
class Module:
    @relay.function
    def main({params}):
        return relay.{self.relay}({call})
"""
        )

    def session(self, weights: Any) -> Any:
        """Return onnxruntime's session of the call."""
        import onnxruntime
        from onnx import TensorProto, helper, numpy_helper

        own = {"group": self.groups} if self.weights else {"kernel_shape": self.window}
        attributes = {key: int(one) if one is True else one for key, one in self.attributes.items()}
        names = ["x", "w"] if self.weights else ["x"]
        node = helper.make_node(self.onnx, names, ["y"], **own, **attributes)
        x = helper.make_tensor_value_info("x", TensorProto.FLOAT, self.data)
        y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
        constants = [numpy_helper.from_array(weights, "w")] if self.weights else []
        graph = helper.make_graph([node], "call", [x], [y], constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )


def times(call: Call) -> tuple[float, float]:
    """Return how long both sides take, in milliseconds, after they computed the same."""
    import numpy as np
    import tvm_ffi
    from report import interleaved

    import uir

    numbers = np.random.default_rng(0)
    data, weights = (
        numbers.standard_normal(dims, np.float32) for dims in (call.data, call.weights)
    )
    session, function = call.session(weights), uir.build(call.module())["main_into"]
    (expected,) = session.run(None, {"x": data})
    found = np.empty(expected.shape, np.float32)
    arrays = [data, weights, found] if call.weights else [data, found]
    args = [tvm_ffi.from_dlpack(one) for one in arrays]
    function(*args)
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-2)
    work = found.size * prod(call.weights[1:] or call.window)
    nanoseconds = interleaved(
        lambda: function(*args),
        lambda: session.run(None, {"x": data}),
        rounds=ROUNDS,
        calls=max(WORK // work, 1) if call.weights else max(WORK // work // 16, 1),
    )
    return nanoseconds[0] / 1e6, nanoseconds[1] / 1e6


def run_in_one_thread(file: str) -> None:
    """Run a benchmark with the argument `measure` in a process of one thread, beside the peer."""
    print(output_with_threads(file, 1, *sys.argv[1:]), end="")


def output_with_threads(file: str, threads: int, *arguments: str) -> str:
    """Return what a benchmark prints with the argument `measure`, beside the peer."""
    done = PEER / "installed"
    if not done.exists() or done.read_text() != "\n".join(PACKAGES):
        quiet = ("--quiet", "--disable-pip-version-check", "--no-deps")
        command = [sys.executable, "-m", "pip", "install", *quiet, "--upgrade", "--target", PEER]
        subprocess.run([*command, *PACKAGES], check=True)
        done.write_text("\n".join(PACKAGES))
    counts = dict.fromkeys(("OMP_NUM_THREADS", "UIR_NUM_THREADS"), str(threads))
    environment = {**os.environ, **counts, "PYTHONPATH": str(PEER)}
    command = [sys.executable, file, "measure", *arguments]
    return subprocess.run(
        command, check=True, env=environment, stdout=subprocess.PIPE, text=True
    ).stdout
