"""Random indices that split and fuse iterators, and all values of the iterators."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product

from uir import ir, tir

__all__ = ["points", "split_and_fused"]


def split_and_fused(
    draw: random.Random, extents: Mapping[tir.Var, int], steps: int, splits: float
) -> list[ir.PrimExpr]:
    """Return indices that some splits and fusions make of iterators.

    Parameters
    ----------
    draw
        The source of random numbers.
    extents
        The extent of each iterator.
    steps
        The largest number of splits and fusions.
    splits
        The probability of a split where one is possible.
    """
    axes: list[tuple[ir.PrimExpr, int]] = list(extents.items())
    for _ in range(draw.randint(1, steps)):
        draw.shuffle(axes)
        axis, extent = axes.pop()
        factors = [factor for factor in range(2, extent) if extent % factor == 0]
        if factors and draw.random() < splits:
            factor = draw.choice(factors)
            axes += [(axis // factor, extent // factor), (axis % factor, factor)]
        elif axes:
            other, inner = axes.pop()
            axes.append((axis * inner + other, extent * inner))
        else:
            axes.append((axis, extent))
    return [axis for axis, _ in axes]


def points(extents: Mapping[tir.Var, int]) -> list[dict[tir.Var, int]]:
    """Return all values of the variables."""
    return [
        dict(zip(extents, point, strict=True)) for point in product(*map(range, extents.values()))
    ]
