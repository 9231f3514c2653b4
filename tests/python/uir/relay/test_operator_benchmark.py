"""The benchmark of operators has rows of each operator that is declared."""

import pytest

from tests.operators.declarations import operators

ELSEWHERE = {"gru", "lstm", "matmul_n_bits", "rnn", "tree_leaves"}
"""Rows of `tests/bench/models.py` and `tests/bench/lowbits.py`."""


def test_each_operator_has_rows(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(pytestconfig.rootpath / "tests/bench"))
    from operator_cases import arrays, elements, networks

    cases = [*elements.CASES, *arrays.CASES, *networks.CASES]
    assert {case.operator for case in cases} == set(operators()) - ELSEWHERE
    names = [case.name for case in cases]
    assert len(names) == len(set(names))
