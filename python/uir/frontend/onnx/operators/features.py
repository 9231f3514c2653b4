"""Operators of the domain `ai.onnx.ml` that prepare features of classical models."""

from __future__ import annotations

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import dims, dtype_of, product, rank
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def single(node: Node) -> RelayExpr:
    """Return the first input as float32, which is what these operators return."""
    x = node.input(0)
    return x if dtype_of(x) == "float32" else relay.cast(x, "float32")


def row(node: Node, name: str) -> RelayExpr:
    """Return an attribute with a number for each column, or one for all."""
    numbers = node.attribute(name)
    if not numbers:
        raise Refused(f"the attribute {name} is missing")
    return relay.const(np.array(list(numbers), np.float32))


def scaler(node: Node) -> RelayExpr:
    """Return `(x - offset) * scale` as float32, with a number for each column or one for all."""
    return relay.multiply(relay.subtract(single(node), row(node, "offset")), row(node, "scale"))


def normalizer(node: Node) -> RelayExpr:
    """Divide rows by their norm; one of norm 0 stays, except that of the greatest element."""
    x, norm = single(node), node.attribute("norm", "MAX")
    if rank(x) not in (1, 2):
        raise Refused(f"a tensor of rank {rank(x)}")
    if norm == "MAX":
        length = relay.max(x, [-1], keepdims=True)
    elif norm == "L1":
        length = relay.sum(relay.abs(x), [-1], keepdims=True)
    elif norm == "L2":
        length = relay.sqrt(relay.sum(relay.multiply(x, x), [-1], keepdims=True))
    else:
        raise Refused(f"norm {norm}")
    zero = relay.const(np.array(0, np.float32))
    one = relay.const(np.array(1, np.float32))
    return relay.divide(x, relay.where(relay.equal(length, zero), one, length))


def array_feature_extractor(node: Node) -> RelayExpr:
    """Select columns; a vector is a row."""
    x, places = node.input(0), node.input(1)
    rows = relay.expand_dims(x, [0]) if rank(x) == 1 else x
    count = product(dims(places))
    return relay.take(rows, relay.reshape(places, [count], allowzero=True), -1)


def binarizer(node: Node) -> RelayExpr:
    """Return 1 for elements above the threshold, else 0, in the type of the input."""
    x = node.input(0)
    threshold = relay.const(np.array(node.attribute("threshold", 0.0)).astype(dtype_of(x)))
    return relay.cast(relay.greater(x, threshold), dtype_of(x))


CONVERTERS: dict[str, Converter] = {
    "ArrayFeatureExtractor": array_feature_extractor,
    "Binarizer": binarizer,
    "Normalizer": normalizer,
    "Scaler": scaler,
}
