"""Functions of single elements: `add.1m`, `chain4.1m`, `exp.1m`, and `gelu` of as many.

`chain4.1m` is a chain of four operators, one of whose values has two uses. `pow2.1m`, `pow3.1m`,
`pow4.1m`, `pow_minus1.1m`, `sqrt_pow.1m` and `rsqrt_pow.1m` are powers with the exponents 2, 3, 4,
-1, 0.5 and -0.5, against the products, quotients and roots that take NumPy less time than its
`power`.

NumPy has no `erf`, so that both sides compute `gelu` with `tanh`. NumPy writes to an array that
exists.
"""

from __future__ import annotations

from functools import partial
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
    for name, exponent, peer in POWERS:
        ours = from_relay(partial(power, exponent=exponent), shape)
        case.report(name, case.times(name, ours, peer, [shape] * 2, ELEMENTS))


def power(x: Any, exponent: float) -> Any:
    """Return a tensor to the power of a number."""
    return relay.power(x, relay.const(exponent, "float32"))


def cube(x: Any, out: Any) -> None:
    """Write the product of three."""
    np.multiply(x, x, out=out)
    out *= x


def fourth(x: Any, out: Any) -> None:
    """Write the square of the square."""
    np.square(x, out=out)
    np.square(out, out=out)


@np.errstate(invalid="ignore")
def root(x: Any, out: Any) -> None:
    """Write the square root, which is NaN for negative numbers."""
    np.sqrt(x, out=out)


@np.errstate(invalid="ignore")
def reciprocal_root(x: Any, out: Any) -> None:
    """Write the reciprocal of the square root."""
    np.sqrt(x, out=out)
    np.reciprocal(out, out=out)


POWERS = (
    ("pow2.1m", 2.0, np.square),
    ("pow3.1m", 3.0, cube),
    ("pow4.1m", 4.0, fourth),
    ("pow_minus1.1m", -1.0, np.reciprocal),
    ("sqrt_pow.1m", 0.5, root),
    ("rsqrt_pow.1m", -0.5, reciprocal_root),
)


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
