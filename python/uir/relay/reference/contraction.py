"""Products of matrices."""

from __future__ import annotations

import numpy as np

from .tensors import Array, check, tensor, wide

__all__ = ["matmul"]


@np.errstate(all="ignore")
def matmul(a: Array, b: Array) -> Array:
    """Return products of matrices of shape (*b, m, k) and (*b, k, n)."""
    check("number", a=a, b=b)
    for name, operand in (("a", a), ("b", b)):
        if operand.ndim < 2:
            raise ValueError(f"`{name}` has rank {operand.ndim}, expected at least 2")
    return tensor(np.matmul(wide(a), wide(b)), a)
