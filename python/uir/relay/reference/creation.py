"""Operators that make tensors of constants and of counters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...runtime import numpy_dtype
from .tensors import Array, check

__all__ = ["arange", "full"]


def full(value: Array, shape: Sequence[int]) -> Array:
    """Return a tensor whose elements are all one scalar."""
    check("any", value=value)
    return np.full(tuple(shape), value.reshape(()), value.dtype)


def arange(start: int, stop: int, step: int = 1, dtype: str = "int64") -> Array:
    """Return `start`, `start + step`, ... up to but without `stop`."""
    if step == 0:
        raise ValueError("`step` is 0")
    return np.arange(start, stop, step).astype(numpy_dtype(dtype))
