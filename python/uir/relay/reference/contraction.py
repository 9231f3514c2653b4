"""Products of matrices, and sums of products along named axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .tensors import Array, check, tensor, wide

__all__ = ["einsum", "integer_matmul", "matmul"]


@np.errstate(all="ignore")
def einsum(tensors: Sequence[Array], equation: str) -> Array:
    """Return sums of products, by an equation such as `ij, jk -> ik`."""
    check("number", **{f"tensors[{place}]": one for place, one in enumerate(tensors)})
    operands = [wide(one) for one in tensors]
    terms, arrow, result = equation.replace(" ", "").partition("->")
    labels = sorted(set(terms) - set(".,"))
    is_summed_first = any(
        sum(label in term for term in terms.split(",")) == 1 and label not in result
        for label in (labels if arrow and len(operands) > 1 else ())
    )
    if not is_summed_first or all(np.isfinite(one).all() for one in operands):
        return tensor(np.einsum(equation, *operands), tensors[0])
    # NumPy sums such an axis before it multiplies, and infinities make another number of that.
    every = "..." + "".join(labels)
    products = np.einsum(f"{terms}->{every}", *operands)
    return tensor(np.einsum(f"{every}->{result}", products), tensors[0])


def integer_matmul(a: Array, b: Array) -> Array:
    """Return products of integer matrices, of shapes as for `matmul`, with sums of int32."""
    for name, operand in (("a", a), ("b", b)):
        check("int", **{name: operand})
        if operand.ndim < 2:
            raise ValueError(f"`{name}` has rank {operand.ndim}, expected at least 2")
    products: Array = np.matmul(a.astype("int64"), b.astype("int64"))
    return products.astype("int32")


@np.errstate(all="ignore")
def matmul(a: Array, b: Array) -> Array:
    """Return products of matrices of shape (*b, m, k) and (*b, k, n)."""
    check("number", a=a, b=b)
    for name, operand in (("a", a), ("b", b)):
        if operand.ndim < 2:
            raise ValueError(f"`{name}` has rank {operand.ndim}, expected at least 2")
    return tensor(np.matmul(wide(a), wide(b)), a)
