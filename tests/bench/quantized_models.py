"""Whole models of 8 bits against our float32 and onnxruntime, on one thread and on two.

`uir quantize` makes the models from those of `model_graphs`: all layers are quantized, whatever
their errors are, because weights are random. For each, `<name>.8bit.float32` is our time beside
that of the float32 model, and `<name>.8bit.onnxruntime` beside that of onnxruntime for the same
quantized model, both in milliseconds; `.2threads` has two threads on both sides. The row
`<name>.8bit.products` counts the products that are computed in 8 bits, and those that are not, by
reason; `instructions` names the processor's instructions for products of bytes. Arguments choose
models.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from lowbits import instructions
from model_graphs import MODELS, Network
from models import session_of, time_calls
from onnx_peer import output_with_threads
from report import report

NAMES = ["resnet50.b1", "mobilenetv2.b1", "bert"]


def quantized(network: Network) -> Network:
    """Return the model with 8 bits in all of its layers."""
    from uir.quantization import quantize

    name = network.model.graph.input[0].name
    found = quantize(network.model, {name: network.data()}, max_error=float("inf"))
    return network._replace(model=found.model)


def compiled(network: Network) -> tuple[Callable[[Any], Any], dict[str, int]]:
    """Return our function of a model, and the counts of its quantized products."""
    import uir
    from uir.frontend.onnx import from_onnx
    from uir.transform import PassContext, PassStatistics

    statistics = PassStatistics()
    with PassContext(instruments=[statistics]):
        function = uir.build(from_onnx(network.model))["main"]
    counts = statistics.counts.get("FuseQuantize", {})
    return function, {name: one for name, one in counts.items() if "quantized" in name}


def check(name: str, found: Any, exact: Any, peer: Any) -> None:
    """Check that our result is about as close to that of the float32 model as onnxruntime's."""
    scale = np.abs(exact).max()
    ours, other = (np.abs(np.asarray(one) - exact).max() / scale for one in (found, peer))
    if not ours <= max(2 * other, 0.1):
        raise ValueError(f"{name}: relative errors of {ours:.2g}, and {other:.2g} of onnxruntime")


def measure(name: str, threads: int) -> None:
    """Print the rows of a model."""
    import tvm_ffi

    network = MODELS[name]()
    small, x = quantized(network), network.data()
    argument = tvm_ffi.from_dlpack(x)
    ours, counts = compiled(small)
    floats, _ = compiled(network)
    session = session_of(small, threads)
    operands = {session.get_inputs()[0].name: x}
    exact = np.from_dlpack(floats(argument))
    check(name, np.from_dlpack(ours(argument)), exact, session.run(None, operands)[0])
    suffix = "" if threads == 1 else f".{threads}threads"
    if threads == 1:
        print(json.dumps({"name": f"{name}.8bit.products", "found": counts}), flush=True)
    sides = {
        "float32": lambda: floats(argument),
        "onnxruntime": lambda: session.run(None, operands),
    }
    for side, peer in sides.items():
        times = time_calls(lambda: ours(argument), peer, threads)
        report(f"{name}.8bit.{side}{suffix}", *times, "ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(sys.argv[2], int(sys.argv[3]))
    else:
        print(json.dumps({"name": "instructions", "found": instructions()}), flush=True)
        for chosen in sys.argv[1:] or NAMES:
            for count in (1, 2):
                print(output_with_threads(__file__, count, chosen, str(count)), end="", flush=True)
