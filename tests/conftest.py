"""The order of all tests, and how many random examples they draw where they do not say.

An example has no deadline: on a busy machine, a right one exceeds the 200 ms of hypothesis.

What takes long comes first, so that no worker is left with it. The garbage collector leaves alone
what pytest has collected, and waits for more than Python's 700 objects: a tenth of the time of the
tests that run in pytest's own process went into it.
"""

from __future__ import annotations

import gc

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from .python.support.depth import DEPTH

settings.register_profile("of-this-run", max_examples=30 * DEPTH, deadline=None)
settings.load_profile("of-this-run")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Move the files that are marked `long` to the front."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """Take all that there is, the modules and the tests, from the garbage collector."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """In a parallel run, send one report of a test that passed, not those of all its phases."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
