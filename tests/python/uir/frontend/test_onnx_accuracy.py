"""Importers of ONNX keep what float16 and subtractions would lose."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper

import uir
from uir.frontend.onnx import from_onnx

from ...support.math_kernels import COUNT, Errors
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


def test_normalization_of_large_means() -> None:
    nodes = [helper.make_node("MeanVarianceNormalization", ["x"], ["y"], axes=[0, 2, 3])]
    shape = (2, 4, 30, 41)
    function = uir.build(from_onnx(model(nodes, [tensor("x", shape)], ["y"])))["main"]
    noise = np.random.default_rng(0).standard_normal(shape)
    for mean in (100, 10_000):
        x = (noise + mean).astype(np.float32)
        centered = x - x.mean((0, 2, 3), np.float64, keepdims=True)
        expected = centered / centered.std((0, 2, 3), keepdims=True)
        np.testing.assert_allclose(np.from_dlpack(function(x)), expected, atol=2.5e-6)


ACTIVATIONS = {"Celu": 1.5, "Elu": 1.5, "Mish": 4.5, "Selu": 3.0, "Softplus": 2.5}
"""The greatest errors in units in the last place, of all float32."""


@pytest.fixture(scope="module")
def compiled() -> Any:
    nodes = [helper.make_node(name, ["x"], [name]) for name in ACTIVATIONS]
    proto = model(nodes, [tensor("x", (COUNT,))], list(ACTIVATIONS), opset=18)
    return uir.build(from_onnx(proto))["main"]


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> Errors:
    return Errors(tmp_path_factory.mktemp("errors"))


def check(compiled: Any, errors: Errors, x: Array) -> None:
    for (name, bound), result in zip(ACTIVATIONS.items(), compiled(x), strict=True):
        # Below, `exp` is subnormal and has few bits, of which Mish is a multiple.
        left_out = (x < -86) & (name == "Mish")
        found = np.where(left_out, np.from_dlpack(result)[0], np.from_dlpack(result))
        args = np.where(left_out, x[0], x)
        error, i = errors(name.lower(), args, args, found)
        assert error <= bound, (name, error, args[i], found[i])


def test_activations_are_accurate(compiled: Any, errors: Errors) -> None:
    source = np.random.default_rng(0)
    bits = source.integers(0, 1 << 32, COUNT, dtype=np.uint32).view(np.float32)
    near = np.exp2(source.uniform(-40, 6, COUNT)) * source.choice([-1, 1], COUNT)
    for x in (bits, near.astype(np.float32)):
        x[0] = 1
        check(compiled, errors, x)


@pytest.mark.deep
def test_activations_of_all_floats(compiled: Any, errors: Errors) -> None:
    for first in range(0, 1 << 32, COUNT):
        x = np.arange(first, first + COUNT, dtype=np.uint64).astype(np.uint32).view(np.float32)
        x[0] = 1
        check(compiled, errors, x)


def test_the_docs_state_the_errors() -> None:
    text = (Path(__file__).parents[4] / "docs" / "compiler" / "target-c.md").read_text()
    rows = re.findall(r"^\| `([A-Z][A-Za-z`, ]+)` \| ([0-9.]+) \|", text, re.MULTILINE)
    stated = {name: float(ulp) for names, ulp in rows for name in names.split("`, `")}
    assert stated == ACTIVATIONS
