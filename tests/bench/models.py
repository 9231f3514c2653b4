"""Whole models of ONNX with random weights, imported and compiled, against onnxruntime.

Prints `mlp` (64 images of 784 pixels), `encoder.layer` and `encoder.6layers` (128 tokens of 384
elements, 12 heads), `attention.1024` (12 heads over 1024 tokens), `lstm` (2 layers of 256
features, 100 steps), `trees.b1` and `trees.b1000` (500 trees of 6 levels, for 1 and 1,000 rows of
32 features), `squeezenet.b1`, `resnet50.b1` and `densenet121.b1`, one call each, in milliseconds on
one thread. `<name>.2threads` has two threads on both sides,
`<name>.gain.2threads` is our time with two threads against that with one. `<name>.compile` is the
time of import and build without a cache, against that in which onnxruntime makes its session.
`<name>.memory` is the arena of one call against the least that liveness allows, `<name>.library`
the size of the library against that of the weights, in MiB. Arguments choose models.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from model_graphs import MODELS, Network
from onnx_peer import output_with_threads
from report import interleaved, report

ROUNDS = 15
LEAST_MS = 100.0
"""How long a timing takes at least, in milliseconds."""
MEBIBYTE = 1 << 20


def session_of(network: Network, threads: int) -> Any:
    """Return onnxruntime's session of a model."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        network.model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def compiled(name: str, network: Network, session_seconds: float, threads: int) -> Any:
    """Return our function of a model; print what it took."""
    import uir
    from uir.frontend.onnx import from_onnx

    with tempfile.TemporaryDirectory() as folder:
        os.environ["UIR_CACHE_DIR"] = folder
        start = time.perf_counter()
        module = from_onnx(network.model)
        built = uir.build(module)
        seconds = time.perf_counter() - start
        if threads == 1:
            library = Path(folder) / "model.so"
            uir.runtime.export_library(built, str(library))
            main = uir.lower(module).lookup("main")
            arena, least = (int(main.get_attr(key) or 0) for key in ("arena_bytes", "live_bytes"))
            weights = sum(int(np.prod(one.dims)) * 4 for one in network.model.graph.initializer)
            size = library.stat().st_size
            report(f"{name}.compile", seconds, session_seconds, "s")
            if arena:
                report(f"{name}.memory", arena / MEBIBYTE, least / MEBIBYTE, "MiB")
            if weights:
                report(f"{name}.library", size / MEBIBYTE, weights / MEBIBYTE, "MiB")
    return built["main_into"]


def measure(name: str, threads: int) -> None:
    """Compare the results of both sides, then their times."""
    import tvm_ffi

    network = MODELS[name]()
    data = network.model.graph.input[0].name
    x = np.random.default_rng(1).standard_normal(network.shape, np.float32)
    start = time.perf_counter()
    session = session_of(network, threads)
    session_seconds = time.perf_counter() - start
    (expected,) = session.run(None, {data: x})
    function = compiled(name, network, session_seconds, threads)
    found = np.empty(expected.shape, np.float32)
    args = [tvm_ffi.from_dlpack(one) for one in (x, found)]
    function(*args)
    difference = np.abs(found - expected).max() / np.abs(expected).max()
    if not difference <= 1e-4:
        raise ValueError(f"{name}: results differ by {difference:.2g} of their scale")
    start = time.perf_counter()
    function(*args)
    calls = max(int(LEAST_MS / 1e3 / (time.perf_counter() - start)), 1)
    times = interleaved(
        lambda: function(*args),
        lambda: session.run(None, {data: x}),
        rounds=ROUNDS,
        calls=calls,
        threads=threads,
    )
    suffix = "" if threads == 1 else f".{threads}threads"
    report(f"{name}{suffix}", times[0] / 1e6, times[1] / 1e6, "ms")


def main(names: list[str]) -> None:
    """Print the rows of models, each number of threads in a process of its own."""
    for name in names:
        ours = []
        for threads in (1, 2):
            lines = output_with_threads(__file__, threads, name, str(threads))
            print(lines, end="", flush=True)
            ours.append(json.loads(lines.splitlines()[-1])["ours"])
        report(f"{name}.gain.2threads", ours[1], ours[0], "ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(sys.argv[2], int(sys.argv[3]))
    else:
        main(sys.argv[1:] or list(MODELS))
