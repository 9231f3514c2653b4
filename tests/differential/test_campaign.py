"""Ranges of seeds go on where they stopped; what ends a process or does not build is an outcome."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

import uir

from . import batches, campaign
from .batches import DEAD, EQUAL, UNBUILT, Outcome, outcomes
from .campaign import Campaign
from .compiler import BATCH, PLAIN, PRODUCT, compiler_of, level_of
from .generator import digest
from .graphs import random_graph


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Compile nothing; the seeds in this set come out as dead."""
    dead: set[int] = set()
    monkeypatch.setattr(campaign, "graphs_of", lambda seeds: (list(seeds), []))
    monkeypatch.setattr(campaign, "compare_with_onnx", lambda graph: ({}, []))
    monkeypatch.setattr(campaign, "is_installed", lambda: False)
    monkeypatch.setattr(
        campaign,
        "outcomes",
        lambda seeds: [Outcome(one, DEAD if one in dead else EQUAL) for one in seeds],
    )
    return dead


def test_a_range_goes_on_and_tries_faults_again(tmp_path: Path, faults: set[int]) -> None:
    faults.add(BATCH + 3)
    first = Campaign(tmp_path, 0, 3 * BATCH)
    for batch in list(first.batches())[:2]:
        first.run(batch)
    # The process ended within a line.
    with first.path.open("a", encoding="utf-8") as log:
        log.write('{"first": 10')
    second = Campaign(tmp_path, 0, 3 * BATCH)
    assert [one["seed"] for one in second.faults()] == [BATCH + 3]
    assert [one.start for one in second.batches()] == [2 * BATCH, BATCH]
    faults.clear()
    for batch in second.batches():
        second.run(batch)
    third = Campaign(tmp_path, 0, 3 * BATCH)
    assert list(third.batches()) == []
    assert (third.counts(), third.faults()) == ({EQUAL: 3 * BATCH}, [])


def test_a_graph_that_ends_the_process_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = [random_graph(seed, ["add"], 1) for seed in range(4)]
    run = batches.run

    def ending(graph: batches.Graph, library: object, arguments: list[object]) -> list[object]:
        if graph.seed == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return run(graph, library, arguments)

    monkeypatch.setattr(batches, "run", ending)
    assert [one.kind for one in outcomes(graphs)] == [EQUAL, EQUAL, DEAD, EQUAL]


def test_a_graph_that_does_not_build_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = [random_graph(seed, ["add"], 1) for seed in range(4)]
    build = uir.build

    def refusing(module: uir.IRModule, **options: object) -> object:
        if any(var.name_hint == "graph1" for var in module.functions):
            raise ValueError("planted")
        return build(module, **options)

    monkeypatch.setattr(uir, "build", refusing)
    found = outcomes(graphs)
    assert [one.kind for one in found] == [EQUAL, UNBUILT, EQUAL, EQUAL]
    assert "planted" in found[1].text


def test_a_log_says_how_a_batch_was_compiled_and_which_generator_made_it(
    tmp_path: Path, faults: set[int]
) -> None:
    batch = 7 * BATCH
    one = Campaign(tmp_path, batch, batch + BATCH)
    one.run(range(batch, batch + BATCH))
    (line,) = [json.loads(text) for text in one.path.read_text().splitlines()]
    assert (line["level"], line["generator"]) == (PLAIN, digest())
    assert PLAIN in one.progress()


def test_a_plain_batch_is_compiled_without_optimization(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UIR_CC", "echo")
    with compiler_of(PLAIN, tmp_path):
        ran = subprocess.run([os.environ["UIR_CC"], "-O2", "x.c"], capture_output=True, check=True)
    assert ran.stdout.decode().split() == ["-O2", "x.c", PLAIN]
    monkeypatch.setenv("UIR_CC", str(_failing_without_optimization(tmp_path / "cc")))
    with compiler_of(PLAIN, tmp_path):
        ran = subprocess.run([os.environ["UIR_CC"], "-O2", "x.c"], capture_output=True, check=True)
    assert ran.stdout.decode().split() == ["-O2", "x.c", "-O1"]
    monkeypatch.setenv("UIR_CC", "echo")
    with compiler_of(PRODUCT, tmp_path):
        assert os.environ["UIR_CC"] == "echo"


def _failing_without_optimization(path: Path) -> Path:
    """Write what fails with `-O0`, and writes its arguments else."""
    path.write_text('#!/bin/sh\ncase "$*" in *-O0) exit 1;; esac\necho "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def test_one_batch_in_eight_is_optimized_with_checks_and_without() -> None:
    optimized = [one for one in range(1600) if level_of(one * BATCH) == PRODUCT]
    assert {0, 1, 2, 3} < set(optimized)
    assert len(optimized) == 1600 // 8 + 3
    assert sum(one % 2 for one in optimized[4:]) in (99, 100)
