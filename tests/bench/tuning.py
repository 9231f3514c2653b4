"""Tuning: the gain of a search over the table of parameters, and the cost of the search itself.

`kernels` prints for each of 20 kernels with odd shapes `tuning.<name>`: the time with the file of a
search against the time without it, in microseconds, of fresh pairs in new processes; `tuning.gain`
is the geometric mean of the ratios. A kernel for which the search found nothing has the ratio 1 and
is not measured again. With `--longer 5`, `tuning.<name>.longer` compares the file with that of a
search that continues for five times the budget. `twice` prints the seconds of a second search of
the last kernel. `kills` prints what 100 kills at random moments have lost. `build` prints what a
file costs `build` for each kernel, in milliseconds. `workers` prints the candidates per second that
the searching process hands to 200 workers with recorded times, by quarter of the search, the size
of the database, and how many of the ideal it reaches with tasks of 1.5 s. `models` searches models
of ONNX for `--model-budget` each. `tvm` compares with MetaSchedule in equal time.

By default `models` and `tvm` are left out, which take long.

`--budget` is the time for each kernel, by default 3 s; the documentation has figures of 6 s.
`--kernels` and `--models` select some by their names, `--parts` the parts.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from report import report
from tuning_cases.kernels import kernels
from tuning_cases.recorded import load_of

import uir
from uir import tuning
from uir.ir import IRModule

ROOT = Path(__file__).resolve().parents[2]
IN_TVM = ("m1", "k27", "n17", "odd", "depthwise5", "window14")
WORKERS, TASK_SECONDS = 200, 1.5


def line(name: str, **values: object) -> None:
    """Print one line of JSON without a peer."""
    print(json.dumps({"name": name, **values}), flush=True)


def again(
    kernel: tuning.Kernel, trace: tuple[str, ...], against: tuple[str, ...]
) -> tuple[float, float]:
    """Return the median times of two candidates in microseconds, of fresh pairs."""
    measurer = tuning.ProcessMeasurer(seed=100)
    made = measurer.measure(kernel, trace, against, confirms=True)
    measurer.close()
    assert made.outcome == "ok", made.reason
    return float(np.median(made.times)) * 1e6, float(np.median(made.against_times)) * 1e6


def chosen(options: argparse.Namespace) -> list[tuple[str, IRModule]]:
    """Return the selected kernels."""
    return [one for one in kernels() if not options.kernels or one[0] in options.kernels]


def slowest(module: IRModule, result: tuning.Result) -> tuning.Kernel:
    """Return the kernel that takes most of the time."""
    return tuning.kernels_of(module)[next(iter(result.shares))][0]


def best_of(kernel: tuning.Kernel, result: tuning.Result) -> tuple[str, ...]:
    """Return the choices for a kernel after a search."""
    known = {one.kernel: one.trace for one in result.kernels}
    return known.get(kernel.hash, kernel.trace)


def search_kernels(options: argparse.Namespace) -> None:
    """Search each kernel, and time the results again."""
    ratios = []
    for name, module in chosen(options):
        path = Path(options.folder, f"{name}.db")
        result = tuning.tune(module, budget=options.budget, database=path)
        kernel = slowest(module, result)
        mine = best_of(kernel, result)
        ratio = 1.0
        if mine != kernel.trace:
            times = again(kernel, mine, kernel.trace)
            report(f"tuning.{name}", *times, "us")
            ratio = times[1] / times[0]
        else:
            line(f"tuning.{name}", ratio=1, measured=result.measured, skipped=result.near_peak)
        ratios.append(ratio)
        if options.longer > 1:
            more = tuning.parse_budget(options.budget) * (options.longer - 1)
            better = best_of(kernel, tuning.tune(module, budget=more, database=path))
            if better != mine:
                report(f"tuning.{name}.longer", *again(kernel, mine, better), "us")
            else:
                line(f"tuning.{name}.longer", ratio=1)
    report(
        "tuning.gain", math.exp(float(np.mean(np.log(ratios)))), 1.0, "times", more_is_better=True
    )


def search_twice(options: argparse.Namespace) -> None:
    """Search a kernel with the database of an earlier search."""
    _, module = chosen(options)[-1]
    path = Path(options.folder, "twice.db")
    for _ in range(2):
        start = time.perf_counter()
        # The trials bound the first search, so that the second one has nothing to measure.
        result = tuning.tune(module, budget="10m", trials=6, database=path)
    line("tuning.twice", seconds=round(time.perf_counter() - start, 3), measured=result.measured)


def kill(options: argparse.Namespace) -> None:
    """Kill searches at random moments."""
    sys.path.insert(0, str(ROOT))
    from tests.python.uir.tuning.kills import survive

    with tempfile.TemporaryDirectory() as folder:
        line("tuning.kills", **vars(survive(Path(folder), 100)))


def build_with_file(options: argparse.Namespace) -> None:
    """Lower a module with and without a file of its kernels; compare the bytes of two builds."""
    from model_graphs import MODELS

    from uir.frontend.onnx import from_onnx

    module = from_onnx(MODELS["encoder.layer"]().model)
    found = tuning.kernels_of(module)
    traces = {key: equal[0] for key, equal in found.items()}
    tuned = tuple(tuning.TunedKernel(key, one.name, 1.0, one.trace) for key, one in traces.items())
    context = tuning.Context.here(uir.target.Target())
    path = Path(options.folder, "build.json")
    tuning.Result(tuned, {}, context, 0).save(path)
    texts, times = set(), {path: [], None: []}
    for _ in range(7):
        for given, known in times.items():
            start = time.perf_counter()
            lowered = uir.lower(module, tuned=given)
            known.append(time.perf_counter() - start)
            if given is not None:
                texts.add(uir.target.emit_c(lowered, uir.target.Target()))
    cost = (min(times[path]) - min(times[None])) * 1e3
    count = sum(map(len, found.values()))
    line("tuning.build", ms_per_kernel=round(cost / count, 4), kernels=count, texts=len(texts))


def load_workers(options: argparse.Namespace) -> None:
    """Search with recorded times on 200 workers."""
    with tempfile.TemporaryDirectory() as folder:
        at_once = load_of(Path(folder), WORKERS, 0.0, 2000)
        line(
            "tuning.workers.most",
            per_second=[round(one, 1) for one in at_once.rates],
            database_mib=round(at_once.mebibytes, 2),
            candidates=at_once.candidates,
            workers_fed=[round(one * TASK_SECONDS) for one in at_once.rates],
        )
        timed = load_of(Path(folder), WORKERS, TASK_SECONDS, 1200)
        ideal = WORKERS / TASK_SECONDS
        line("tuning.workers.timed", of_ideal=[round(one / ideal, 3) for one in timed.rates])


def search_models(options: argparse.Namespace) -> None:
    """Search whole models, and time them with and without the file."""
    from model_graphs import MODELS
    from report import interleaved

    from uir.frontend.onnx import from_onnx

    for name in options.models:
        network = MODELS[name]()
        module = from_onnx(network.model)
        path = Path(options.folder, f"{name}.json")
        result = tuning.tune(module, budget=options.model_budget)
        result.save(path)
        image = np.random.default_rng(0).random(network.shape, np.float32)
        tensor = uir.runtime.as_tensor(image)
        calls = [partial(uir.build(module, tuned=given)["main"], tensor) for given in (path, None)]
        threads = uir.runtime.num_threads()
        ours, table = interleaved(*calls, rounds=15, calls=1, threads=threads)
        report(f"tuning.model.{name}", ours / 1e6, table / 1e6, "ms")
        line(f"tuning.model.{name}.expected", gain=result.gain, measured=result.measured)


def compare_with_tvm(options: argparse.Namespace) -> None:
    """Give MetaSchedule some trials, and our search the same time."""
    from tuning_cases.meta_schedule import searched

    for name, module in chosen(options):
        if name not in IN_TVM:
            continue
        peer = searched(name, options.tvm_trials)
        if peer.why:
            line(f"tuning.tvm.{name}", none_because=peer.why)
            continue
        result = tuning.tune(module, budget=peer.seconds)
        kernel = slowest(module, result)
        mine, _ = again(kernel, best_of(kernel, result), kernel.trace)
        report(f"tuning.tvm.{name}", mine, peer.best * 1e6, "us")
        ours = result.measured / peer.seconds
        theirs = peer.candidates / peer.seconds
        report(f"tuning.tvm.{name}.candidates", ours, theirs, "per s", more_is_better=True)


PARTS: dict[str, Callable[[argparse.Namespace], Any]] = {
    "kernels": search_kernels,
    "twice": search_twice,
    "kills": kill,
    "build": build_with_file,
    "workers": load_workers,
    "models": search_models,
    "tvm": compare_with_tvm,
}


SHORT = ("kernels", "twice", "kills", "build", "workers")
"""The parts that take minutes."""


def main() -> None:
    """Search and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", default="3s")
    parser.add_argument("--longer", type=int, default=1)
    parser.add_argument("--model-budget", default="60s")
    parser.add_argument("--tvm-trials", type=int, default=16)
    parser.add_argument("--kernels", nargs="*")
    parser.add_argument("--models", nargs="*", default=["encoder.layer"])
    parser.add_argument("--parts", nargs="*", choices=PARTS, default=SHORT)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as options.folder:
        for part in options.parts:
            PARTS[part](options)


if __name__ == "__main__":
    main()
