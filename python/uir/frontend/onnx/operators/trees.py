"""Ensembles of decision trees of the domain `ai.onnx.ml`: forests and boosted trees.

Attributes become constant tables of `relay.tree_leaves`. Classifiers follow onnxruntime where the
text of ONNX leaves a choice.
"""

from __future__ import annotations

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Array, dtype_of, in_type, scalar
from ..node import Converter, Node, Outputs
from .classifier_scores import class_labels, matrix, of_targets, row, transformed, two_classes
from .forest import forest_of, leaves
from .tree_attributes import Trees, Weights, ensemble_trees, numbered_trees, numbers

__all__ = ["CONVERTERS"]

# The names that `TreeEnsemble` numbers.
AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
POST_TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


def features(node: Node) -> RelayExpr:
    """Return rows of features as floats of 32 or 64 bits."""
    x = matrix(node.input(0))
    return x if dtype_of(x) == "float64" else in_type(x, "float32")


def table(weights: Weights, leaf_count: int, targets: int, missing: float) -> Array:
    """Return weights as a table of shape `(leaves, targets)`; `missing` fills absent entries.

    Raises
    ------
    Refused
        If a target is out of range, or a leaf has two weights of it.
    """
    if not 0 <= weights.targets.min() <= weights.targets.max() < targets:
        raise Refused(f"a weight of target {weights.targets.max()} of {targets}")
    places = weights.leaves * targets + weights.targets
    if len(np.unique(places)) < len(places):
        raise Refused("a leaf that has two weights of one target")
    found = np.full(leaf_count * targets, missing, weights.values.dtype)
    found[places] = weights.values
    return found.reshape(leaf_count, targets)


def reached(trees: Trees, x: RelayExpr) -> RelayExpr:
    """Return the leaves that rows reach, of shape `(rows, trees)`.

    Raises
    ------
    Refused
        If there is no tree.
    """
    if not len(trees.nodes.roots):
        raise Refused("no tree")
    return leaves(x, forest_of(trees.nodes, trees.leaf_count))


def total(found: RelayExpr, trees: Trees, targets: int, aggregate: str) -> RelayExpr:
    """Return the sum, mean, least or greatest weight of each target, of shape `(rows, targets)`.

    A target without a weight at the leaves that a row reaches has 0.

    Raises
    ------
    Refused
        If there is no such aggregate.
    """
    if aggregate not in AGGREGATES:
        raise Refused(f"`aggregate_function` {aggregate}")
    if aggregate in ("SUM", "AVERAGE"):
        weights = relay.const(table(trees.weights, trees.leaf_count, targets, 0))
        sums = relay.sum(relay.take(weights, found, 0, mode="clip"), [1])
        count = len(trees.nodes.roots)
        return relay.divide(sums, scalar(count, sums)) if aggregate == "AVERAGE" else sums
    if not np.isfinite(trees.weights.values).all():
        raise Refused(f"a weight that is not finite, of `aggregate_function` {aggregate}")
    none = np.inf if aggregate == "MIN" else -np.inf
    weights = relay.const(table(trees.weights, trees.leaf_count, targets, none))
    choose = relay.min if aggregate == "MIN" else relay.max
    chosen = choose(relay.take(weights, found, 0, mode="clip"), [1])
    return relay.where(relay.equal(chosen, scalar(none, chosen)), scalar(0, chosen), chosen)


def base_values(node: Node, dtype: str, count: int) -> Array | None:
    """Return a number for each target that is added to it; None if there are none.

    Raises
    ------
    Refused
        If there are neither as many as targets nor none.
    """
    base = numbers(node, "base_values", dtype)
    if base is not None and len(base) != count:
        raise Refused(f"{len(base)} `base_values`, which must be {count}")
    return base


def tree_ensemble_regressor(node: Node) -> RelayExpr:
    """Return the aggregated weights of the leaves that rows reach, as float32."""
    x, targets = features(node), node.attribute("n_targets", 1)
    trees = numbered_trees(node, "target", dtype_of(x))
    base = base_values(node, dtype_of(x), targets)
    aggregate = node.attribute("aggregate_function", "SUM")
    scores = total(reached(trees, x), trees, targets, aggregate)
    if base is not None:
        scores = relay.add(scores, row(base, scores))
    scores = of_targets(scores, node.attribute("post_transform", "NONE"), targets)
    return in_type(scores, "float32")


