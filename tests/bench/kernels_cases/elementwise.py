"""Functions of single elements: `add.1m`, `chain4.1m`, `exp.1m`, and `gelu` of as many.

`chain4.1m` is a chain of four operators, one of whose values has two uses.

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
    ours: Any = from_relay(chain, shape, shape)
    case.report("chain4.1m", case.times("chain4.1m", ours, numpy_chain, [shape] * 3, ELEMENTS))
    ours = from_relay(relay.exp, shape)
    case.report("exp.1m", case.times("exp.1m", ours, exp, [shape] * 2, ELEMENTS))
    ours = from_relay(lambda x: relay.gelu(x, approximate=True), shape)
    case.report("gelu", case.times("gelu", ours, gelu, [shape] * 2, ELEMENTS))


def chain(x: Any, y: Any) -> Any:
    """Return four operators of two tensors."""
    total = relay.add(x, y)
    return relay.relu(relay.add(relay.multiply(total, y), total))


def numpy_chain(x: Any, y: Any, out: Any) -> None:
    """Write the same, with one array for the value that has two uses."""
    total = x + y
    np.multiply(total, y, out=out)
    out += total
    np.maximum(out, 0, out=out)


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
