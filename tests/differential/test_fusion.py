"""Chains of operators that are fused equal the same ones that are not; `make fusion` has all."""

from __future__ import annotations

from collections import Counter

import pytest

from ..operators.declarations import operators
from ..python.support.depth import DEPTH
from .batches import FAULTS
from .chains import KINDS
from .fusion import CHAINS, checked


@pytest.mark.parametrize("what", CHAINS)
def test_fused_chains_equal_unfused_ones(what: str) -> None:
    every = list(enumerate(CHAINS[what]()))
    count = min(30 * DEPTH, len(every))
    found = checked(every[:: len(every) // count][:count])
    assert [one for one in found if one.kind in FAULTS] == []
    assert Counter(one.kind for one in found)["equal"] > count / 4


def test_each_kind_has_operators() -> None:
    names = [name for members in KINDS.values() for name in members]
    assert len(set(names)) == len(names)
    assert set(names) <= set(operators())
    kinds = {operators()[name].traits["kind"] for name in names}
    assert kinds == {one.traits["kind"] for one in operators().values()}
