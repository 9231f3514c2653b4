"""Functions of single elements: `add.1m`, `exp.1m`, and `gelu` of as many.

NumPy has no `erf`, so that both sides compute `gelu` with `tanh`. NumPy writes to an array that
exists.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uir import relay, te

from .case import Case, from_relay, from_te

ELEMENTS = 1 << 20


def measure(case: Case) -> None:
    """Print the rows of this family."""
    if case.suffix:
        return
    shape = (ELEMENTS,)
    a, b = (te.placeholder(shape, "float32", name) for name in "ab")
    add = from_te(a, b, te.compute(shape, lambda i: a[i] + b[i], "c"))
    case.report("add.1m", case.times("add.1m", add, np.add, [shape] * 3, ELEMENTS))
    ours: Any = from_relay(relay.exp, shape)
    case.report("exp.1m", case.times("exp.1m", ours, exp, [shape] * 2, ELEMENTS))
    ours = from_relay(lambda x: relay.gelu(x, approximate=True), shape)
    case.report("gelu", case.times("gelu", ours, gelu, [shape] * 2, ELEMENTS))


def exp(x: Any, out: Any) -> None:
    """Write the exponential of each element."""
    np.exp(x, out=out)


def gelu(x: Any, out: Any) -> None:
    """Write the Gaussian error linear unit of each element."""
    np.multiply(x, x, out=out)
    out *= x
    out *= np.float32(0.044715)
    out += x
    out *= np.float32(0.7978845608028654)
    np.tanh(out, out=out)
    out += 1
    out *= x
    out *= np.float32(0.5)
