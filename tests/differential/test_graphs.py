"""Random graphs, compiled, compute what their references do, and these what ONNX's do."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from ..python.support.depth import DEPTH
from .batches import FAULTS, graphs_of, outcomes
from .compiler import BATCH, compiler_of, level_of
from .graphs import OPERATORS, random_graph
from .onnx_nodes import FORMS, WITHOUT
from .onnx_oracle import compare_with_onnx
from .onnxruntime_oracle import compare_with_onnxruntime, is_installed

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

MODELS = Path(__file__).resolve().parents[2] / "build" / "onnx-models"
"""Where onnxruntime is, in runs of deep tests."""
SEEDS = 200 if DEPTH == 1 else 5000
"""How many graphs are compared; `make differential` tries any others."""


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, SEEDS, BATCH))
def test_graphs_compute_what_their_references_do(first: int, tmp_path: Path) -> None:
    graphs, untyped = graphs_of(range(first, first + BATCH))
    assert untyped == []
    with compiler_of(level_of(first), tmp_path):
        found = outcomes(graphs)
    assert [one for one in found if one.kind in FAULTS] == []


def test_references_compute_what_onnx_does() -> None:
    total: Counter[str] = Counter()
    for seed in range(SEEDS):
        counts, faults = compare_with_onnx(random_graph(seed))
        assert faults == []
        total.update(counts)
    assert total["equal"] > SEEDS


@pytest.mark.deep
def test_references_compute_what_onnxruntime_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(MODELS)])
    assert is_installed()
    faults, counts = compare_with_onnxruntime([random_graph(seed) for seed in range(1000)])
    assert faults == []
    assert counts["equal"] > 3000


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_is_held_against_onnx_or_says_why_not(name: str) -> None:
    tried = (compare_with_onnx(random_graph(seed, [name], 1))[0] for seed in range(30))
    is_held = any(counts["equal"] + counts["known"] for counts in tried)
    assert is_held != (name in WITHOUT)
    assert name not in FORMS or name not in WITHOUT
