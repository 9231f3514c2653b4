"""The attributes of the operators of trees: two encodings of nodes and leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from onnx import numpy_helper

from ...errors import Refused
from ...tensors import Array
from ..node import Node
from .forest import MODES, Nodes

__all__ = ["Trees", "Weights", "ensemble_trees", "numbered_trees", "numbers"]


class Weights(NamedTuple):
    """The weights of leaves: one element of each array for each weight.

    Attributes
    ----------
    leaves
        The leaf that has the weight.
    targets
        The target or class that it counts for.
    values
        The weights.
    """

    leaves: Array
    targets: Array
    values: Array


class Trees(NamedTuple):
    """Inner nodes, the trees that leaves belong to, and their weights.

    Where leaves may belong to several trees, these are not known.
    """

    nodes: Nodes
    tree_of_leaf: Array
    weights: Weights

    @property
    def leaf_count(self) -> int:
        """The number of leaves."""
        return len(self.tree_of_leaf)


def numbers(node: Node, name: str, dtype: str) -> Array | None:
    """Return a list of floats, which is an attribute, or a tensor in another one.

    Raises
    ------
    Refused
        If the tensor has another data type, or both attributes are there.
    """
    listed, tensor = node.attribute(name), node.attribute(f"{name}_as_tensor")
    if tensor is None:
        return np.array(listed, np.float32).astype(dtype) if listed else None
    if listed:
        raise Refused(f"both `{name}` and `{name}_as_tensor`")
    return of_type(numpy_helper.to_array(tensor).reshape(-1), f"{name}_as_tensor", dtype)


def of_type(x: Array, name: str, dtype: str) -> Array:
    """Return an array of a data type; another one is refused."""
    if str(x.dtype) != dtype:
        raise Refused(f"`{name}` of data type {x.dtype}, which must be {dtype}")
    return x


def integers(node: Node, name: str, count: int | None = None) -> Array:
    """Return a list of integers of a length; a missing one is of zeros if the length is known."""
    given = node.attribute(name)
    if not given and count is not None:
        return np.zeros(count, np.int64)
    found = np.array(given or [], np.int64)
    if count is not None and len(found) != count:
        raise Refused(f"`{name}` has {len(found)} elements, which must be {count}")
    return found


def numbered_trees(node: Node, of_weights: str, dtype: str) -> Trees:
    """Return trees whose nodes have numbers, as in `TreeEnsembleRegressor`.

    Parameters
    ----------
    node
        The node.
    of_weights
        The prefix of the attributes with weights: "class" or "target".
    dtype
        The data type of the numbers.

    Raises
    ------
    Refused
        If attributes do not fit each other.
    """
    modes = [one.decode() for one in node.attribute("nodes_modes") or []]
    trees, ids = (integers(node, f"nodes_{one}ids", len(modes)) for one in ("tree", "node"))
    keys = list(zip(trees.tolist(), ids.tolist(), strict=True))
    is_leaf = np.array([mode == "LEAF" for mode in modes], bool)
    count = int((~is_leaf).sum())
    # Inner nodes come first.
    places = np.where(is_leaf, count + np.cumsum(is_leaf), np.cumsum(~is_leaf)) - 1
    place_of = dict(zip(keys, places.tolist(), strict=True))
    if len(place_of) < len(keys):
        raise Refused("two nodes of a tree with one number")
    inner = np.flatnonzero(~is_leaf)
    splits = numbers(node, "nodes_values", dtype)
    if splits is None or len(splits) != len(modes):
        raise Refused("as many `nodes_values` as nodes are missing")
    nodes = Nodes(
        roots=np.array([place_of[keys[at]] for at in first_of_each(trees)], np.int64),
        features=integers(node, "nodes_featureids", len(modes))[inner],
        splits=splits[inner],
        modes=np.array([number_of(modes[at]) for at in inner], np.int64),
        yes=followers(node, "true", keys, inner, place_of),
        no=followers(node, "false", keys, inner, place_of),
        missing=integers(node, "nodes_missing_value_tracks_true", len(modes))[inner] == 1,
    )
    weights = weights_of(node, of_weights, dtype, place_of, count)
    return Trees(nodes, trees[is_leaf], weights)


def first_of_each(trees: Array) -> Array:
    """Return the places where trees begin: the first node of each is its root."""
    return np.sort(np.unique(trees, return_index=True)[1])


def number_of(mode: str) -> int:
    """Return the number of a comparison."""
    if mode not in MODES:
        raise Refused(f"the mode {mode} of a node")
    return MODES.index(mode)


Key = tuple[int, int]


def followers(
    node: Node, branch: str, keys: Sequence[Key], inner: Array, place_of: dict[Key, int]
) -> Array:
    """Return the places of the nodes that follow inner nodes; -1 where there is none."""
    ids = integers(node, f"nodes_{branch}nodeids", len(keys))
    found = [place_of.get((keys[at][0], int(ids[at])), -1) for at in inner]
    return np.array(found, np.int64)


def weights_of(
    node: Node, prefix: str, dtype: str, place_of: dict[Key, int], first: int
) -> Weights:
    """Return the weights of leaves, which the attributes of a prefix list."""
    values = numbers(node, f"{prefix}_weights", dtype)
    if values is None:
        raise Refused(f"the attribute `{prefix}_weights` is missing")
    trees, ids, targets = (
        integers(node, f"{prefix}_{one}", len(values)) for one in ("treeids", "nodeids", "ids")
    )
    keys = zip(trees.tolist(), ids.tolist(), strict=True)
    leaves = np.array([place_of.get(key, -1) for key in keys], np.int64) - first
    if leaves.min() < 0:
        raise Refused(f"`{prefix}_weights` of nodes that are not leaves")
    return Weights(leaves, targets, values)


def ensemble_trees(node: Node, given: str, dtype: str) -> Trees:
    """Return the trees of `TreeEnsemble`, whose nodes and leaves are apart.

    Parameters
    ----------
    node
        The node.
    given
        The data type of the attributes.
    dtype
        The data type of the result.

    Raises
    ------
    Refused
        If attributes do not fit each other.
    """
    features = integers(node, "nodes_featureids")
    count = len(features)
    splits, values = (
        of_type(array(node, name), name, given).astype(dtype)
        for name in ("nodes_splits", "leaf_weights")
    )
    modes = array(node, "nodes_modes").astype(np.int64)
    if not len(splits) == len(modes) == count:
        raise Refused(f"{len(splits)} `nodes_splits` and {len(modes)} modes of {count} nodes")
    nodes = Nodes(
        roots=integers(node, "tree_roots"),
        features=features,
        splits=splits,
        modes=modes,
        yes=apart(node, "true", count),
        no=apart(node, "false", count),
        missing=integers(node, "nodes_missing_value_tracks_true", count) == 1,
    )
    targets = integers(node, "leaf_targetids", len(values))
    weights = Weights(np.arange(len(values)), targets, values)
    members = None
    if node.attribute("membership_values") is not None:
        found = array(node, "membership_values")
        members = of_type(found, "membership_values", given).astype(dtype)
    return Trees(with_members(nodes, members), np.zeros(len(values), np.int64), weights)


def array(node: Node, name: str) -> Array:
    """Return an attribute that is a tensor, as a vector."""
    tensor = node.attribute(name)
    if tensor is None:
        raise Refused(f"the attribute `{name}` is missing")
    return numpy_helper.to_array(tensor).reshape(-1)


def apart(node: Node, branch: str, count: int) -> Array:
    """Return the nodes that follow; leaves have numbers from the count of nodes on."""
    ids = integers(node, f"nodes_{branch}nodeids", count)
    is_leaf = integers(node, f"nodes_{branch}leafs", count) == 1
    if np.any(~is_leaf & (ids >= count)):
        raise Refused(f"`nodes_{branch}nodeids` of nodes that are missing")
    return np.where(is_leaf, ids + count, ids)


# The mode of a node that compares with each number of a set.
MEMBER = len(MODES)


def with_members(nodes: Nodes, members: Array | None) -> Nodes:
    """Return nodes without sets: one of a set becomes a chain that compares with its members."""
    if not np.any(nodes.modes >= MEMBER):
        return nodes
    if np.any(nodes.modes > MEMBER):
        raise Refused(f"the mode {nodes.modes.max()} of a node")
    sets = list(sets_of(members))
    owners = np.flatnonzero(nodes.modes == MEMBER)
    if len(sets) != len(owners):
        raise Refused(f"{len(sets)} sets in `membership_values` of {len(owners)} nodes")
    sizes = np.array([len(one) for one in sets])
    added = int((sizes - 1).sum())
    # The leaves move behind the nodes that are added.
    count = len(nodes.modes)
    moved = [one + added * (one >= count) for one in (nodes.roots, nodes.yes, nodes.no)]
    chains = np.concatenate(
        [np.full(len(one) - 1, at) for at, one in zip(owners, sets, strict=True)]
    )
    every = np.concatenate([np.arange(count), chains])
    roots, yes, no = moved[0], moved[1][every], moved[2][every]
    splits, modes = nodes.splits[every], nodes.modes[every]
    free = count
    for at, one in zip(owners, sets, strict=True):
        chain = np.concatenate([[at], np.arange(free, free + len(one) - 1)])
        no[chain[:-1]] = chain[1:]
        splits[chain], modes[chain] = one, MODES.index("BRANCH_EQ")
        free += len(one) - 1
    return Nodes(roots, nodes.features[every], splits, modes, yes, no, nodes.missing[every])


def sets_of(members: Array | None) -> Iterator[Array]:
    """Yield the sets of numbers between which there is NaN; an empty one is refused."""
    if members is None:
        return
    bounds = np.flatnonzero(np.isnan(members))
    parts = np.split(members, bounds)
    sets = [parts[0], *(part[1:] for part in parts[1:])]
    if len(sets[-1]) == 0:
        sets.pop()  # NaN may end the last set, too.
    for one in sets:
        if not len(one):
            raise Refused("an empty set in `membership_values`")
        yield one
