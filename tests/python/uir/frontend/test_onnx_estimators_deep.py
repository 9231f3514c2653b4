"""Estimators of scikit-learn, which skl2onnx exports, equal onnxruntime at two sizes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from uir import relay
from uir.frontend.onnx import from_onnx

from .conftest import FOLDER

pytestmark = pytest.mark.deep

RNG = np.random.default_rng(5)
X = RNG.standard_normal((120, 5)).astype(np.float32)
CLASSES = (X[:, 0] + X[:, 1] > 0).astype(int) + (X[:, 2] > 1)
NUMBERS = (X @ RNG.standard_normal(5)).astype(np.float32)

# The module and the class, its options, and what it is trained with.
ESTIMATORS: dict[str, tuple[dict[str, Any], np.ndarray | None]] = {
    "cluster.KMeans": ({"n_clusters": 3, "n_init": 1}, None),
    "decomposition.PCA": ({"n_components": 2}, None),
    "ensemble.AdaBoostClassifier": ({"n_estimators": 10}, CLASSES),
    "ensemble.GradientBoostingClassifier": ({"n_estimators": 20}, CLASSES),
    "ensemble.IsolationForest": ({"n_estimators": 10}, None),
    "ensemble.RandomForestClassifier": ({"n_estimators": 20}, CLASSES),
    "ensemble.RandomForestRegressor": ({"n_estimators": 20}, NUMBERS),
    "linear_model.LinearRegression": ({}, NUMBERS),
    "linear_model.LogisticRegression": ({}, CLASSES),
    "linear_model.SGDClassifier": ({}, CLASSES),
    "mixture.GaussianMixture": ({"n_components": 2}, None),
    "naive_bayes.GaussianNB": ({}, CLASSES),
    "neighbors.KNeighborsClassifier": ({}, CLASSES),
    "neural_network.MLPClassifier": ({"hidden_layer_sizes": (16,), "max_iter": 50}, CLASSES),
    "svm.SVC": ({}, CLASSES),
    "svm.SVR": ({}, NUMBERS),
    "tree.DecisionTreeClassifier": ({}, CLASSES),
}


@pytest.fixture
def to_onnx(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Return the function of skl2onnx; scikit-learn imports modules when it needs them."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(FOLDER)])
    yield import_module("skl2onnx").to_onnx


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators_equal_onnxruntime(
    name: str, to_onnx: Callable[..., Any], onnxruntime: Any
) -> None:
    module, _, kind = name.partition(".")
    options, target = ESTIMATORS[name]
    estimator = getattr(import_module(f"sklearn.{module}"), kind)(**options)
    estimator.fit(X) if target is None else estimator.fit(X, target)
    proto = to_onnx(estimator, X[:1], target_opset={"": 20, "ai.onnx.ml": 3})
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    program = from_onnx(proto)
    for count in (1, 40):
        x = X[:count]
        expected = session.run(None, {session.get_inputs()[0].name: x})
        result: Any = relay.evaluate(program, x)
        for one, wanted in zip(
            [result] if len(expected) == 1 else list(result), expected, strict=True
        ):
            # ZipMap makes a list of dictionaries.
            rows = [list(row.values()) for row in wanted] if isinstance(wanted, list) else wanted
            np.testing.assert_allclose(np.asarray(one), np.asarray(rows), 1e-4, 1e-4)
