"""When a server looks for garbage, which takes a third of an answer with the habits of Python."""

from __future__ import annotations

import gc

_YOUNG = 100_000
"""New objects before a collection; Python's own number is 700."""


def collect_rarely() -> None:
    """Look for garbage once in many objects."""
    gc.set_threshold(_YOUNG)


def keep_all() -> None:
    """Let no collection look again at the objects that there are now."""
    gc.collect()
    gc.freeze()
