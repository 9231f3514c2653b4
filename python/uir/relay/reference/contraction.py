"""Products of matrices, and sums of products along named axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .tensors import Array, check, tensor, wide

__all__ = ["einsum", "integer_matmul", "matmul", "matmul_n_bits"]


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


@np.errstate(all="ignore")
def matmul_n_bits(
    x: Array,
    words: Array,
    scales: Array,
    zeros: Array | None = None,
    *,
    bits: int = 4,
    columns: int,
) -> Array:
    """Return the product of rows with a matrix of packed numbers, whose blocks have scales."""
    for dtypes, name, operand in (("float", "x", x), ("int", "words", words)):
        check(dtypes, **{name: operand})
    check("float", scales=scales)
    if zeros is not None:
        check("number", zeros=zeros)
    if bits not in (2, 4, 8):
        raise ValueError(f"`bits` must be 2, 4 or 8, got {bits}")
    if not 0 <= columns <= 16 * len(words):
        raise ValueError(f"`columns` must be from 0 to {16 * len(words)}, got {columns}")
    x_wide = wide(x)
    panels, blocks, _, columns_of_panel = words.shape
    numbers = unpacked(words, bits).astype(x_wide.dtype).reshape(panels, blocks, -1, 16)
    size = numbers.shape[2]
    terms: Array = np.zeros((*x.shape[:-1], blocks * size), x_wide.dtype)
    given = min(x.shape[-1], blocks * size)
    terms[..., :given] = x_wide[..., :given]
    in_blocks = terms.reshape(*x.shape[:-1], blocks, size)
    middle = np.full_like(numbers[:, :, 0], 2 ** (bits - 1)) if zeros is None else zeros
    products = np.einsum("...gi,pgic->...pgc", in_blocks, numbers)
    centered = products - middle.astype(x_wide.dtype) * in_blocks.sum(-1)[..., None, :, None]
    y = (centered * scales.astype(x_wide.dtype)).sum(-2)
    return tensor(y.reshape(*x.shape[:-1], panels * columns_of_panel)[..., :columns], x)


def unpacked(words: Array, bits: int) -> Array:
    """Return the numbers of words on a new axis before the last one, the lowest bits first."""
    unsigned = words.astype(f"u{words.dtype.itemsize}")[..., None, :]
    shifts = np.arange(0, words.dtype.itemsize * 8, bits, dtype=unsigned.dtype)
    numbers: Array = unsigned >> shifts[:, None] & unsigned.dtype.type(2**bits - 1)
    return numbers
