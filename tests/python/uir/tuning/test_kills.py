"""Kills of processes that search: no row is lost, and the result is the same."""

from __future__ import annotations

from pathlib import Path

from ...support.depth import DEPTH
from .kills import Survival, survive


def test_kills_at_random_moments_lose_no_row(tmp_path: Path) -> None:
    kills = min(100, 14 * DEPTH)
    made = survive(tmp_path, kills)
    assert made == Survival(made.kills, made.searches)
    assert made.kills >= kills
