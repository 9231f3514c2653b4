"""Decision trees as the tables of `relay.tree_leaves`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Array, dims

__all__ = ["MODES", "Forest", "Nodes", "forest_of", "leaves"]

# The comparisons of a node, in the order of their numbers in `TreeEnsemble`.
MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")


class Nodes(NamedTuple):
    """Inner nodes of trees, one element of each array for each node.

    Attributes
    ----------
    roots
        The root of each tree. A number below the count of nodes is a node, and one from there on
        a leaf, as everywhere below.
    features
        The columns that nodes compare.
    splits
        The numbers that they compare with.
    modes
        The comparisons: places in `MODES`.
    yes
        The node that follows if the comparison holds.
    no
        The node that follows otherwise.
    missing
        Whether NaN goes to `yes`.
    """

    roots: Array
    features: Array
    splits: Array
    modes: Array
    yes: Array
    no: Array
    missing: Array


class Forest(NamedTuple):
    """Tables of all nodes, leaves among them, which point to themselves.

    A comparison holds for numbers from `low` to `high`.

    Attributes
    ----------
    roots
        The root of each tree, of shape `(trees,)`.
    features
        The column that a node compares, of shape `(nodes,)`.
    low
        The least number for which the comparison holds; None if it is always minus infinity.
    high
        The greatest number for which it holds.
    missing
        Whether it holds for NaN; None if it never does.
    children
        For each node, the one that follows if it does not hold, and the one if it does.
    depth
        The comparisons on the longest path.
    first_leaf
        The number of the first leaf.
    """

    roots: Array
    features: Array
    low: Array | None
    high: Array
    missing: Array | None
    children: Array
    depth: int
    first_leaf: int


def forest_of(nodes: Nodes, leaf_count: int) -> Forest:
    """Return tables of trees.

    Raises
    ------
    Refused
        If a node follows itself, or a number of a node is out of range.
    """
    count = len(nodes.features)
    following = np.stack([nodes.no, nodes.yes], 1) if count else np.zeros((0, 2), np.int64)
    for numbers in (nodes.roots, following):
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < count + leaf_count:
            raise Refused("a node of a tree that follows is missing")
    low, high, is_swapped = intervals(nodes)
    # The opposite of a comparison holds for NaN, unless it is that of BRANCH_NEQ.
    missing = nodes.missing.astype(bool) ^ is_swapped
    missing &= nodes.modes != MODES.index("BRANCH_NEQ")
    following[is_swapped] = following[is_swapped][:, ::-1]
    ends = np.repeat(np.arange(count, count + leaf_count), 2).reshape(-1, 2)
    return Forest(
        roots=nodes.roots.astype(np.int32),
        features=padded(nodes.features, leaf_count).astype(np.int32),
        low=padded(low, leaf_count) if np.any(low > -np.inf) else None,
        high=padded(high, leaf_count),
        missing=padded(missing, leaf_count) if missing.any() else None,
        children=np.concatenate([following, ends]).astype(np.int32),
        depth=depth_of(nodes.roots, following),
        first_leaf=count,
    )


def padded(x: Array, count: int) -> Array:
    """Return a table with zeros for the leaves."""
    return np.concatenate([x, np.zeros(count, x.dtype)])


def intervals(nodes: Nodes) -> tuple[Array, Array, Array]:
    """Return the numbers between which comparisons hold, and the nodes whose branches swap."""
    with np.errstate(under="ignore"):
        below = np.nextafter(nodes.splits, np.array(-np.inf, nodes.splits.dtype))
    mode = nodes.modes
    is_strict = (mode == MODES.index("BRANCH_LT")) | (mode == MODES.index("BRANCH_GTE"))
    is_equal = (mode == MODES.index("BRANCH_EQ")) | (mode == MODES.index("BRANCH_NEQ"))
    is_swapped = np.isin(mode, [MODES.index(f"BRANCH_{name}") for name in ("GTE", "GT", "NEQ")])
    low = np.where(is_equal, nodes.splits, np.array(-np.inf, nodes.splits.dtype))
    # No number is below minus infinity.
    empty = is_strict & (nodes.splits == -np.inf)
    high = np.where(is_strict, below, nodes.splits)
    return low, np.where(empty, np.array(np.nan, high.dtype), high), is_swapped


def depth_of(roots: Array, following: Array) -> int:
    """Return how many nodes the longest path has.

    Raises
    ------
    Refused
        If a path comes back to a node.
    """
    level = np.unique(roots)
    for count in range(len(following) + 1):
        level = level[level < len(following)]
        if not level.size:
            return count
        level = np.unique(following[level])
    raise Refused("a node of a tree that follows itself")


def leaves(x: RelayExpr, forest: Forest) -> RelayExpr:
    """Return the leaf of each tree that each row reaches.

    Parameters
    ----------
    x
        Rows of shape `(rows, features)`, of the data type of the tables.
    forest
        The trees.

    Returns
    -------
    leaves
        Numbers of leaves, of shape `(rows, trees)` and data type `int32`.

    Raises
    ------
    Refused
        If a tree compares a feature that rows do not have.
    """
    _, width = dims(x)
    features = forest.features[: forest.first_leaf]
    if features.size and (
        features.min() < 0 or (isinstance(width, int) and features.max() >= width)
    ):
        raise Refused(f"feature {features.max()} of rows of {width}")
    node = relay.tree_leaves(
        x,
        relay.const(forest.roots),
        relay.const(forest.features),
        relay.const(forest.high),
        relay.const(forest.children),
        None if forest.low is None else relay.const(forest.low),
        None if forest.missing is None else relay.const(forest.missing),
        depth=forest.depth,
    )
    return relay.subtract(node, relay.const(np.array(forest.first_leaf, np.int32)))
