"""Functions of single elements: `add.1m`."""

from __future__ import annotations

import numpy as np

from uir import te

from .case import Case, from_te

ELEMENTS = 1 << 20


def measure(case: Case) -> None:
    """Print the rows of this family."""
    if case.suffix:
        return
    shape = (ELEMENTS,)
    a, b = (te.placeholder(shape, "float32", name) for name in "ab")
    add = from_te(a, b, te.compute(shape, lambda i: a[i] + b[i], "c"))
    case.report("add.1m", case.times("add.1m", add, np.add, [shape] * 3, ELEMENTS))
