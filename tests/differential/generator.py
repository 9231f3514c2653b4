"""A short digest of what decides which graph a seed is.

A seed of a log is the graph that `random_graph` makes today if its line has the digest of today;
else an older generator made it, and only what the log says of it is left.  What compares results is
no part of the digest, as it changes no graph.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from ..operators.declarations import operators

__all__ = ["digest"]

ROOT = Path(__file__).parents[1]
SOURCES = (
    "differential/calls.py",
    "differential/evaluation.py",
    "differential/graphs.py",
    "differential/values.py",
    "operators/declarations.py",
    "operators/domain.py",
    "operators/draws.py",
)


@cache
def digest() -> str:
    """Return 12 hexadecimal digits for these sources and the declarations of all operators."""
    found = hashlib.sha256()
    for name in SOURCES:
        found.update((ROOT / name).read_bytes())
    found.update(repr(operators()).encode())
    return found.hexdigest()[:12]
