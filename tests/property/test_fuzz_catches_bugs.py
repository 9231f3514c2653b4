"""The fuzzer finds bugs: each one that is put into the merging and writing code."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from ..fuzz.bugs import BUGS, is_caught


def test_every_bug_is_caught() -> None:
    assert len(BUGS) >= 12
    with ThreadPoolExecutor(2) as pool:
        caught = list(pool.map(is_caught, range(len(BUGS))))
    assert [bug.what for bug, is_found in zip(BUGS, caught, strict=True) if not is_found] == []