def tree_ensemble(node: Node) -> RelayExpr:
    """Return the aggregated weights of the leaves that rows reach, in the type of the rows."""
    given = node.input(0)
    x, targets = features(node), node.attribute("n_targets", 1)
    trees = ensemble_trees(node, dtype_of(given), dtype_of(x))
    aggregate, transform = (
        node.attribute(name, default)
        for name, default in (("aggregate_function", 1), ("post_transform", 0))
    )
    if not (0 <= aggregate < len(AGGREGATES) and 0 <= transform < len(POST_TRANSFORMS)):
        raise Refused(f"`aggregate_function` {aggregate} and `post_transform` {transform}")
    scores = total(reached(trees, x), trees, targets, AGGREGATES[aggregate])
    scores = of_targets(scores, POST_TRANSFORMS[transform], targets)
    return in_type(scores, dtype_of(given))


def tree_ensemble_classifier(node: Node) -> Outputs:
    """Return the labels of rows as int64, and the scores of their classes as float32."""
    x, labels = features(node), class_labels(node, "classlabels_int64s")
    trees = numbered_trees(node, "class", dtype_of(x))
    transform = node.attribute("post_transform", "NONE")
    classify = binary if len(labels) == 2 else multiclass
    place, scores = classify(node, trees, x, len(labels), transform)
    return [relay.take(relay.const(labels), place, 0), in_type(scores, "float32")]


def multiclass(
    node: Node, trees: Trees, x: RelayExpr, count: int, transform: str
) -> tuple[RelayExpr, RelayExpr]:
    """Return the place of the class with the greatest score, and the scores after a transform.

    Raises
    ------
    Refused
        If there is only one class.
    """
    if count == 1:
        raise Refused("a classifier of one class")
    base, found = base_values(node, dtype_of(x), count), node.bind(reached(trees, x))
    scores = total(found, trees, count, "SUM")
    if base is not None:
        scores = relay.add(scores, row(base, scores))
    scores = node.bind(scores)
    chosen = scores if base is not None else with_weights(found, trees, scores, count)
    return relay.argmax(chosen, 1), transformed(scores, transform)


def with_weights(found: RelayExpr, trees: Trees, scores: RelayExpr, count: int) -> RelayExpr:
    """Return scores, and minus infinity for classes without a weight at the leaves of a row."""
    if has_always(trees, count).all():
        return scores
    has = relay.const(is_there(trees, count))
    has_score = relay.max(relay.take(has, found, 0, mode="clip"), [1])
    return relay.where(has_score, scores, scalar(-np.inf, scores))


def is_there(trees: Trees, count: int) -> Array:
    """Return which leaves have a weight of which class, of shape `(leaves, classes)`."""
    return ~np.isnan(table(trees.weights, trees.leaf_count, count, np.nan))


def has_always(trees: Trees, count: int) -> Array:
    """Return the classes of which a tree has a weight at all leaves."""
    _, tree = np.unique(trees.tree_of_leaf, return_inverse=True)
    at_all = np.ones((tree.max() + 1, count), bool)
    np.logical_and.at(at_all, tree, is_there(trees, count))
    return np.asarray(at_all.any(0))


def binary(
    node: Node, trees: Trees, x: RelayExpr, count: int, transform: str
) -> tuple[RelayExpr, RelayExpr]:
    """Return the places of labels, and the scores of two classes after a transform.

    Weights are those of the second class, also if they are said to be those of the first one. If
    none is negative, a score above 0.5 means the second class, otherwise a positive one.

    Raises
    ------
    Refused
        If both classes have weights: onnxruntime returns the labels 0 and 1 then, and the reference
        of ONNX those of the classes.
    """
    used = np.unique(trees.weights.targets)
    if len(used) > 1:
        raise Refused("two classes that both have weights")
    base, found = base_values(node, dtype_of(x), 1), reached(trees, x)
    of_one = trees.weights._replace(targets=np.zeros_like(trees.weights.targets))
    score = total(found, trees._replace(weights=of_one), 1, "SUM")
    if base is not None:
        if used[0] != 0:
            raise Refused("`base_values` of two classes whose weights are those of the second one")
        score = relay.add(score, row(base, score))
    score = node.bind(score)
    is_probability = bool((trees.weights.values >= 0).all())
    is_second = relay.greater(score, scalar(0.5 if is_probability else 0, score))
    place = relay.squeeze(in_type(is_second, "int64"), [1])
    if used[0] == 0:
        return place, two_classes(score, transform, is_probability)
    return place, transformed(relay.pad(score, [0, 1], [0, 0]), transform)


CONVERTERS: dict[str, Converter] = {
    "TreeEnsemble": tree_ensemble,
    "TreeEnsembleClassifier": tree_ensemble_classifier,
    "TreeEnsembleRegressor": tree_ensemble_regressor,
}
