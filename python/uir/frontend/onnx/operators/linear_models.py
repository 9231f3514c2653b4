"""Linear models of the domain `ai.onnx.ml`."""

from __future__ import annotations

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Array, dims, in_type
from ..node import Converter, Node, Outputs
from .classifier_scores import class_labels, known_numbers, matrix, of_targets, transformed

__all__ = ["CONVERTERS"]


def products(node: Node, targets: int) -> RelayExpr:
    """Return products with the coefficients and the intercepts, of shape `(rows, targets)`.

    Raises
    ------
    Refused
        If there are not as many of them as the targets and the features need.
    """
    x = in_type(matrix(node.input(0)), "float32")
    coefficients, intercepts = (
        known_numbers(node, name) for name in ("coefficients", "intercepts")
    )
    if coefficients is None:
        raise Refused("the attribute `coefficients` is missing")
    width = dims(x)[1]
    features = len(coefficients) // targets
    if len(coefficients) % targets or (isinstance(width, int) and features != width):
        raise Refused(
            f"{len(coefficients)} `coefficients` of {targets} targets, for {width} features"
        )
    table = np.ascontiguousarray(coefficients.reshape(targets, features).T)
    scores = relay.matmul(x, relay.const(table))
    if intercepts is None:
        return scores
    return relay.add(scores, relay.const(of_length(intercepts, targets, "intercepts")))


def of_length(x: Array, length: int, name: str) -> Array:
    """Return an array; one of another length is refused."""
    if len(x) != length:
        raise Refused(f"{len(x)} `{name}`, which must be {length}")
    return x


def linear_classifier(node: Node) -> Outputs:
    """Return the labels with the greatest scores as int64, and the scores as float32.

    Raises
    ------
    Refused
        If two classes have one row of coefficients: onnxruntime and the reference of ONNX have
        different scores for the other class.
    """
    labels = class_labels(node, "classlabels_ints")
    intercepts = known_numbers(node, "intercepts")
    if len(labels) == 1 or (intercepts is not None and len(intercepts) == 1):
        raise Refused("two classes of one row of `coefficients`")
    scores = node.bind(products(node, len(labels)))
    place = relay.argmax(scores, 1)
    transform = node.attribute("post_transform", "NONE")
    return [relay.take(relay.const(labels), place, 0), transformed(scores, transform)]


def linear_regressor(node: Node) -> RelayExpr:
    """Return `x @ coefficients + intercepts` as float32."""
    targets = node.attribute("targets", 1)
    return of_targets(products(node, targets), node.attribute("post_transform", "NONE"), targets)


CONVERTERS: dict[str, Converter] = {
    "LinearClassifier": linear_classifier,
    "LinearRegressor": linear_regressor,
}
