"""The fuzzer finds bugs: each one that is put into the merging and writing code."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from ..fuzz.bugs import BUGS, Bug, changed_text, is_caught


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.what)
def test_each_bug_changes_one_place_of_its_module(bug: Bug) -> None:
    assert compile(changed_text(bug), bug.module, "exec") is not None


@pytest.mark.deep
def test_every_bug_is_caught() -> None:
    with ThreadPoolExecutor(2) as pool:
        caught = list(pool.map(is_caught, range(len(BUGS))))
    assert [bug.what for bug, is_found in zip(BUGS, caught, strict=True) if not is_found] == []
