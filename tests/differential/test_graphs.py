"""Random graphs, compiled, compute what their references do, and these what ONNX's do."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ..python.support.depth import DEPTH
from .batches import FAULTS, graphs_of, outcomes
from .campaign import BATCH
from .graphs import OPERATORS, random_graph
from .onnx_nodes import FORMS, WITHOUT
from .onnx_oracle import compare_with_onnx

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

SEEDS = 200 if DEPTH == 1 else 5000
"""How many graphs are compared; `make differential` tries any others."""


@pytest.fixture(scope="module")
def faster_compiler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a C compiler that optimizes less, in three fifths of the time."""
    path = tmp_path_factory.mktemp("compiler") / "cc"
    path.write_text('#!/bin/sh\nexec cc "$@" -O1\n', encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, SEEDS, BATCH))
def test_graphs_compute_what_their_references_do(
    first: int, faster_compiler: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # `make differential` optimizes as users do.
    monkeypatch.setenv("UIR_CC", str(faster_compiler))
    graphs, untyped = graphs_of(range(first, first + BATCH))
    assert untyped == []
    assert [one for one in outcomes(graphs) if one.kind in FAULTS] == []


def test_references_compute_what_onnx_does() -> None:
    total: Counter[str] = Counter()
    for seed in range(SEEDS):
        counts, faults = compare_with_onnx(random_graph(seed))
        assert faults == []
        total.update(counts)
    assert total["equal"] > SEEDS


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_is_held_against_onnx_or_says_why_not(name: str) -> None:
    tried = (compare_with_onnx(random_graph(seed, [name], 1))[0] for seed in range(30))
    is_held = any(counts["equal"] + counts["known"] for counts in tried)
    assert is_held != (name in WITHOUT)
    assert name not in FORMS or name not in WITHOUT
