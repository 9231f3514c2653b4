"""Philox 4x32-10, a generator of random numbers without state: a function of a counter and a key.

J. K. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import tau
from typing import TypeAlias

from uir_nodes.ir import RelayExpr

from .. import relay
from .tensors import number

__all__ = ["Bind", "normal", "philox", "uniform"]

ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
MASK = 2**32 - 1

Bind: TypeAlias = Callable[[RelayExpr], RelayExpr]
"""Binds an expression that has several uses to a variable."""


def philox(counter: Sequence[RelayExpr], key: Sequence[RelayExpr], bind: Bind) -> list[RelayExpr]:
    """Return four random words for a counter and a key.

    Parameters
    ----------
    counter
        Four tensors of `uint32`, which broadcast.
    key
        Two tensors of `uint32` and rank 0.
    bind
        Binds expressions that have several uses.

    Returns
    -------
    words
        Four tensors of `uint32`, of the common shape of the counter.
    """
    a, b, c, d = counter
    for step in range(ROUNDS):
        keys = [key_of_round(one, by, step) for one, by in zip(key, KEY_STEPS, strict=True)]
        high_a, low_a = wide_product(a, MULTIPLIERS[0], bind)
        high_c, low_c = wide_product(c, MULTIPLIERS[1], bind)
        a = bind(relay.bitwise_xor(relay.bitwise_xor(high_c, b), keys[0]))
        c = bind(relay.bitwise_xor(relay.bitwise_xor(high_a, d), keys[1]))
        b, d = low_c, low_a
    return [a, b, c, d]


def key_of_round(key: RelayExpr, by: int, step: int) -> RelayExpr:
    """Return a word of the key in a round; sums wrap around."""
    return relay.add(key, number(by * step & MASK, "uint32"))


def wide_product(x: RelayExpr, factor: int, bind: Bind) -> tuple[RelayExpr, RelayExpr]:
    """Return the upper and the lower word of products with a constant."""
    whole = bind(relay.multiply(relay.cast(x, "uint64"), number(factor, "uint64")))
    upper = relay.right_shift(whole, number(32, "uint64"))
    return bind(relay.cast(upper, "uint32")), bind(relay.cast(whole, "uint32"))


def uniform(words: Sequence[RelayExpr], dtype: str) -> RelayExpr:
    """Return numbers in [0, 1): multiples of 2^-24, or of 2^-53.

    Parameters
    ----------
    words
        Random tensors of `uint32`: one for `float32`, two for `float64`; others are not used.
    dtype
        `float32` or `float64`.
    """
    if dtype == "float32":
        bits = relay.cast(relay.right_shift(words[0], number(8, "uint32")), dtype)
        return relay.multiply(bits, number(2**-24, dtype))
    upper = relay.multiply(relay.cast(words[0], dtype), number(2**-32, dtype))
    lower = relay.cast(relay.right_shift(words[1], number(11, "uint32")), dtype)
    return relay.add(upper, relay.multiply(lower, number(2**-53, dtype)))


def normal(words: Sequence[RelayExpr], dtype: str) -> RelayExpr:
    """Return numbers of the normal distribution, by the method of Box and Muller.

    Parameters
    ----------
    words
        Four random tensors of `uint32`.
    dtype
        `float32` or `float64`.
    """
    # The logarithm takes numbers in (0, 1].
    rest = relay.subtract(number(1, dtype), uniform(words[:2], dtype))
    radius = relay.sqrt(relay.multiply(number(-2, dtype), relay.log(rest)))
    angle = relay.multiply(number(tau, dtype), uniform(words[2:], dtype))
    return relay.multiply(radius, relay.cos(angle))
