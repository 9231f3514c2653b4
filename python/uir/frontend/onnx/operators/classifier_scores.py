"""Scores and labels of the classifiers and regressors of the domain `ai.onnx.ml`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Array, dims, dtype_of, rank, scalar
from ..node import Node

__all__ = [
    "class_labels",
    "known_numbers",
    "matrix",
    "of_targets",
    "row",
    "transformed",
    "two_classes",
]


def matrix(x: RelayExpr) -> RelayExpr:
    """Return rows of features; a vector is one row.

    Raises
    ------
    Refused
        If the rank is neither 1 nor 2.
    """
    if rank(x) not in (1, 2):
        raise Refused(f"a tensor of rank {rank(x)}, which must be 1 or 2")
    return x if rank(x) == 2 else relay.reshape(x, [1, *dims(x)], allowzero=True)


def known_numbers(node: Node, name: str) -> Array | None:
    """Return an attribute with a list of numbers; None if it is missing or empty."""
    numbers = node.attribute(name)
    if not numbers:
        return None
    floats = any(isinstance(one, float) for one in numbers)
    return np.array(numbers, np.float32 if floats else np.int64)


def row(numbers: Array, like: RelayExpr) -> RelayExpr:
    """Return numbers as a constant vector of the data type of a tensor."""
    return relay.const(numbers.astype(dtype_of(like)))


def class_labels(node: Node, name: str) -> Array:
    """Return the labels of the classes, which are integers.

    Raises
    ------
    Refused
        If they are texts, or missing.
    """
    if node.attribute("classlabels_strings"):
        raise Refused("class labels that are texts: `classlabels_strings`")
    labels = known_numbers(node, name)
    if labels is None:
        raise Refused(f"the attribute `{name}` is missing")
    return labels


def softmax(x: RelayExpr) -> RelayExpr:
    """Return the softmax of each row."""
    return relay.softmax(x, -1)


def softmax_zero(x: RelayExpr) -> RelayExpr:
    """Return the softmax of the elements of each row that are not near 0, which do not count."""
    greatest = relay.max(x, [-1], keepdims=True)
    counts = relay.greater(relay.abs(x), scalar(1e-7, x))
    exponentials = relay.exp(relay.subtract(x, greatest))
    total = relay.sum(relay.where(counts, exponentials, scalar(0, x)), [-1], keepdims=True)
    small = relay.multiply(x, relay.exp(relay.negative(greatest)))
    return relay.divide(relay.where(counts, exponentials, small), total)


def probit(x: RelayExpr) -> RelayExpr:
    """Return the quantile function of the normal distribution by Winitzki's formula.

    This is the approximation of onnxruntime and of the reference of ONNX, with its constants.
    """
    centered = relay.subtract(relay.multiply(x, scalar(2, x)), scalar(1, x))
    one = scalar(1, x)
    log = relay.log(relay.multiply(relay.subtract(one, centered), relay.add(one, centered)))
    half = relay.add(scalar(2 / (3.14159 * 0.147), x), relay.multiply(log, scalar(0.5, x)))
    inner = relay.subtract(relay.multiply(half, half), relay.multiply(log, scalar(1 / 0.147, x)))
    size = relay.sqrt(relay.subtract(relay.sqrt(inner), half))
    signed = relay.where(relay.less(centered, scalar(0, x)), relay.negative(size), size)
    return relay.multiply(signed, scalar(2**0.5, x))


TRANSFORMS: dict[str, Callable[[RelayExpr], RelayExpr]] = {
    "NONE": lambda x: x,
    "LOGISTIC": relay.sigmoid,
    "PROBIT": probit,
    "SOFTMAX": softmax,
    "SOFTMAX_ZERO": softmax_zero,
}


def transformed(x: RelayExpr, name: str) -> RelayExpr:
    """Return scores of shape `(rows, classes)` after a `post_transform`.

    Raises
    ------
    Refused
        If there is no such transform.
    """
    if name not in TRANSFORMS:
        raise Refused(f"`post_transform` {name}")
    return TRANSFORMS[name](x)


def of_targets(scores: RelayExpr, name: str, targets: int) -> RelayExpr:
    """Return the scores of a regressor after a `post_transform`.

    Raises
    ------
    Refused
        If it changes a single target otherwise than PROBIT: onnxruntime leaves it out then, and the
        text of ONNX does not.
    """
    if targets == 1 and name not in ("NONE", "PROBIT"):
        raise Refused(f"`post_transform` {name} of one target")
    return transformed(scores, name)


def two_classes(score: RelayExpr, name: str, is_probability: bool) -> RelayExpr:
    """Return the scores of two classes from that of the second one, of shape `(rows, 1)`.

    Parameters
    ----------
    score
        The score.
    name
        The `post_transform`; only LOGISTIC changes the score.
    is_probability
        Whether the other score is `1 - score`, and not `-score`.

    Raises
    ------
    Refused
        If it is PROBIT, which leaves one score of two.
    """
    if name not in TRANSFORMS or name == "PROBIT":
        raise Refused(f"`post_transform` {name} of two classes with one score")
    if name == "LOGISTIC":
        return relay.sigmoid(relay.concatenate([relay.negative(score), score], axis=1))
    whole = scalar(1 if is_probability else 0, score)
    return relay.concatenate([relay.subtract(whole, score), score], axis=1)
