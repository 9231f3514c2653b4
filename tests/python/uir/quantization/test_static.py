"""Models that compute with 8 bits, against the models of float32 by ONNX's own reference."""

from __future__ import annotations

import math

import numpy as np
import onnx
import pytest

from uir.quantization import Difference, Quantized, quantize
from uir.quantization.differences import difference

from ..frontend.onnx_calls import node, results
from .networks import Array, convolutions, images, network, operators, perceptron, reference, rows


@pytest.fixture(scope="module")
def quantized() -> Quantized:
    return quantize(convolutions(), {"x": images()})


def makers(proto: onnx.ModelProto) -> dict[str, str]:
    """Return the operator that makes each value."""
    return {name: one.op_type for one in proto.graph.node for name in one.output}


def test_all_layers_between_integers_are_quantized(quantized: Quantized) -> None:
    proto, made = quantized.model, makers(quantized.model)
    onnx.checker.check_model(proto)
    for one in proto.graph.node:
        if one.op_type in ("Conv", "Gemm", "Add", "MaxPool", "Flatten", "GlobalAveragePool"):
            assert {made[name] for name in one.input} == {"DequantizeLinear"}, one.op_type
    assert all(row.is_quantized for row in quantized.report.layers)
    floats = [one.name for one in proto.graph.initializer if one.data_type == 1]
    assert all(name.endswith("_scale") for name in floats)


def test_results_agree_with_float32_and_with_the_reference(quantized: Quantized) -> None:
    x = images()[1]
    (exact,), (found,) = reference(convolutions(), {"x": x}), reference(quantized.model, {"x": x})
    assert 0 < np.linalg.norm(exact - found) < 0.05 * np.linalg.norm(exact)
    (compiled,) = results(quantized.model, {"x": x})
    # A value between two integers may round to either one: sums differ in their order.
    np.testing.assert_allclose(compiled, found, atol=0.05 * np.abs(found).max())


def test_the_report_has_the_errors_that_the_reference_finds(quantized: Quantized) -> None:
    exact, found = convolutions(), onnx.ModelProto()
    found.CopyFrom(quantized.model)
    names = ["c1", "r1", "r2", "c3", "g", "y"]
    for proto in (exact, found):
        del proto.graph.output[:]
        proto.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    sums = [Difference()] * len(names)
    for x in images():
        pairs = zip(reference(exact, {"x": x}), reference(found, {"x": x}), strict=True)
        sums = [total + difference(*pair) for total, pair in zip(sums, pairs, strict=True)]
    expected = dict(zip(names, sums, strict=True))
    (output,) = quantized.report.outputs
    assert output.in_model.decibels == pytest.approx(expected["y"].decibels, abs=1)
    in_model = {row.name: row.in_model for row in quantized.report.layers}
    results_of = {"first": "r1", "sum": "r2", "third": "c3", "pool": "g", "classes": "y"}
    for layer, value in results_of.items():
        measured = in_model[layer]
        assert measured is not None
        assert measured.decibels == pytest.approx(expected[value].decibels, abs=1), layer
        assert measured.cosine == pytest.approx(expected[value].cosine, abs=1e-3)


@pytest.mark.usefixtures("reference_runs")
def test_layers_with_large_errors_and_kept_ones_stay_in_float32() -> None:
    """Weights of an input that is always 0 are so large that the others round to 0."""
    proto = perceptron()
    x = rows()
    x[:, 0] = 0
    up = onnx.numpy_helper.to_array(proto.graph.initializer[0]).copy()
    up[0] *= 1e5
    proto.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(up, "w1"))
    found = quantize(proto, {"x": x})
    reasons = {row.name: row.reason for row in found.report.layers}
    assert reasons["up"].startswith("its error ") and reasons["up"].endswith(" exceeds 0.1")
    assert reasons["down"] == ""
    kept = quantize(perceptron(), {"x": rows()}, keep=["down"])
    assert {row.name: row.reason for row in kept.report.layers} == {"up": "", "down": "kept"}
    made = makers(kept.model)
    (gemm,) = (one for one in kept.model.graph.node if one.op_type == "Gemm")
    assert [made.get(name) for name in gemm.input] == ["Relu", None, None]


