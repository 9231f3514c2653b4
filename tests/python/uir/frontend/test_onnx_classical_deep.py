"""Classifiers and regressors of `ai.onnx.ml` equal onnxruntime."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import onnx
import pytest

from uir import relay
from uir.frontend.onnx import UnsupportedModelError, from_onnx

from .onnx_forests import forest, node, of_ml, rows
from .onnx_graphs import INT64, tensor

pytestmark = pytest.mark.deep

TRANSFORMS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")


def two_classes() -> Iterator[dict[str, Any]]:
    """Yield classifiers of two classes with one score."""
    for transform, is_positive, base in product(TRANSFORMS[:4], (True, False), ([], [0.1])):
        trees = forest(lambda _: [0], "class")
        if is_positive:
            trees["class_weights"] = [abs(one) for one in trees["class_weights"]]
        options = {"classlabels_int64s": [7, 5], "post_transform": transform}
        yield {**trees, **options, **({"base_values": base} if base else {})}


def many_classes() -> Iterator[dict[str, Any]]:
    """Yield classifiers of three classes, of which trees have weights of all or of one."""
    for transform, base in product(TRANSFORMS[:4], ([], [0.4, 0.5, 0.6])):
        for trees in (forest(lambda _: [0, 1, 2], "class"), forest(lambda t: [t % 3], "class")):
            options = {"classlabels_int64s": [7, 5, 3], "post_transform": transform}
            yield {**trees, **options, **({"base_values": base} if base else {})}


@pytest.mark.parametrize("classifiers", [two_classes, many_classes])
def test_classifiers_of_trees_equal_onnxruntime(classifiers: Any, onnxruntime: Any) -> None:
    for options in classifiers():
        proto = of_ml([node("TreeEnsembleClassifier", ["l", "y"], **options)])
        compare(proto, onnxruntime)


@pytest.mark.parametrize("aggregate", ["SUM", "AVERAGE", "MIN", "MAX"])
def test_regressors_of_trees_equal_onnxruntime(aggregate: str, onnxruntime: Any) -> None:
    options = {"n_targets": 2, "aggregate_function": aggregate, "base_values": [1.0, 2.0]}
    trees = forest(lambda tree: [tree % 2])
    compare(of_ml([node("TreeEnsembleRegressor", "y", **options, **trees)]), onnxruntime)


def run(proto: onnx.ModelProto, onnxruntime: Any, x: np.ndarray) -> list[np.ndarray]:
    """Return the outputs of onnxruntime, which checks their types."""
    del proto.graph.output[:]
    outputs = proto.graph.node[0].output
    kinds = [INT64, 1] if len(outputs) == 2 else [1]
    proto.graph.output.extend(
        tensor(name, ("n",) if kind == INT64 else ("n", "m"), kind)
        for name, kind in zip(outputs, kinds, strict=True)
    )
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    return list(session.run(None, {"x": x}))


def compare(proto: onnx.ModelProto, onnxruntime: Any) -> None:
    """Compare the outputs of a model of rows with those of onnxruntime."""
    x = rows()
    expected = run(proto, onnxruntime, x)
    result = relay.evaluate(from_onnx(proto), x)
    found = [result] if len(expected) == 1 else list(result)
    for one, wanted in zip(found, expected, strict=True):
        assert (one.dtype, one.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(one, wanted, rtol=1e-4, atol=1e-5)


def test_two_classes_with_weights_are_refused(onnxruntime: Any) -> None:
    """Of two classes that both have weights, it returns the labels 0 and 1, not theirs."""
    options = {"classlabels_int64s": [7, 5], **forest(lambda _: [0, 1], "class")}
    proto = of_ml([node("TreeEnsembleClassifier", ["l", "y"], **options)])
    labels, _ = run(proto, onnxruntime, rows())
    assert set(labels.tolist()) <= {0, 1}
    with pytest.raises(UnsupportedModelError, match="both have weights"):
        from_onnx(proto)
