"""Whole models give the expected outputs, compiled and by the references."""

from __future__ import annotations

import numpy as np
import pytest

from uir import transform
from uir.frontend.onnx import Backend, from_onnx
from uir.ir import structural_equal

from .light_models import MODELS, expected, image, path_of


@pytest.mark.parametrize("name", ["shufflenet"])
def test_the_backend_runs_a_model(name: str) -> None:
    (found,) = Backend.prepare(str(path_of(name))).run([image()])
    np.testing.assert_allclose(found, expected(name), rtol=2e-3, atol=1e-7)


@pytest.mark.parametrize("name", MODELS)
def test_modules_of_models_are_typed_and_normal(name: str) -> None:
    module = from_onnx(path_of(name))
    normal = transform.InferType()(transform.ToANormalForm()(module))
    assert structural_equal(normal, transform.InferType()(module))


def test_all_architectures_are_there() -> None:
    assert len(MODELS) == 9
