"""The fuzzer, for a moment; `make fuzz` runs it for long."""

from __future__ import annotations

import pytest

from tests.python.support.depth import DEPTH

from ..fuzz.worlds import PROPERTIES, fuzz

CASES = 130 * DEPTH


@pytest.mark.parametrize("name", PROPERTIES)
def test_no_guarantee_is_broken(name: str) -> None:
    fuzz(name, max(3, int(CASES * PROPERTIES[name])))
