"""Random graphs, compiled, compute what their references do."""

from __future__ import annotations

import pytest

from ..python.support.depth import DEPTH
from .batches import FAULTS, outcomes_of
from .campaign import BATCH

SEEDS = 200 if DEPTH == 1 else 5000
"""How many graphs are compared; `make differential` tries any others."""


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, SEEDS, BATCH))
def test_graphs_compute_what_their_references_do(first: int) -> None:
    found = outcomes_of(range(first, first + BATCH))
    assert [one for one in found if one.kind in FAULTS] == []
