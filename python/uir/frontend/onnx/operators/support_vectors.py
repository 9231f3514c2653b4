"""Support vector machines of the domain `ai.onnx.ml`."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Array, in_type, scalar
from ..node import Converter, Node, Outputs
from .classifier_scores import class_labels, known_numbers, matrix, transformed, two_classes

__all__ = ["CONVERTERS"]


def floats(node: Node, name: str) -> Array:
    """Return an attribute with a list of floats.

    Raises
    ------
    Refused
        If it is missing.
    """
    found = known_numbers(node, name)
    if found is None:
        raise Refused(f"the attribute `{name}` is missing")
    return found.astype(np.float32)


def features(node: Node) -> RelayExpr:
    """Return rows of features as float32."""
    return in_type(matrix(node.input(0)), "float32")


def kernels(node: Node, x: RelayExpr, count: int) -> RelayExpr:
    """Return the kernel of each row and support vector, of shape `(rows, vectors)`.

    Raises
    ------
    Refused
        If there is no such kernel, or the vectors have different lengths.
    """
    listed = floats(node, "support_vectors")
    if len(listed) % count:
        raise Refused(f"{len(listed)} numbers in `support_vectors` of {count} vectors")
    vectors = listed.reshape(count, -1)
    kind = node.attribute("kernel_type", "LINEAR")
    gamma, offset, degree = node.attribute("kernel_params") or (0.0, 0.0, 0.0)
    if kind == "RBF":
        difference = relay.subtract(relay.expand_dims(x, [1]), relay.const(vectors))
        squares = relay.sum(relay.multiply(difference, difference), [2])
        return relay.exp(relay.multiply(squares, scalar(-gamma, x)))
    products = relay.matmul(x, relay.const(np.ascontiguousarray(vectors.T)))
    if kind == "LINEAR":
        return products
    moved = relay.add(relay.multiply(products, scalar(gamma, x)), scalar(offset, x))
    if kind == "POLY":
        return relay.power(moved, scalar(degree, x))
    if kind == "SIGMOID":
        return relay.tanh(moved)
    raise Refused(f"`kernel_type` {kind}")


def svm_regressor(node: Node) -> RelayExpr:
    """Return the sum of weighted kernels as float32; of one class, 1 where positive, else -1.

    Raises
    ------
    Refused
        If there is a `post_transform`, or `coefficients` and `rho` do not fit the vectors.
    """
    if node.attribute("post_transform", "NONE") != "NONE":
        raise Refused(f"`post_transform` {node.attribute('post_transform')}")
    x, count = features(node), node.attribute("n_supports", 0)
    coefficients, rho = floats(node, "coefficients"), floats(node, "rho")
    if len(rho) != 1 or (count and len(coefficients) != count):
        raise Refused(f"{len(coefficients)} `coefficients` of {count} vectors, {len(rho)} `rho`")
    found = kernels(node, x, count) if count else x
    sums = relay.matmul(found, relay.const(coefficients.reshape(-1, 1)))
    result = relay.add(sums, scalar(rho[0], x))
    if not node.flag("one_class"):
        return result
    is_inside = relay.greater(result, scalar(0, x))
    return relay.where(is_inside, scalar(1, x), scalar(-1, x))


def svm_classifier(node: Node) -> Outputs:
    """Return labels as int64, and scores as float32: of pairs of classes, or of classes.

    Raises
    ------
    Refused
        If there are probabilities of classes, or two classes without support vectors.
    """
    x, labels = features(node), class_labels(node, "classlabels_ints")
    transform = node.attribute("post_transform", "NONE")
    if node.attribute("prob_a") or node.attribute("prob_b"):
        raise Refused("probabilities of classes: `prob_a` and `prob_b`")
    if len(labels) == 1:
        raise Refused("a classifier of one class")
    if not node.attribute("vectors_per_class"):
        place, scores = of_rows(node, x, len(labels), transform)
    else:
        place, scores = of_pairs(node, x, len(labels), transform)
    return [relay.take(relay.const(labels), place, 0), scores]


def of_rows(node: Node, x: RelayExpr, count: int, transform: str) -> tuple[RelayExpr, RelayExpr]:
    """Return the place of the greatest score, and the scores of classes, without vectors."""
    coefficients, rho = floats(node, "coefficients"), floats(node, "rho")
    if count == 2:
        raise Refused("two classes without support vectors")
    if len(coefficients) % count:
        raise Refused(f"{len(coefficients)} `coefficients` of {count} classes")
    table = np.ascontiguousarray(coefficients.reshape(count, -1).T)
    scores = relay.add(relay.matmul(x, relay.const(table)), scalar(rho[0], x))
    scores = node.bind(scores)
    return relay.argmax(scores, 1), transformed(scores, transform)


def of_pairs(node: Node, x: RelayExpr, count: int, transform: str) -> tuple[RelayExpr, RelayExpr]:
    """Return the place of the class with the most votes, and the scores of pairs of classes."""
    counts = node.attribute("vectors_per_class")
    if len(counts) != count:
        raise Refused(f"{len(counts)} `vectors_per_class` of {count} classes")
    table, rho = weights_of_pairs(node, counts), floats(node, "rho")
    if len(rho) != table.shape[1]:
        raise Refused(f"{len(rho)} `rho` of {table.shape[1]} pairs of classes")
    sums = relay.matmul(kernels(node, x, sum(counts)), relay.const(table))
    scores = node.bind(relay.add(sums, relay.const(rho)))
    is_first = relay.greater(scores, scalar(0, scores))
    first, second = votes(count)
    counted = relay.add(
        relay.matmul(in_type(is_first, "float32"), relay.const(first)),
        relay.matmul(in_type(relay.logical_not(is_first), "float32"), relay.const(second)),
    )
    place = relay.argmax(counted, 1)
    if count > 2:
        return place, transformed(scores, transform)
    if transform == "LOGISTIC":
        raise Refused("`post_transform` LOGISTIC of two classes with one score")
    return place, two_classes(scores, transform, is_probability=transform != "NONE")


def weights_of_pairs(node: Node, counts: list[int]) -> Array:
    """Return the weight of each kernel for each pair of classes, of shape `(vectors, pairs)`.

    A vector of a class has a row of coefficients for each other class.
    """
    count, total = len(counts), sum(counts)
    listed = floats(node, "coefficients")
    if len(listed) != (count - 1) * total:
        raise Refused(f"{len(listed)} `coefficients`, which must be {(count - 1) * total}")
    coefficients = listed.reshape(count - 1, total)
    ends = np.cumsum(counts)
    of_class = [slice(end - size, end) for end, size in zip(ends, counts, strict=True)]
    pairs = list(combinations(range(count), 2))
    table = np.zeros((total, len(pairs)), np.float32)
    for place, (i, j) in enumerate(pairs):
        table[of_class[i], place] = coefficients[j - 1, of_class[i]]
        table[of_class[j], place] = coefficients[i, of_class[j]]
    return table


def votes(count: int) -> tuple[Array, Array]:
    """Return which class each pair votes for if its score is positive, and if it is not."""
    pairs = np.array(list(combinations(range(count), 2)))
    whole = np.eye(count, dtype=np.float32)
    return whole[pairs[:, 0]], whole[pairs[:, 1]]


CONVERTERS: dict[str, Converter] = {
    "SVMClassifier": svm_classifier,
    "SVMRegressor": svm_regressor,
}
