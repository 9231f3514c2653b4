"""Products of matrices, and sums of products along named axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .tensors import Array, check, tensor, wide

__all__ = ["einsum", "matmul"]


@np.errstate(all="ignore")
def einsum(tensors: Sequence[Array], equation: str) -> Array:
    """Return sums of products, by an equation such as `ij, jk -> ik`."""
    check("number", **{f"tensors[{place}]": one for place, one in enumerate(tensors)})
    return tensor(np.einsum(equation, *map(wide, tensors)), tensors[0])


@np.errstate(all="ignore")
def matmul(a: Array, b: Array) -> Array:
    """Return products of matrices of shape (*b, m, k) and (*b, k, n)."""
    check("number", a=a, b=b)
    for name, operand in (("a", a), ("b", b)):
        if operand.ndim < 2:
            raise ValueError(f"`{name}` has rank {operand.ndim}, expected at least 2")
    return tensor(np.matmul(wide(a), wide(b)), a)
