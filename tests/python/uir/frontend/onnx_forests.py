"""Random decision trees as attributes of nodes of ONNX, and a walk through them in Python."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper

from .onnx_graphs import model, tensor

Attributes = dict[str, list[Any]]

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "BRANCH_LEQ": operator.le,
    "BRANCH_LT": operator.lt,
    "BRANCH_GTE": operator.ge,
    "BRANCH_GT": operator.gt,
    "BRANCH_EQ": operator.eq,
    "BRANCH_NEQ": operator.ne,
}

NODES = ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")
WEIGHTS = ("treeids", "nodeids", "ids", "weights")


def forest(
    targets: Callable[[int], Sequence[int]],
    prefix: str = "target",
    modes: Sequence[str] = tuple(COMPARISONS),
    trees: int = 5,
    depth: int = 4,
    seed: int = 0,
) -> Attributes:
    """Return random trees; `targets` has the targets of the weights at the leaves of a tree."""
    rng = np.random.default_rng(seed)
    found: Attributes = {f"nodes_{name}": [] for name in (*NODES, "missing_value_tracks_true")}
    found |= {f"{prefix}_{name}": [] for name in WEIGHTS}

    def grow(tree: int, level: int, numbers: Iterator[int]) -> int:
        number, place = next(numbers), len(found["nodes_nodeids"])
        is_leaf = level == depth or (level > 1 and rng.random() < 0.2)
        mode = "LEAF" if is_leaf else modes[rng.integers(len(modes))]
        split = 0.0 if is_leaf else float(rng.integers(-3, 4)) / 2
        row = (tree, number, int(rng.integers(4)), split, mode, 0, 0, int(rng.integers(2)))
        for name, value in zip((*NODES, "missing_value_tracks_true"), row, strict=True):
            found[f"nodes_{name}"].append(value)
        if is_leaf:
            for target in targets(tree):
                weight = float(np.float32(rng.uniform(-0.2, 0.2)))
                for name, value in zip(WEIGHTS, (tree, number, target, weight), strict=True):
                    found[f"{prefix}_{name}"].append(value)
        else:
            for branch in ("true", "false"):
                follower = grow(tree, level + 1, numbers)
                found[f"nodes_{branch}nodeids"][place] = follower
        return number

    for tree in range(trees):
        grow(tree, 0, iter(range(2 ** (depth + 2))))
    return found


def rows(count: int = 60, seed: int = 1) -> np.ndarray:
    """Return rows of four features: multiples of a half, many of them splits, and NaN."""
    rng = np.random.default_rng(seed)
    x = rng.integers(-4, 5, (count, 4)).astype(np.float32) / 2
    x[rng.random(x.shape) < 0.15] = np.nan
    return x


def leaf_of(found: Attributes, tree: int, x: np.ndarray) -> int:
    """Return the number of the leaf of a tree that a row reaches."""
    place = found["nodes_treeids"].index(tree)
    first = place
    while found["nodes_modes"][place] != "LEAF":
        value = x[found["nodes_featureids"][place]]
        compare = COMPARISONS[found["nodes_modes"][place]]
        holds = compare(value, found["nodes_values"][place])
        if np.isnan(value) and found["nodes_missing_value_tracks_true"][place]:
            holds = True
        branch = "true" if holds else "false"
        place = first + found[f"nodes_{branch}nodeids"][place]
    return int(found["nodes_nodeids"][place])


def weights(found: Attributes, x: np.ndarray, targets: int, prefix: str = "target") -> np.ndarray:
    """Return the weights at the leaves that rows reach: `(rows, trees, targets)`; NaN for none."""
    trees = sorted(set(found["nodes_treeids"]))
    result = np.full((len(x), len(trees), targets), np.nan, np.float32)
    listed = [found[f"{prefix}_{name}"] for name in WEIGHTS]
    table = {(tree, node, target): one for tree, node, target, one in zip(*listed, strict=True)}
    for at, row in enumerate(x):
        for tree in trees:
            leaf = leaf_of(found, tree, row)
            for target in range(targets):
                result[at, tree, target] = table.get((tree, leaf, target), np.nan)
    return result


def of_ml(
    nodes: Sequence[onnx.NodeProto], width: int = 4, version: int = 3, dtype: int = 1
) -> onnx.ModelProto:
    """Return a model of nodes of `ai.onnx.ml`, whose outputs are all of theirs."""
    outputs = [name for one in nodes for name in one.output]
    proto = model(nodes, [tensor("x", ("n", width), dtype)], outputs)
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", version))
    return proto


def node(operator: str, output: str | list[str], **attributes: Any) -> onnx.NodeProto:
    """Return a node of `ai.onnx.ml` with the input `x`."""
    outputs = [output] if isinstance(output, str) else output
    return helper.make_node(operator, ["x"], outputs, domain="ai.onnx.ml", **attributes)
