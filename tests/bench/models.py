"""Whole models of ONNX with random weights, imported and compiled, against onnxruntime.

Prints a row for one call of each model of `model_graphs`, in milliseconds on one thread:
`<name>.2threads` has two threads on both sides, and `<name>.gain.2threads` is our time with two
threads against that with one. `<name>.compile` is the time of import and build without a cache,
against that in which onnxruntime makes its session. `<name>.memory` is the arena of one call
against the least that liveness allows, `<name>.library` the size of the library against that of the
weights, in MiB.

`<name>.symbolic` is a model whose sizes vary, on both sides. `<name>.symbolic.fixed` is its time
against ours with fixed sizes, and `<name>.symbolic.fixed.compile` the same for import and build.
`models` and `models.symbolic` are the geometric means of the calls on one thread. Arguments choose
models.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from model_graphs import MODELS, SYMBOLIC, Network
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


class Compiled(NamedTuple):
    """Our function of a model, and how long import and build took."""

    function: Any
    seconds: float


def compiled(name: str, network: Network, session_seconds: float | None) -> Compiled:
    """Compile a model; with the time of a session, print what it took."""
    import uir
    from uir.frontend.onnx import from_onnx

    with tempfile.TemporaryDirectory() as folder:
        os.environ["UIR_CACHE_DIR"] = folder
        start = time.perf_counter()
        module = from_onnx(network.model)
        built = uir.build(module)
        seconds = time.perf_counter() - start
        if session_seconds is not None:
            report(f"{name}.compile", seconds, session_seconds, "s")
            report_sizes(name, network, module, built, Path(folder) / "model.so")
    return Compiled(built["main"], seconds)


def report_sizes(name: str, network: Network, module: Any, built: Any, library: Path) -> None:
    """Print the memory of a call, and the size of the library."""
    import uir

    uir.runtime.export_library(built, str(library))
    main = uir.lower(module).lookup("main")
    arena, least = (main.get_attr(key) for key in ("arena_bytes", "live_bytes"))
    weights = sum(int(np.prod(one.dims)) * 4 for one in network.model.graph.initializer)
    # With sizes that vary, both are expressions.
    if isinstance(arena, int) and isinstance(least, int):
        report(f"{name}.memory", arena / MEBIBYTE, least / MEBIBYTE, "MiB")
    if weights:
        report(f"{name}.library", library.stat().st_size / MEBIBYTE, weights / MEBIBYTE, "MiB")


def checked(name: str, function: Any, x: Any, expected: np.ndarray) -> Callable[[], object]:
    """Return a call of our function whose result was compared with onnxruntime's."""
    import tvm_ffi

    argument = tvm_ffi.from_dlpack(x)
    difference = np.abs(np.from_dlpack(function(argument)) - expected).max()
    if not difference <= 1e-4 * np.abs(expected).max():
        raise ValueError(f"{name}: results differ by {difference:.2g}")
    return lambda: function(argument)


def time_calls(call: Callable[[], object], peer: Callable[[], object], threads: int) -> list[float]:
    """Return the milliseconds of a call on both sides."""
    start = time.perf_counter()
    call()
    calls = max(int(LEAST_MS / 1e3 / (time.perf_counter() - start)), 1)
    times = interleaved(call, peer, rounds=ROUNDS, calls=calls, threads=threads)
    return [one / 1e6 for one in times]


def measure(name: str, threads: int) -> None:
    """Compare a model with onnxruntime: its results, then its time."""
    model, is_symbolic = name.removesuffix(".symbolic"), name.endswith(".symbolic")
    network = MODELS[model]()
    shown = network.with_names(*SYMBOLIC[model]) if is_symbolic else network
    x = network.data()
    start = time.perf_counter()
    session = session_of(shown, threads)
    session_seconds = time.perf_counter() - start
    operands = {session.get_inputs()[0].name: x}
    (expected,) = session.run(None, operands)
    ours = compiled(name, shown, session_seconds if threads == 1 else None)
    call = checked(name, ours.function, x, expected)
    if is_symbolic:
        fixed = compiled(model, network, None)
        report(f"{name}.fixed.compile", ours.seconds, fixed.seconds, "s")
        peer = checked(model, fixed.function, x, expected)
        report(f"{name}.fixed", *time_calls(call, peer, threads), "ms")
    suffix = "" if threads == 1 else f".{threads}threads"
    times = time_calls(call, lambda: session.run(None, operands), threads)
    report(f"{name}{suffix}", *times, "ms")


def row(name: str, threads: int) -> dict[str, Any]:
    """Measure a model in a process of its own, and return the last row."""
    lines = output_with_threads(__file__, threads, name, str(threads))
    print(lines, end="", flush=True)
    return json.loads(lines.splitlines()[-1])


def main(names: list[str]) -> None:
    """Print the rows of models, then their means."""
    fixed, symbolic = [], []
    for name in names:
        one, two = (row(name, threads) for threads in (1, 2))
        report(f"{name}.gain.2threads", two["ours"], one["ours"], "ms")
        fixed.append(one["ratio"])
        if name in SYMBOLIC:
            symbolic.append(row(f"{name}.symbolic", 1)["ratio"])
    for name, ratios in (("models", fixed), ("models.symbolic", symbolic)):
        if ratios:
            report(name, 1.0, statistics.geometric_mean(ratios), "times")


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(sys.argv[2], int(sys.argv[3]))
    else:
        main(sys.argv[1:] or list(MODELS))