@pytest.mark.usefixtures("reference_runs")
def test_activations_of_int8_and_ranges_without_the_largest_values() -> None:
    x = rows()
    x[3, 5] = 1e4
    plain, cut = (
        quantize(perceptron(), {"x": x}, activations="int8", max_error=1, method=method, percent=99)
        for method in ("min-max", "percentile")
    )
    types = {one.name: one.data_type for one in cut.model.graph.initializer}
    assert types["x_zero_point"] == types["r_zero_point"] == onnx.TensorProto.INT8
    near = np.delete(x, 3, axis=0)
    (exact,) = reference(perceptron(), {"x": near})
    errors = [np.linalg.norm(exact - reference(one.model, {"x": near})[0]) for one in (plain, cut)]
    assert errors[1] < errors[0] / 4


def test_products_of_two_values_and_values_without_a_bound() -> None:
    """A mask of -infinity cannot be rounded: the sum that reads it stays."""
    nodes = [
        node("Transpose", "x", "t", perm=[0, 2, 1]),
        node("MatMul", "x t", "scores", name="scores"),
        node("Log", "gates", "mask"),
        node("Add", "scores mask", "masked", name="sum"),
        node("Softmax", "masked", "weights"),
        node("MatMul", "weights x", "y", name="mix"),
        node("MatMul", "mask x", "z", name="endless"),
    ]
    inputs = {"x": (1, 6, 5), "gates": (1, 6, 6)}
    proto = network(nodes, {}, inputs, ("y",))
    proto.graph.output.append(onnx.helper.make_tensor_value_info("z", 1, None))
    x = np.random.default_rng(1).standard_normal((1, 6, 5)).astype(np.float32)
    gates = np.tril(np.ones((1, 6, 6), np.float32))
    found = quantize(proto, {"x": x, "gates": gates})
    reasons = {row.name: row.reason for row in found.report.layers}
    endless = "`mask` has elements that are not finite"
    assert reasons == {"scores": "", "mix": "", "sum": endless, "endless": endless}
    assert operators(found.model) == operators(proto)
    exact, y = (reference(one, {"x": x, "gates": gates})[0] for one in (proto, found.model))
    np.testing.assert_allclose(y, exact, atol=0.05)


@pytest.mark.usefixtures("reference_runs")
def test_a_model_without_layers_is_refused_with_the_reasons() -> None:
    x = {"x": rows(4)}
    proto = network([node("Relu", "x", "y")], {}, {"x": ("n", 40)})
    with pytest.raises(ValueError, match="can be quantized: it has no product with constant"):
        quantize(proto, x)
    with pytest.raises(ValueError, match="MatMul `up`: kept\n  Gemm `down`: kept"):
        quantize(perceptron(), x, keep=["up", "down"])
    with pytest.raises(ValueError, match="no layer `dwn`; there are `up`, `down`; did you mean"):
        quantize(perceptron(), x, keep=["dwn"])


def test_differences_are_those_of_numpy() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, 50))
    found = difference(x[:20], y[:20]) + difference(x[20:], y[20:])
    assert found.relative == pytest.approx(np.linalg.norm(x - y) / np.linalg.norm(x))
    assert found.cosine == pytest.approx(x @ y / np.linalg.norm(x) / np.linalg.norm(y))
    assert found.decibels == pytest.approx(10 * np.log10((x @ x) / ((x - y) @ (x - y))))
    ones, none = np.ones(3), np.zeros(3)
    assert difference(none, ones).decibels == -math.inf
    assert (difference(ones, ones).decibels, difference(none, none).cosine) == (math.inf, 1.0)
    endless: Array = np.array([np.inf, 1.0, np.nan])
    assert difference(endless, endless).relative == 0
    assert difference(endless, np.array([1.0, 1.0, np.nan])).relative == math.inf
