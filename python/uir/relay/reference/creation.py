"""Operators that make tensors of constants and of counters."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np

from .tensors import Array, check

__all__ = ["arange", "full"]


def full(value: Array, *, shape: Sequence[int]) -> Array:
    """Return a tensor whose elements are all one scalar."""
    check("any", value=value)
    return np.full(tuple(shape), value.reshape(()), value.dtype)


def arange(
    start: int | float, stop: int | float, step: int | float = 1, *, dtype: str = "int64"
) -> Array:
    """Return `start`, `start + step`, ... up to but without `stop`."""
    if step == 0:
        raise ValueError("`step` is 0")
    count = max(0, ceil((stop - start) / step))
    return (start + step * np.arange(count)).astype(np.dtype(str(dtype)))
