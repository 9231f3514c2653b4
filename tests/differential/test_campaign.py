"""Ranges of seeds go on where they stopped; what ends a process or does not build is an outcome."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

import uir

from . import batches, campaign
from .batches import DEAD, EQUAL, UNBUILT, Outcome, outcomes
from .campaign import BATCH, Campaign
from .graphs import random_graph


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Compile nothing; the seeds in this set come out as dead."""
    dead: set[int] = set()
    monkeypatch.setattr(campaign, "graphs_of", lambda seeds: (list(seeds), []))
    monkeypatch.setattr(campaign, "compare_with_onnx", lambda graph: ({}, []))
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
