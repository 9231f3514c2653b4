"""Import and build of large models of ONNX: time and memory, against onnxruntime.

Prints `import.nodes4000`, the time in which a model of 4,000 nodes becomes a module, against that
in which onnxruntime makes a session without optimizations. For a model of 400 MB of weights in a
file it prints `import.memory`, the most memory in MB that the import adds to the process, and
`build.memory`, that which the build adds to the imported model, both against what a session of
onnxruntime adds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from model_graphs import Graph
from onnx_peer import output_with_threads
from report import report

NODES, LAYERS, WIDTH = 4000, 24, 2048
MEGABYTE = 1e6


def deep_model() -> onnx.ModelProto:
    """Return a model of many small nodes, with arithmetic on its symbolic batch."""
    graph, x = Graph(), "x"
    while len(graph.nodes) < NODES:
        centered = graph.call("Sub", x, graph.call("ReduceMean", x, np.array([-1])))
        scaled = graph.call("Tanh", graph.dense(centered, 64, 64))
        rows = graph.call("Shape", x, start=0, end=1)
        shape = graph.call("Concat", rows, np.array([-1, 4, 16]), axis=0)
        heads = graph.call("Transpose", graph.call("Reshape", scaled, shape), perm=[0, 2, 1, 3])
        seen = graph.call("Softmax", heads, axis=-1)
        turned = graph.call("Transpose", seen, perm=[0, 2, 1, 3])
        whole = graph.call("Concat", rows, np.array([-1, 64]), axis=0)
        x = graph.call("Add", x, graph.call("Reshape", turned, whole))
    return graph.network(("n", 10, 64), x).model


def wide_model() -> onnx.ModelProto:
    """Return a model of large matrices."""
    graph, x = Graph(), "x"
    for _ in range(LAYERS):
        x = graph.call("Relu", graph.call("MatMul", x, graph.weight(WIDTH, WIDTH)))
    return graph.network(("n", WIDTH), x).model


def session_of(model: bytes | str, is_optimized: bool) -> Any:
    """Return onnxruntime's session of a model, or of a file."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    if not is_optimized:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def resident(field: str) -> float:
    """Return `VmRSS` or `VmHWM`, the memory of the process now or at most, in MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{field}:")[1].split()[0]) * 1024 / MEGABYTE


def added(function: Any) -> tuple[float, Any]:
    """Return the most memory in MB that a call adds to that of the process, and its result."""
    before = resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    result = function()
    return resident("VmHWM") - before, result


def measure_memory(side: str, path: str) -> None:
    """Print the memory of one side."""
    if side == "peer":
        import onnxruntime

        assert onnxruntime
        print(json.dumps([added(lambda: session_of(path, True))[0]]))
        return
    import uir
    from uir.frontend.onnx import from_onnx

    imported, module = added(lambda: from_onnx(path))
    print(json.dumps([imported, added(lambda: uir.build(module))[0]]))


def memory(side: str, path: str) -> list[float]:
    """Return the memory of one side, which a process of its own measures."""
    command = [sys.executable, __file__, "measure", side, path]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: list[float] = json.loads(done.stdout)
    return found


def measure() -> None:
    """Print all rows."""
    from uir.frontend.onnx import from_onnx

    model = deep_model()
    start = time.process_time()
    from_onnx(model)
    ours = time.process_time() - start
    start = time.process_time()
    session_of(model.SerializeToString(), False)
    report(f"import.nodes{NODES}", ours, time.process_time() - start, "s")
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/wide.onnx"
        onnx.save(wide_model(), path)
        (peer,) = memory("peer", path)
        imported, built = memory("ours", path)
    report("import.memory", imported, peer, "MB")
    report("build.memory", built, peer, "MB")


if __name__ == "__main__":
    if sys.argv[1:2] != ["measure"]:
        print(output_with_threads(__file__, 1), end="")
    elif sys.argv[2:]:
        measure_memory(sys.argv[2], sys.argv[3])
    else:
        measure()
