"""Says how the C compiler optimizes the library of a batch.

In: the first seed of a batch.  Out: `PRODUCT`, the flags that users have, or `PLAIN`, the same
flags and `-O0` behind them, which takes a quarter of the time (`-O1` where GCC 12 fails at `-O0`:
it cannot shuffle vectors of 512 bits there).  What passes of uir do wrong is wrong at both; what
only shows after optimization is found by the batches of `PRODUCT`: those that CI runs, and one in
eight of the others.  The log of a campaign names the level of each batch.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["BATCH", "PLAIN", "PRODUCT", "compiler_of", "level_of"]

PLAIN, PRODUCT = "-O0", "product"
BATCH = 50
"""How many graphs a library has."""
IN_CI = 200
"""The seeds below are compiled as users do."""
EVERY = 16
OPTIMIZED = (0, 9)
"""Which of `EVERY` batches are optimized: one whose indices are checked, and one without checks."""


def level_of(first: int) -> str:
    """Return how the batch of a first seed is compiled."""
    return PRODUCT if first < IN_CI or first // BATCH % EVERY in OPTIMIZED else PLAIN


@contextmanager
def compiler_of(level: str, folder: Path) -> Iterator[None]:
    """Let `UIR_CC` name what compiles at a level; `PLAIN` writes a script into a folder."""
    if level == PRODUCT:
        yield
        return
    before = os.environ.get("UIR_CC")
    os.environ["UIR_CC"] = str(_plain_compiler(folder, before or "cc"))
    try:
        yield
    finally:
        os.environ.pop("UIR_CC")
        if before is not None:
            os.environ["UIR_CC"] = before


def _plain_compiler(folder: Path, command: str) -> Path:
    """Write a script that runs a compiler with `-O0`, or else `-O1`, behind other arguments."""
    folder.mkdir(parents=True, exist_ok=True)
    path, written = folder / "cc-O0", folder / f"cc-O0.{os.getpid()}"
    written.write_text(
        f'#!/bin/sh\n{command} "$@" {PLAIN} 2>/dev/null || exec {command} "$@" -O1\n',
        encoding="utf-8",
    )
    written.chmod(0o755)
    # Another campaign may run this script now.
    written.replace(path)
    return path
