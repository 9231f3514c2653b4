"""Linear models, support vectors and encoders of `ai.onnx.ml`, against ONNX's own reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

from uir import relay
from uir.frontend.onnx import UnsupportedModelError, from_onnx

from .onnx_forests import node, of_ml
from .onnx_graphs import INT64, tensor

TRANSFORMS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")
KERNELS = ("LINEAR", "POLY", "RBF", "SIGMOID")

NAN = float("nan")

X = np.random.default_rng(3).uniform(-1, 1, (7, 4)).astype(np.float32)


def numbers(*size: int, scale: float = 0.1) -> list[float]:
    """Return random numbers that float32 holds."""
    found = np.random.default_rng(sum(size)).uniform(-scale, scale, size).astype(np.float32)
    return [float(one) for one in found.reshape(-1)]


def compare(nodes: Sequence[onnx.NodeProto], x: np.ndarray = X, version: int = 3) -> None:
    """Compare the outputs of nodes with those of the reference."""
    dtype = onnx.helper.np_dtype_to_tensor_dtype(x.dtype)
    proto = of_ml(nodes, x.shape[1], version, dtype)
    expected = ReferenceEvaluator(proto).run(None, {"x": x})
    result = relay.evaluate(from_onnx(proto), x)
    found = [result] if len(expected) == 1 else list(result)
    for one, wanted, info in zip(found, expected, proto.graph.output, strict=True):
        message = f"`{info.name}`"
        assert (one.dtype, one.shape) == (wanted.dtype, wanted.shape), message
        np.testing.assert_allclose(one, wanted, 1e-4, 1e-4, err_msg=message)


def test_linear_models_equal_the_reference() -> None:
    nodes = []
    for transform in TRANSFORMS:
        options: dict[str, Any] = {"coefficients": numbers(3, 4), "intercepts": [0.2, 0.4, 0.7]}
        options |= {"classlabels_ints": [4, 9, 2], "post_transform": transform}
        outputs = [f"label_{transform}", f"scores_{transform}"]
        nodes.append(node("LinearClassifier", outputs, **options))
    for targets, intercepts in ((1, [0.5]), (2, [0.5, 1.0])):
        options = {"coefficients": numbers(targets, 4), "intercepts": intercepts}
        nodes.append(node("LinearRegressor", f"r{targets}", targets=targets, **options))
    options = {"coefficients": numbers(3, 4), "intercepts": [0.2, -0.4, -0.7]}
    options |= {"classlabels_ints": [4, 9, 2], "post_transform": "SOFTMAX_ZERO"}
    nodes.append(node("LinearClassifier", ["label_negative", "scores_negative"], **options))
    compare(nodes)


def test_scores_of_several_targets_are_transformed() -> None:
    options: dict[str, Any] = {"coefficients": numbers(2, 4), "targets": 2}
    plain, soft = (
        relay.evaluate(from_onnx(of_ml([node("LinearRegressor", "y", **options, **more)])), X)
        for more in ({}, {"post_transform": "SOFTMAX"})
    )
    assert isinstance(plain, np.ndarray)
    weights = np.exp(plain)
    np.testing.assert_allclose(soft, weights / weights.sum(1, keepdims=True), 1e-5)


def of_shape(*shape: int | str) -> onnx.ModelProto:
    """Return a linear model of two targets, whose features have a shape."""
    proto = of_ml([node("LinearRegressor", "y", coefficients=numbers(2, 4), targets=2)])
    proto.graph.input[0].CopyFrom(tensor("x", shape))
    return proto


def test_a_vector_is_one_row() -> None:
    expected = relay.evaluate(from_onnx(of_shape("n", 4)), X[:1])
    np.testing.assert_array_equal(relay.evaluate(from_onnx(of_shape(4)), X[0]), expected)


@pytest.mark.parametrize("shape", [(), (2, 4, 1)])
def test_features_of_other_ranks_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(UnsupportedModelError, match=f"rank {len(shape)}, which must be 1 or 2"):
        from_onnx(of_shape(*shape))


def test_support_vectors_equal_the_reference() -> None:
    nodes = []
    for kernel in KERNELS:
        options: dict[str, Any] = {"kernel_type": kernel, "kernel_params": [0.3, 0.2, 3.0]}
        options["support_vectors"] = numbers(6, 4, scale=1)
        of_one = {**options, "coefficients": numbers(6), "n_supports": 6, "rho": [0.05]}
        nodes += [
            node("SVMRegressor", f"{kernel}_{flag}", one_class=flag, **of_one) for flag in (0, 1)
        ]
        for counts, rho in (([2, 4], [0.1]), ([1, 2, 3], [0.1, -0.02, 0.3])):
            size = len(counts)
            names = [f"{kernel}_{size}_{name}" for name in ("label", "scores")]
            of_classes = {**options, "coefficients": numbers(size - 1, 6), "rho": rho}
            of_classes |= {"vectors_per_class": counts, "classlabels_ints": [4, 9, 2][:size]}
            nodes.append(node("SVMClassifier", names, **of_classes))
    compare(nodes)


def test_encoders_equal_the_reference() -> None:
    x = np.round(X * 3)
    x[0, 0] = NAN
    keys, values = [1.0, -2.0, 0.0], [10.0, 20.0, 30.0]
    compare(
        [
            node("Imputer", "each", replaced_value_float=NAN, imputed_value_floats=[1.0, 2, 3, 4]),
            node("Imputer", "one", replaced_value_float=1.0, imputed_value_floats=[7.0]),
            node("LabelEncoder", "floats", keys_floats=keys, values_floats=values),
            node("LabelEncoder", "labels", keys_floats=keys, values_int64s=[1, 2, 3]),
            node("FeatureVectorizer", "first", inputdimensions=[3]),
            node("FeatureVectorizer", "wide", inputdimensions=[6]),
        ],
        x,
    )


def test_nan_is_a_key() -> None:
    """As in the text of ONNX and in onnxruntime, and not in the reference."""
    options = {"keys_floats": [NAN, 1.0], "values_floats": [40.0, 10.0], "default_float": 5.0}
    module = from_onnx(of_ml([node("LabelEncoder", "y", **options)]))
    found = relay.evaluate(module, np.array([[1, NAN, 2, -NAN]], np.float32))
    np.testing.assert_array_equal(found, [[10, 40, 5, 40]])


def test_encoders_of_integers_equal_the_reference() -> None:
    x = np.round(X * 3).astype(np.int64)
    tables = {
        "keys_tensor": numpy_helper.from_array(np.array([2, -1, 0])),
        "values_tensor": numpy_helper.from_array(np.array([0.5, 1.5, 2.5])),
        "default_tensor": numpy_helper.from_array(np.array([-7.0])),
    }
    compare(
        [
            node("Imputer", "imputed", replaced_value_int64=2, imputed_value_int64s=[7]),
            node("OneHotEncoder", "hot", cats_int64s=[1, -2, 3]),
            node("LabelEncoder", "doubles", **tables),
        ],
        x,
        4,
    )


def test_a_category_that_is_not_known_fails_unless_zeros_are_allowed() -> None:
    proto = of_ml([node("OneHotEncoder", "y", cats_int64s=[1, 2], zeros=0)], 1, 3, INT64)
    module = from_onnx(proto)
    found = relay.evaluate(module, np.array([[2], [1]]))
    np.testing.assert_array_equal(found, [[[0, 1]], [[1, 0]]])
    with pytest.raises(IndexError):
        relay.evaluate(module, np.array([[3]]))


def test_probabilities_stay_a_matrix() -> None:
    """`ZipMap` makes a map of each row, from classes to probabilities."""
    proto = of_ml([node("ZipMap", "y", classlabels_int64s=[1, 2, 3, 4])])
    np.testing.assert_array_equal(relay.evaluate(from_onnx(proto), X), X)


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("LinearClassifier", {"coefficients": [1.0] * 4, "intercepts": [0.0]}, "one row of"),
    ("LinearClassifier", {"coefficients": [1.0] * 4, "classlabels_strings": ["a"]}, "texts"),
    ("LinearClassifier", {"coefficients": [1.0] * 7}, "7 `coefficients` of 2 targets"),
    ("LinearRegressor", {"coefficients": [1.0] * 4, "post_transform": "LOGISTIC"}, "one target"),
    ("SVMClassifier", {"prob_a": [1.0], "prob_b": [1.0]}, "`prob_a` and `prob_b`"),
    ("SVMClassifier", {"coefficients": [1.0] * 8, "rho": [0.0]}, "without support vectors"),
    (
        "SVMClassifier",
        {
            "support_vectors": [0.5] * 8, "coefficients": [1.0] * 2, "rho": [0.0],
            "vectors_per_class": [1, 1], "post_transform": "PROBIT",
        },
        "`post_transform` PROBIT of two classes with one score",
    ),
    ("SVMRegressor", {"post_transform": "LOGISTIC"}, "`post_transform` LOGISTIC"),
    ("LabelEncoder", {"keys_strings": ["a"], "values_int64s": [1]}, "keys that are texts"),
    ("LabelEncoder", {"keys_floats": [1.0, 1], "values_int64s": [1, 2]}, "two values"),
    ("LabelEncoder", {"keys_int64s": [1], "values_int64s": [1]}, "keys of data type int64"),
    ("OneHotEncoder", {"cats_strings": ["a"]}, "categories that are texts"),
    ("Imputer", {"imputed_value_floats": [1.0, 2.0]}, "of 4 columns"),
    ("DictVectorizer", {"int64_vocabulary": [1]}, "maps and text"),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "options", "reason"), REFUSED)
def test_other_models_are_refused(operator: str, options: dict[str, Any], reason: str) -> None:
    outputs = ["l", "y"] if operator.endswith("Classifier") else ["y"]
    has_labels = operator.endswith("Classifier") and "classlabels_strings" not in options
    labels = {"classlabels_ints": [1, 2]} if has_labels else {}
    proto = of_ml([node(operator, outputs, **labels, **options)])
    with pytest.raises(UnsupportedModelError, match=reason):
        from_onnx(proto)


def test_columns_of_inputs_are_joined() -> None:
    joined = onnx.helper.make_node(
        "FeatureVectorizer", ["x", "x2"], ["y"], domain="ai.onnx.ml", inputdimensions=[4, 2]
    )
    proto = of_ml([joined])
    proto.graph.input.append(tensor("x2", ("n", 2), INT64))
    other = np.arange(14).reshape(7, 2)
    found = relay.evaluate(from_onnx(proto), X, other)
    np.testing.assert_array_equal(found, np.hstack([X, other.astype(np.float32)]))
