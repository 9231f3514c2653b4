"""ONNX's own tests of backends: none fails, and what does not pass is refused by name."""

from __future__ import annotations

import pytest

from .onnx_suite import SUITES, cases, outcome
from .onnx_support import PAGE, counts, failures, outcomes, page

# A twentieth of each suite runs in every run of the tests, in parts for several processes.
STEP = 20


@pytest.mark.parametrize("suite", SUITES)
def test_a_part_of_a_suite_does_not_fail(suite: str) -> None:
    results = [outcome(case) for case in cases(suite)[::STEP]]
    assert [result for result in results if isinstance(result, str)] == []
    assert sum(result == [] for result in results) > len(results) / 5


@pytest.mark.deep
def test_all_suites() -> None:
    found = outcomes()
    assert failures(found) == []
    passed = {suite: numbers[0] for suite, numbers in counts(found).items()}
    assert passed["node"] >= 1580
    assert passed["pytorch-converted"] == 82
    assert passed["pytorch-operator"] == 35
    assert page(found) == PAGE.read_text()
