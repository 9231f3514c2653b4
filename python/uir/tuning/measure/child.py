"""One measurement, in a process that exists for it alone."""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import geometric_mean
from typing import Any, TypeAlias

import numpy as np

from uir_nodes.ir import IRModule
from uir_nodes.target import Target
from uir_nodes.tir import PrimFunc

from ...driver import build, lower
from ...ir import load_binary
from ...runtime import Module, time_evaluator
from ...target import emit_c
from ..chains import replay_passes
from ..trace_line import LAYOUTS, is_layout, parse_line
from .arguments import arguments_of, as_arguments, difference
from .job import Job
from .measurer import Measured
from .pairs import decide, ratio_of

__all__ = ["run_job"]

Sample: TypeAlias = tuple[Callable[[], float], ...]
"""Two functions, which return the times of the two libraries for equal sizes."""

_ORDERS_SUMS = ("ScheduleRow", LAYOUTS)
"""The recipes whose choices decide the order of sums."""

_SAMPLE = 2e-3
"""The least seconds of a sample, which repeats short calls."""


def run_job(job: Job) -> None:
    """Measure, and write the result as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (job.memory, job.memory))
    try:
        measured = _measured(job)
    except MemoryError:
        measured = Measured("memory", f"more than {job.memory >> 20} MiB")
    except ValueError as error:
        measured = Measured("refused", _first_line(error))
    except Exception as error:  # Compilers and kernels may raise anything.
        measured = Measured("error", f"{type(error).__name__}: {_first_line(error)}")
    part = Path(f"{job.result}.part")
    part.write_text(json.dumps(asdict(measured)))
    part.replace(job.result)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _measured(job: Job) -> Measured:
    module = load_binary(Path(job.module).read_bytes())
    assert isinstance(module, IRModule)
    func = module["main"]
    assert isinstance(func, PrimFunc)
    # The limit of time is enough for chains, which are many kernels.
    most = None if is_layout(job.trace) else job.text_bytes
    libraries = [_library(module, job, job.trace, most)]
    if not job.against:
        return Measured("ok", "compiled")
    libraries.append(_library(module, job, job.against, None))
    if job.core >= 0 and hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[-1 - job.core % len(cores)]})
    samples: list[Sample] = []
    for sizes in job.sizes:
        results = [arguments_of(func, sizes, job.seed) for _ in libraries]
        for library, values in zip(libraries, results, strict=True):
            library["main"](*as_arguments(values))
        found, expected = results
        if gap := difference(found, expected, is_exact=_keeps_order(job)):
            at = f" for {sizes}" if len(job.sizes) > 1 else ""
            return Measured("wrong", gap + at)
        arguments = as_arguments(found)
        samples.append(tuple(_sampler(library, arguments) for library in libraries))
    return _mean(samples, job) if job.objective == "mean" else _worst(samples, job)


def _library(module: IRModule, job: Job, trace: tuple[str, ...], most: int | None) -> Module:
    """Build a candidate, unless its C has more than a number of bytes."""
    target = Target("c", job.isa)
    lowered = lower(module, target, pipeline=replay_passes(job.hash, trace, job.isa))
    if most is not None and (size := len(emit_c(lowered, target))) > most:
        raise ValueError(f"its C has {size >> 10} KiB, more than {most >> 10}")
    return build(lowered, target, pipeline=[])


def _keeps_order(job: Job) -> bool:
    """Return whether both candidates add the terms of each sum in the same order."""
    rows = [
        [line for line in trace if parse_line(line).recipe in _ORDERS_SUMS]
        for trace in (job.trace, job.against)
    ]
    return rows[0] == rows[1]


def _worst(samples: Sequence[Sample], job: Job) -> Measured:
    """Return the slowest of all samples, or of those up to the first that is not faster."""
    worst: Measured | None = None
    for sample in samples:
        made = _timed([sample], job, job.seconds)
        if worst is None or not made.is_faster or (made.ratio or 0) > (worst.ratio or 0):
            worst = made
        if not made.is_faster:
            break
    assert worst is not None
    return worst


def _mean(samples: Sequence[Sample], job: Job) -> Measured:
    """Return the geometric means of the times of all samples."""
    return _timed(samples, job, job.seconds * len(samples))


def _timed(samples: Sequence[Sample], job: Job, seconds: float) -> Measured:
    """Time two libraries in turns, until they are told apart or a limit is reached."""
    times: tuple[list[float], list[float]] = ([], [])
    end, decision = time.monotonic() + seconds, ""
    while not decision and len(times[0]) < job.pairs and time.monotonic() < end:
        turn = (0, 1) if len(times[0]) % 2 else (1, 0)
        pairs = [{which: sample[which]() for which in turn} for sample in samples]
        for which in turn:
            times[which].append(geometric_mean(pair[which] for pair in pairs))
        decision = decide(*times)
    return Measured(
        "ok", decision or "undecided", ratio_of(*times), tuple(times[0]), tuple(times[1])
    )


def _sampler(library: Module, arguments: list[Any]) -> Callable[[], float]:
    once = time_evaluator(library, "main", number=1, repeat=2)(*arguments).min
    number = max(1, int(np.ceil(_SAMPLE / max(once, 1e-8))))
    measure = time_evaluator(library, "main", number=number, repeat=1)
    return lambda: max(measure(*arguments).min, 1e-12)
