"""Machines of a cluster: their room, answers that cannot be right, and texts that name workers."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from uir.ir import save_binary
from uir.target import Target
from uir.tuning import LocalWorkers, Measured, RemoteWork, Samples, Settings, Task
from uir.tuning.tune import workers_of
from uir.tuning.workers import cluster
from uir.tuning.workers.nodes import Node, fault_of

from .samples import kernel_of, product

FASTER = Measured("ok", "faster", 0.5, (1.0,) * 12, (2.0,) * 12)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (FASTER, ""),
        (Measured("crash", "SIGSEGV"), ""),
        (replace(FASTER, times=(2.0,) * 12, ratio=1.0, reason="equal"), ""),
        (None, "it has no known outcome"),
        (Measured("fine", ""), "it has no known outcome"),
        (replace(FASTER, times=()), "it has no pairs"),
        (replace(FASTER, times=(), against_times=()), "it has no pairs"),
        (replace(FASTER, times=(0.0,) * 12), "a time is not a positive number"),
        (replace(FASTER, times=(float("nan"),) * 12), "a time is not a positive number"),
        (replace(FASTER, ratio=0.1), "the ratio 0.1 is not that of its pairs, 0.5"),
        (replace(FASTER, ratio=None), "the ratio None is not that of its pairs, 0.5"),
        (replace(FASTER, reason="slower"), "its pairs are not `slower`"),
    ],
)
def test_answers_that_cannot_be_right_have_a_fault(answer: object, fault: str) -> None:
    assert fault_of(answer) == fault


def test_free_cores_compile_the_next_candidates() -> None:
    assert Node("a", "", slots=1, cores=1).room == 1
    assert Node("a", "", slots=1, cores=8).room == 2
    assert Node("a", "", slots=8, cores=8, running=3).room == 5


def test_a_machine_compiles_and_measures_what_travels_as_bytes() -> None:
    settings = Settings(Target(), Samples.of({}), 3)
    work = RemoteWork()
    kernel, context = kernel_of(product()), work.context(settings)
    slow = (kernel.trace[0].replace("lanes=", "lanes=1, unused="),)
    task = Task(context.key, kernel, slow, kernel.trace, "search")
    compiled = work.compile(settings, task)
    assert (compiled.outcome, compiled.ratio) == ("ok", None)
    # As Ray passes them: each call has objects of its own.
    own_settings, own_task = pickle.loads(pickle.dumps((settings, task)))
    measured = work.measure(own_settings, own_task, compiled)
    assert measured.outcome == "ok" and measured.ratio is not None and measured.ratio > 1
    assert fault_of(measured) == ""
    bad = replace(task, trace=(kernel.trace[0].replace(": c: ", ": d: "),))
    refused = work.compile(settings, bad)
    assert refused.outcome == "refused" and work.measure(settings, bad, refused) == refused
    times = work.profile(settings, save_binary(product()), {kernel.hash: [kernel]})
    assert 0 < times[kernel.hash].share <= 1


def test_texts_name_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(workers_of("2"), LocalWorkers) and isinstance(workers_of(1), LocalWorkers)
    for text in ("0", 0):
        with pytest.raises(ValueError, match="at least one worker"):
            workers_of(text)
    with pytest.raises(ValueError, match="expected a number of workers, ray or ray://HOST:PORT"):
        workers_of("many")

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(cluster, "import_module", missing)
    with pytest.raises(ImportError, match=r"need the package ray: install `uir\[tune\]`"):
        workers_of("ray://head:10001")
