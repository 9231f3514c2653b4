"""Trees of the domain `ai.onnx.ml`, against a walk in Python and ONNX's own reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

import uir
from uir import relay
from uir.frontend.onnx import UnsupportedModelError, from_onnx

from .onnx_forests import COMPARISONS, forest, node, of_ml, rows, weights

TRANSFORMS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")


def outputs_of(proto: onnx.ModelProto, x: np.ndarray) -> list[np.ndarray]:
    result = relay.evaluate(from_onnx(proto), x)
    return [result] if len(proto.graph.output) == 1 else list(result)


@pytest.mark.parametrize("mode", [*COMPARISONS, "all"])
def test_rows_reach_their_leaves(mode: str) -> None:
    modes = list(COMPARISONS) if mode == "all" else [mode]
    trees, x = forest(lambda _: [0, 1], modes=modes), rows()
    expected = weights(trees, x, 2)
    proto = of_ml([node("TreeEnsembleRegressor", "y", n_targets=2, **trees)])
    (found,) = outputs_of(proto, x)
    np.testing.assert_allclose(found, expected.sum(1), rtol=1e-5, atol=1e-6)


def test_aggregates_of_targets_without_weights_are_0() -> None:
    trees, x = forest(lambda tree: [tree % 2], trees=3), rows()
    functions = {"SUM": np.nansum, "MIN": np.nanmin, "MAX": np.nanmax}
    expected = {name: fold(weights(trees, x, 2), axis=1) for name, fold in functions.items()}
    expected["AVERAGE"] = expected["SUM"] / 3
    base = [1.0, 2.0, 3.0]
    for name, wanted in expected.items():
        options: dict[str, Any] = {"aggregate_function": name, "base_values": base}
        proto = of_ml([node("TreeEnsembleRegressor", "y", n_targets=3, **options, **trees)])
        (found,) = outputs_of(proto, x)
        padded = np.pad(wanted, [(0, 0), (0, 1)])
        np.testing.assert_allclose(found, padded + base, rtol=1e-5, atol=1e-6)


def test_a_compiled_forest_equals_the_reference() -> None:
    trees, x = forest(lambda _: [0], modes=["BRANCH_LEQ"], depth=3), rows()
    proto = of_ml([node("TreeEnsembleRegressor", "y", n_targets=1, **trees)])
    (expected,) = ReferenceEvaluator(proto).run(None, {"x": x})
    library = uir.build(from_onnx(proto))
    for count in (1, 60):
        found = np.from_dlpack(library["main"](x[:count]))
        np.testing.assert_allclose(found, expected[:count], rtol=1e-5, atol=1e-6)


def test_thresholds_of_64_bits_are_compared_in_them() -> None:
    trees = forest(lambda _: [0], modes=["BRANCH_LT", "BRANCH_GTE"])
    listed = np.array(trees.pop("nodes_values")) + 2.0**-40
    trees["nodes_values_as_tensor"] = numpy_helper.from_array(listed)  # type: ignore[assignment]
    values = numpy_helper.from_array(np.array(trees.pop("target_weights")))
    x = np.nan_to_num(rows().astype(np.float64))
    x[::2] += 2.0**-40
    options = {**trees, "target_weights_as_tensor": values}
    proto = of_ml([node("TreeEnsembleRegressor", "y", n_targets=1, **options)], 4, 3, 11)
    trees |= {"nodes_values": listed.tolist(), "target_weights": numpy_helper.to_array(values)}
    (found,) = outputs_of(proto, x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, weights(trees, x, 1).sum(1), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_classes_equal_the_reference(transform: str) -> None:
    trees = forest(lambda _: [0, 1, 2], "class", modes=["BRANCH_LEQ", "BRANCH_GT"])
    options: dict[str, Any] = {"base_values": [0.4, 0.5, 0.6], "classlabels_int64s": [7, 5, 3]}
    options["post_transform"] = transform
    trees["class_weights"] = [one / 4 for one in trees["class_weights"]]
    proto = of_ml([node("TreeEnsembleClassifier", ["l", "y"], **options, **trees)])
    x = rows()
    labels, scores = outputs_of(proto, x)
    wanted_labels, wanted = ReferenceEvaluator(proto).run(None, {"x": x})
    np.testing.assert_array_equal(labels, wanted_labels)
    assert labels.dtype == np.int64
    # PROBIT subtracts numbers that are almost equal.
    np.testing.assert_allclose(scores, wanted, rtol=1e-4, atol=1e-3 if transform == "PROBIT" else 0)


def test_classes_without_weights_at_the_leaves_of_a_row_are_not_chosen() -> None:
    rng = np.random.default_rng(2)
    trees, x = forest(lambda _: [int(rng.integers(3))], "class", trees=2), rows()
    found = weights(trees, x, 3, "class")
    scores = np.nansum(found, 1)
    chosen = np.where(np.isnan(found).all(1), -np.inf, scores).argmax(1)
    options = {"classlabels_int64s": [7, 5, 3], **trees}
    labels, result = outputs_of(of_ml([node("TreeEnsembleClassifier", ["l", "y"], **options)]), x)
    np.testing.assert_allclose(result, scores, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(labels, np.array([7, 5, 3])[chosen])


@pytest.mark.parametrize("is_probability", [True, False])
@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC"])
def test_two_classes_of_one_score(transform: str, is_probability: bool) -> None:
    """As in onnxruntime: scores that cannot be negative are probabilities."""
    trees, x = forest(lambda _: [0], "class"), rows()
    if is_probability:
        trees["class_weights"] = [abs(one) for one in trees["class_weights"]]
    score = weights(trees, x, 1, "class").sum(1) + np.float32(0.1)
    options: dict[str, Any] = {"base_values": [0.1], "classlabels_int64s": [7, 5]}
    options["post_transform"] = transform
    proto = of_ml([node("TreeEnsembleClassifier", ["l", "y"], **options, **trees)])
    labels, scores = outputs_of(proto, x)
    is_second = score[:, 0] > (0.5 if is_probability else 0)
    np.testing.assert_array_equal(labels, np.where(is_second, 5, 7))
    expected = np.hstack([(1 if is_probability else 0) - score, score])
    if transform == "LOGISTIC":
        expected = 1 / (1 + np.exp(-np.hstack([-score, score])))
    np.testing.assert_allclose(scores, expected, rtol=1e-5, atol=1e-6)


def ensemble(dtype: str, modes: list[int], members: list[float] | None) -> onnx.ModelProto:
    """Return two trees of `TreeEnsemble`, with two leaves of each target."""

    def table(values: list[float]) -> onnx.TensorProto:
        return numpy_helper.from_array(np.array(values, dtype))

    options: dict[str, Any] = {
        "tree_roots": [0, 3],
        "nodes_featureids": [0, 1, 2, 1],
        "nodes_splits": table([0.5, -0.5, 0, 1]),
        "nodes_modes": numpy_helper.from_array(np.array(modes, np.uint8)),
        "nodes_truenodeids": [1, 0, 2, 4],
        "nodes_trueleafs": [0, 1, 1, 1],
        "nodes_falsenodeids": [2, 1, 3, 5],
        "nodes_falseleafs": [0, 1, 1, 1],
        "nodes_missing_value_tracks_true": [1, 0, 1, 0],
        "leaf_targetids": [0, 1, 0, 1, 1, 0],
        "leaf_weights": table([1, 2, 3, 4, 5, 6]),
        "n_targets": 2,
    }
    if members is not None:
        options["membership_values"] = table(members)
    number = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    return of_ml([node("TreeEnsemble", "y", **options)], 4, 5, number)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_trees_with_leaves_apart_equal_the_reference(dtype: str) -> None:
    proto, x = ensemble(dtype, [0, 1, 2, 3], None), rows().astype(dtype)
    (found,) = outputs_of(proto, x)
    assert str(found.dtype) == dtype
    np.testing.assert_array_equal(found, ReferenceEvaluator(proto).run(None, {"x": x})[0])


def test_sets_equal_the_reference() -> None:
    members = [0.5, 1, -1, np.nan, -0.5, 2, np.nan]
    proto, x = ensemble("float32", [6, 4, 6, 5], members), rows()
    (found,) = outputs_of(proto, x)
    np.testing.assert_array_equal(found, ReferenceEvaluator(proto).run(None, {"x": x})[0])


def test_the_graph_does_not_grow_with_trees() -> None:
    counts = []
    for trees, depth in ((2, 2), (40, 5)):
        options = {"n_targets": 1, **forest(lambda _: [0], trees=trees, depth=depth)}
        function = from_onnx(of_ml([node("TreeEnsembleRegressor", "y", **options)]))["main"]
        counts.append(len(function.body.bindings))
    assert counts[0] == counts[1]


def damaged(name: str, value: Any) -> dict[str, Any]:
    options: dict[str, Any] = {"n_targets": 1, **forest(lambda _: [0], trees=1, depth=1)}
    return options | {name: value}


REFUSED = {
    "a node of a tree that follows is missing": damaged("nodes_truenodeids", [9, 0, 0]),
    "a node of a tree that follows itself": damaged("nodes_truenodeids", [0, 0, 0]),
    "feature 4 of rows of 4": damaged("nodes_featureids", [4, 0, 0]),
    "the mode BRANCH_NO": damaged("nodes_modes", ["BRANCH_NO", "LEAF", "LEAF"]),
    "two nodes of a tree with one number": damaged("nodes_nodeids", [0, 1, 1]),
    "2 `base_values`, which must be 1": damaged("base_values", [1.0, 2.0]),
    "`aggregate_function` MEDIAN": damaged("aggregate_function", "MEDIAN"),
    "`post_transform` SOFTMAX of one target": damaged("post_transform", "SOFTMAX"),
    "a weight of target 1 of 1": damaged("target_ids", [0, 1]),
    "of nodes that are not leaves": damaged("target_nodeids", [0, 1]),
    "a leaf that has two weights": damaged("target_nodeids", [1, 1]),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_other_trees_are_refused(reason: str) -> None:
    proto = of_ml([node("TreeEnsembleRegressor", "y", **REFUSED[reason])])
    with pytest.raises(UnsupportedModelError, match=reason):
        from_onnx(proto)


@pytest.mark.parametrize(
    ("labels", "targets", "reason"),
    [
        ({"classlabels_int64s": [1, 2]}, [0, 1], "two classes that both have weights"),
        ({"classlabels_int64s": [1]}, [0], "a classifier of one class"),
        ({}, [0], "`classlabels_int64s` is missing"),
    ],
)
def test_other_classes_are_refused(labels: dict[str, Any], targets: list[int], reason: str) -> None:
    trees = forest(lambda _: targets, "class")
    proto = of_ml([node("TreeEnsembleClassifier", ["l", "y"], **labels, **trees)])
    with pytest.raises(UnsupportedModelError, match=reason):
        from_onnx(proto)
