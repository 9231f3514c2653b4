"""Philox 4x32-10 in NumPy, of its paper, and the random numbers of imported models made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

State = Sequence[int] | Array

MASK = np.uint64(2**32 - 1)
HALF = np.uint64(32)


def philox(counter: Sequence[Any], key: State) -> list[Array]:
    """Return four words, in arrays of `uint64`."""
    a, b, c, d = (np.asarray(word, np.uint64) for word in counter)
    x, y = (int(word) for word in key)
    for _ in range(10):
        left, right = a * np.uint64(0xD2511F53), c * np.uint64(0xCD9E8D57)
        a, b = (right >> HALF) ^ b ^ np.uint64(x), right & MASK
        c, d = (left >> HALF) ^ d ^ np.uint64(y), left & MASK
        x, y = (x + 0x9E3779B9) % 2**32, (y + 0xBB67AE85) % 2**32
    return [a, b, c, d]


def words(count: int, state: State, stream: tuple[int, int]) -> list[Array]:
    """Return four words for each element of a node."""
    places = np.arange(count, dtype=np.uint64)
    return philox([places & MASK, places >> HALF, *stream], state)


def state_of_step(state: State, step: int) -> list[int]:
    """Return the state of a step of a loop."""
    return [int(word) for word in philox([step, 0, 0, 2], state)[:2]]


def unit(high: Array, low: Array, dtype: str) -> Array:
    """Return numbers of 24 or 53 bits, in [0, 1)."""
    if dtype == "float32":
        return (high >> np.uint64(8)).astype(np.float32) * np.float32(2**-24)
    return ((high << HALF | low) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def uniform(
    shape: Sequence[int], state: State, stream: tuple[int, int], dtype: str = "float32"
) -> Array:
    """Return numbers in [0, 1)."""
    a, b, _, _ = words(int(np.prod(shape)), state, stream)
    return unit(a, b, dtype).reshape(shape)


def normal(
    shape: Sequence[int], state: State, stream: tuple[int, int], dtype: str = "float32"
) -> Array:
    """Return numbers of the normal distribution, computed in `float64`."""
    a, b, c, d = words(int(np.prod(shape)), state, stream)
    first, second = (unit(*pair, dtype).astype(np.float64) for pair in ((a, b), (c, d)))
    return (np.sqrt(-2 * np.log1p(-first)) * np.cos(2 * np.pi * second)).reshape(shape)
