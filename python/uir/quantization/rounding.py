"""Weights of 4 or 8 bits in blocks: rounded to the nearest, or by GPTQ.

A weight has shape `(k, n)`; the rows of a block share a scale and a zero point in each column.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from ..frontend.tensors import Array

__all__ = ["Blocks", "gptq", "to_nearest"]

# The share of the mean of the Hessian's diagonal that is added to it, as in the paper.
DAMPING = 0.01


class Blocks(NamedTuple):
    """A weight as integers.

    Attributes
    ----------
    numbers
        The integers, of uint8, shape `(k, n)`.
    scales
        The scales, of float32, shape `(ceil(k / block), n)`.
    zeros
        The zero points, of uint8, shape `(ceil(k / block), n)`.
    block
        The number of rows of a block; the last one may have fewer.
    """

    numbers: Array
    scales: Array
    zeros: Array
    block: int

    def values(self) -> Array:
        """Return the weight that the integers mean, of float32, shape `(k, n)`."""
        rows = np.arange(len(self.numbers)) // self.block
        values: Array = (self.numbers.astype(np.float32) - self.zeros[rows]) * self.scales[rows]
        return values


# Returns the integers of a block from the weights, the scales and the zero points; a function that
# corrects other rows may write into the weights.
Round: TypeAlias = Callable[[int, Array, Array, Array], Array]


def to_nearest(weight: Array, bits: int, block: int) -> Blocks:
    """Round each weight to the nearest integer, halves to even.

    Parameters
    ----------
    weight
        The weight, of float32, shape `(k, n)`.
    bits
        The bits of an integer.
    block
        The number of rows that share a scale.
    """
    most = 2**bits - 1

    def nearest(start: int, rows: Array, scale: Array, zero: Array) -> Array:
        return integers(rows, scale, zero, most)

    return in_blocks(weight.astype(np.float64), most, block, nearest)


def gptq(weight: Array, hessian: Array, bits: int, block: int) -> Blocks:
    """Round weights row by row; later rows correct the error that a row leaves in results.

    The method is that of Frantar, Ashkboos, Hoefler and Alistarh, "GPTQ: Accurate Post-Training
    Quantization for Generative Pre-trained Transformers" (2022), https://arxiv.org/abs/2210.17323.
    The order of rows is that of the weight.

    Parameters
    ----------
    weight
        The weight, of float32, shape `(k, n)`.
    hessian
        The sum of `outer(x, x)` over the rows `x` that the weight multiplies, shape `(k, k)`.
    bits
        The bits of an integer.
    block
        The number of rows that share a scale.
    """
    most, weights = 2**bits - 1, weight.astype(np.float64)
    factor = inverse_factor(hessian)

    def corrected(start: int, rows: Array, scale: Array, zero: Array) -> Array:
        end, numbers, errors = start + len(rows), np.empty_like(rows), np.empty_like(rows)
        for at, place in enumerate(range(start, end)):
            numbers[at] = integers(rows[at], scale, zero, most)
            errors[at] = (rows[at] - (numbers[at] - zero) * scale) / factor[place, place]
            rows[at + 1 :] -= np.outer(factor[place, place + 1 : end], errors[at])
        weights[end:] -= factor[start:end, end:].T @ errors
        return numbers

    return in_blocks(weights, most, block, corrected)


def in_blocks(weights: Array, most: int, block: int, round_rows: Round) -> Blocks:
    """Round the blocks of a weight in order, each with the scheme of its rows at that time."""
    found: list[tuple[Array, Array, Array]] = []
    for start in range(0, len(weights), block):
        rows = weights[start : start + block]
        scale, zero = scheme_of(rows, most)
        found.append((round_rows(start, rows, scale, zero), scale, zero))
    numbers, scales, zeros = zip(*found, strict=True)
    return Blocks(
        np.concatenate(numbers).astype(np.uint8),
        np.stack(scales).astype(np.float32),
        np.stack(zeros).astype(np.uint8),
        block,
    )


def scheme_of(rows: Array, most: int) -> tuple[Array, Array]:
    """Return the scales and the zero points of columns, whose ranges are extended to have 0."""
    low, high = np.minimum(rows.min(axis=0), 0), np.maximum(rows.max(axis=0), 0)
    width = high - low
    least = np.finfo(np.float32).tiny
    # As float32, so that the integers are those of the scales that the model has.
    scale = np.where(width > 0, np.maximum(width / most, least), 1).astype(np.float32)
    zero = np.clip(np.rint(-low / scale), 0, most)
    return scale.astype(np.float64), zero


def integers(rows: Array, scale: Array, zero: Array, most: int) -> Array:
    """Return the nearest integers of weights, from 0 to `most`."""
    return np.clip(np.rint(rows / scale) + zero, 0, most)


def inverse_factor(hessian: Array) -> Array:
    """Return the upper triangle `U` with `U.T @ U` the inverse of the damped Hessian."""
    damped = hessian.astype(np.float64)
    diagonal = damped.diagonal().copy()
    # Inputs that are 0 in all calls say nothing about their weights.
    diagonal[diagonal == 0] = 1
    np.fill_diagonal(damped, diagonal + DAMPING * diagonal.mean())
    inverse = np.linalg.inv(damped)
    return np.linalg.cholesky((inverse + inverse.T) / 2).T
