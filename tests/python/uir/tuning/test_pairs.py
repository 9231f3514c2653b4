"""Decisions about noisy pairs: rarely wrong, and right about real differences."""

from __future__ import annotations

import numpy as np

from uir.tuning.measure.pairs import decide, ratio_of


def series(gain: float, seed: int, most: int = 60) -> tuple[str, list[float], list[float]]:
    """Return the decision about two functions whose times have noise and interruptions."""
    generator = np.random.default_rng(seed)
    times: tuple[list[float], list[float]] = ([], [])
    decision = ""
    while not decision and len(times[0]) < most:
        for kept, scale in zip(times, (1 / gain, 1.0), strict=True):
            interrupted = 3.0 if generator.random() < 0.05 else 1.0
            kept.append(scale * interrupted * float(np.exp(generator.normal(0, 0.02))))
        decision = decide(*times)
    return decision, *times


def test_equal_functions_are_rarely_told_apart() -> None:
    decisions = [series(1.0, seed)[0] for seed in range(300)]
    assert decisions.count("faster") <= 6
    # The second series of a winner has other noise.
    again = [series(1.0, seed + 1000)[0] for seed, one in enumerate(decisions) if one == "faster"]
    assert "faster" not in again


def test_a_gain_is_found() -> None:
    found = [series(1.05, seed) for seed in range(50)]
    assert [one[0] for one in found].count("faster") >= 45
    assert all(abs(ratio_of(times, other) - 1 / 1.05) < 0.03 for _, times, other in found)


def test_a_loss_is_found_soon() -> None:
    decision, times, _ = series(0.6, 0)
    assert decision == "slower" and len(times) <= 16


def test_less_than_one_percent_is_no_difference() -> None:
    ratios = [1.0 + 0.0001 * (place % 7) for place in range(40)]
    assert decide(ratios, [1.005] * 40) == "equal"
    assert decide(ratios[:7], [2.0] * 7) == ""
