"""Importers of ONNX keep what float16 and subtractions would lose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper

import uir
from uir.frontend.onnx import from_onnx

from .onnx_graphs import model, tensor

Array = np.ndarray[Any, Any]

ONES = np.ones((1, 65536), np.float16)
REDUCTIONS = {
    "ReduceL2": 256.0,
    "ReduceLogSumExp": 12.09,
    "ReduceLogSum": 11.09,
    "ReduceMean": 1.0,
    "LpNormalization": 1 / 256,
    "LogSoftmax": -11.09,
    "Softmax": 1 / 65536,
}


def test_parts_of_reductions_do_not_overflow() -> None:
    nodes = [helper.make_node(name, ["x"], [name]) for name in REDUCTIONS]
    proto = model(nodes, [tensor("x", ONES.shape, TensorProto.FLOAT16)], list(REDUCTIONS))
    results = uir.build(from_onnx(proto))["main"](ONES)
    for result, (name, expected) in zip(results, REDUCTIONS.items(), strict=True):
        found = np.from_dlpack(result)
        assert found.dtype == np.float16, name
        assert (found == np.float16(expected)).all(), (name, found.ravel()[0])


def exact(name: str, x: Array) -> Array:
    """Return the value of an activation in float64."""
    wide = x.astype(np.float64)
    below, softplus = np.expm1(np.minimum(wide, 0)), np.logaddexp(0, wide)
    return {
        "Elu": np.where(wide < 0, below, wide),
        "Selu": 1.0507009873554805 * np.where(wide < 0, 1.6732632423543772 * below, wide),
        "Celu": np.where(wide < 0, below, wide),
        "Softplus": softplus,
        "Mish": wide * np.tanh(softplus),
        "Tanh": np.tanh(wide),
        "Sinh": np.sinh(wide),
        "Asinh": np.arcsinh(wide),
        "Atanh": np.arctanh(wide),
    }[name]


ACTIVATIONS = {
    **{"Elu": 1.5, "Celu": 1.5, "Selu": 3.0, "Softplus": 2.5, "Mish": 4.5},
    **{"Tanh": 1.5, "Sinh": 1.1, "Asinh": 2.0, "Atanh": 1.5},
}


@pytest.fixture(scope="module")
def activations() -> dict[str, Array]:
    """Return results for numbers of each magnitude from 2**-126 to 64, and of each sign."""
    half = np.exp2(np.random.default_rng(0).uniform(-126, 6, 1 << 15)).astype(np.float32)
    x = np.concatenate([half, -half])
    nodes = [helper.make_node(name, ["x"], [name]) for name in ACTIVATIONS]
    proto = model(nodes, [tensor("x", x.shape)], list(ACTIVATIONS), opset=18)
    results = uir.build(from_onnx(proto))["main"](x)
    return {
        "x": x,
        **{name: np.from_dlpack(y) for name, y in zip(ACTIVATIONS, results, strict=True)},
    }


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_are_accurate_near_zero(activations: dict[str, Array], name: str) -> None:
    x, found = activations["x"], activations[name]
    with np.errstate(all="ignore"):
        expected = exact(name, x)
        unit = np.spacing(np.maximum(np.abs(expected), 2.0**-126).astype(np.float32))
    inside = np.isfinite(expected)
    error = np.abs(found[inside] - expected[inside]) / unit[inside]
    worst = np.argmax(error)
    assert error[worst] <= ACTIVATIONS[name], (error[worst], x[inside][worst])
