"""Ensembles of trees, as gradient boosting makes them."""

from __future__ import annotations

import numpy as np

from .graph import Graph, Network

__all__ = ["trees"]


def trees(count: int, depth: int, rows: int, features: int = 32) -> Network:
    """Return the sums of the leaves of full trees that rows reach, as in gradient boosting."""
    graph, numbers = Graph(), np.random.default_rng(0)
    inner, leaves = 2**depth - 1, 2**depth
    nodes = np.arange(inner + leaves)
    is_inner = nodes < inner
    size = count * len(nodes)
    sums = graph.call(
        "TreeEnsembleRegressor",
        "x",
        domain="ai.onnx.ml",
        n_targets=1,
        nodes_treeids=np.repeat(np.arange(count), len(nodes)),
        nodes_nodeids=np.tile(nodes, count),
        nodes_modes=np.tile(np.where(is_inner, "BRANCH_LEQ", "LEAF"), count).tolist(),
        nodes_truenodeids=np.tile(np.where(is_inner, 2 * nodes + 1, 0), count),
        nodes_falsenodeids=np.tile(np.where(is_inner, 2 * nodes + 2, 0), count),
        nodes_featureids=numbers.integers(0, features, size),
        nodes_values=numbers.standard_normal(size).astype(np.float32),
        target_treeids=np.repeat(np.arange(count), leaves),
        target_nodeids=np.tile(nodes[inner:], count),
        target_ids=np.zeros(count * leaves, np.int64),
        target_weights=numbers.standard_normal(count * leaves).astype(np.float32),
    )
    return graph.network((rows, features), sums)
