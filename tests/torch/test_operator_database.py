"""Operators of PyTorch's database that are imported whole: each sample is equal to eager execution.

`python -m tests.torch.operator_database NAME ...` shows the outcomes of others.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from .operator_database import OTHERS, Outcome, operators, outcome, samples

# One a line.
IMPORTED = Path(__file__).with_name("imported_operators.txt").read_text().split()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", IMPORTED)
def test_an_imported_operator(name: str) -> None:
    operator = operators()[name]
    found = outcome(operator, samples(operator))
    assert (found.wrong, found.refused) == ([], set())
    assert found.equal > 0


def test_outcomes_are_told_apart() -> None:
    sample = SimpleNamespace(input=torch.ones(3), args=(), kwargs={})

    def named(function: object) -> SimpleNamespace:
        return SimpleNamespace(name="one", op=function)

    refused = outcome(named(lambda x: x + torch.rand(3)), [sample])
    assert refused == Outcome(0, [], {"rand: random numbers"})
    calls = iter(range(9))
    wrong = outcome(named(lambda x: x + next(calls)), [sample])
    assert (wrong.equal, len(wrong.wrong)) == (0, 1) and "not close" in wrong.wrong[0]
    unexported = outcome(named(lambda x: x if x.sum() > 5 else -x), [sample])
    assert unexported == Outcome(0, [], set())
    assert len(operators()) > 500 and "add" in operators() and OTHERS[0] not in operators()
