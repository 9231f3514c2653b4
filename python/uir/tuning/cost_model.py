"""Predictions of times from the features of candidates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from uir_nodes import tuning as nodes

from ..ir.node_error import carried
from .registry import register_cost_model

__all__ = ["BoostedTrees", "CostModel", "RidgeRegression", "boosting_package", "default_model"]

Features = Sequence[Sequence[float]]


class CostModel(ABC):
    """Learns the times of candidates from those that were measured.

    C++ calls it by the functions of a node, which also checks its results.

    Attributes
    ----------
    name
        The model's name in messages; empty for that of the class.
    """

    name: str = ""

    @abstractmethod
    def update(self, features: Features, times: Sequence[float]) -> None:
        """Learn from all measured candidates.

        Parameters
        ----------
        features
            The features of each, equally many for all.
        times
            Their times, relative to the recipes' choice.
        """

    @abstractmethod
    def predict(self, features: Features) -> list[float]:
        """Predict which candidates are fast.

        Parameters
        ----------
        features
            The features of each, as many as those of `update`.

        Returns
        -------
        scores
            A number for each, lower for faster ones; zeros before the first `update`.
        """

    def __tvm_ffi_object__(self) -> nodes.CostModelFunctions:
        """Return the node whose functions call this object."""

        def predict(features: Features) -> list[float]:
            return [float(score) for score in self.predict([tuple(row) for row in features])]

        def update(features: Features, times: Sequence[float]) -> None:
            self.update([tuple(row) for row in features], tuple(times))

        return nodes.CostModelFunctions(
            self.name or type(self).__name__, carried(predict), carried(update)
        )


class RidgeRegression(CostModel):
    """The logarithm of the time as a quadratic function of the features.

    Parameters
    ----------
    strength
        The weight of the sum of squared coefficients, above 0.
    """

    def __init__(self, strength: float = 1.0) -> None:
        self._strength = strength
        self._mean: Any = None
        self._scale: Any = None
        self._weights: Any = None

    def update(self, features: Features, times: Sequence[float]) -> None:  # noqa: D102 - as the base
        known = np.asarray(features, np.float64)
        self._mean, self._scale = known.mean(0), known.std(0) + 1e-9
        terms = self._terms(known)
        logs = np.log(np.asarray(times, np.float64))
        square = terms.T @ terms + self._strength * np.eye(terms.shape[1])
        self._weights = np.linalg.solve(square, terms.T @ logs)

    def predict(self, features: Features) -> list[float]:  # noqa: D102 - as the base
        if self._weights is None:
            return [0.0] * len(features)
        return list(map(float, self._terms(np.asarray(features, np.float64)) @ self._weights))

    def _terms(self, features: Any) -> Any:
        """Return 1, the features with mean 0, and their products."""
        scaled = np.clip((features - self._mean) / self._scale, -4, 4)
        first, second = np.triu_indices(scaled.shape[1])
        return np.hstack([np.ones((len(scaled), 1)), scaled, scaled[:, first] * scaled[:, second]])


class BoostedTrees(CostModel):
    """Gradient-boosted trees of xgboost or LightGBM, which the extra `uir[tune]` installs.

    Parameters
    ----------
    seed
        The seed of the trees.

    Raises
    ------
    ImportError
        If neither package is installed.
    """

    def __init__(self, seed: int = 0) -> None:
        self._model = _regressor(seed)
        self._is_fit = False

    def update(self, features: Features, times: Sequence[float]) -> None:  # noqa: D102 - as the base
        self._model.fit(np.asarray(features), np.log(np.asarray(times)))
        self._is_fit = True

    def predict(self, features: Features) -> list[float]:  # noqa: D102 - as the base
        if not self._is_fit:
            return [0.0] * len(features)
        return list(map(float, self._model.predict(np.asarray(features))))


def default_model(seed: int = 0) -> CostModel:
    """Return the best model that is installed.

    Parameters
    ----------
    seed
        The seed of the model.

    Returns
    -------
    model
        Boosted trees if a package for them is installed, else a ridge regression.
    """
    return BoostedTrees(seed) if boosting_package() else RidgeRegression()


register_cost_model("ridge", lambda _: RidgeRegression())
register_cost_model("trees", BoostedTrees)


def boosting_package() -> str | None:
    """Return the name of the installed package for boosted trees; None if there is none."""
    return next((name for name in ("xgboost", "lightgbm") if find_spec(name) is not None), None)


def _regressor(seed: int) -> Any:
    name = boosting_package()
    if name is None:
        raise ImportError("boosted trees need xgboost or lightgbm: install `uir[tune]`")
    package = import_module(name)
    options: dict[str, Any] = {
        "n_estimators": 60,
        "max_depth": 4,
        "learning_rate": 0.2,
        "n_jobs": 1,
    }
    if name == "lightgbm":
        return package.LGBMRegressor(random_state=seed, verbose=-1, min_child_samples=3, **options)
    return package.XGBRegressor(random_state=seed, **options)
