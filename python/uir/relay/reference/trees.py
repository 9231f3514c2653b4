"""Decision trees: all rows walk all trees at once, step by step."""

from __future__ import annotations

import numpy as np

from .tensors import Array, check

__all__ = ["tree_leaves"]


def tree_leaves(
    x: Array,
    roots: Array,
    features: Array,
    high: Array,
    children: Array,
    low: Array | None = None,
    missing: Array | None = None,
    *,
    depth: int,
) -> Array:
    """Return the node of each tree that each row reaches after `depth` steps."""
    check("float", x=x, high=high)
    check("int", roots=roots, features=features, children=children)
    if depth < 0:
        raise ValueError(f"`depth` must be 0 or more, got {depth}")
    count, width = len(features), x.shape[1]
    node: Array = np.zeros((len(x), len(roots)), np.int64)
    if count and width:
        node = node + in_range(roots, count)
        columns = in_range(features, width)
        for _ in range(depth):
            value = np.take_along_axis(x, columns[node], 1)
            holds = value <= high[node]
            if low is not None:
                holds &= low[node] <= value
            if missing is not None:
                holds |= np.isnan(value) & missing[node]
            node = in_range(children[node, holds.astype(np.int64)], count)
    return node.astype(roots.dtype)


def in_range(numbers: Array, count: int) -> Array:
    """Return numbers below `count` as int64, the last one for those out of range."""
    return np.where((numbers >= 0) & (numbers < count), numbers, count - 1).astype(np.int64)
