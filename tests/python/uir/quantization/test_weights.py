"""Weights of a few bits, against what their bytes mean, and GPTQ as its paper has it."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from uir.quantization import quantize_weights
from uir.quantization.rounding import gptq, to_nearest

from ..frontend.onnx_calls import evaluated
from .networks import Array, convolutions, perceptron, reference, rows


def meant(proto: onnx.ModelProto, place: int) -> Array:
    """Return the matrix of a node `MatMulNBits`, of shape `(k, n)`, read number by number."""
    packed = [one for one in proto.graph.node if one.op_type == "MatMulNBits"][place]
    options = {one.name: one.i for one in packed.attribute}
    tensors = {one.name: numpy_helper.to_array(one) for one in proto.graph.initializer}
    numbers, scales, zeros = (tensors[name] for name in packed.input[1:4])
    bits, size = options["bits"], options["block_size"]
    result = np.empty((options["K"], options["N"]))
    for row in range(options["K"]):
        block, at = divmod(row, size)
        for column in range(options["N"]):
            found, zero = (
                int(one[where * bits // 8]) >> where * bits % 8 & (1 << bits) - 1
                for one, where in ((numbers[column, block], at), (zeros[column], block))
            )
            result[row, column] = (found - zero) * scales[column, block]
    return result


@pytest.mark.parametrize(("bits", "block"), [(4, 16), (4, 32), (8, 16)])
def test_bytes_mean_the_nearest_numbers_of_each_block(bits: int, block: int) -> None:
    found = quantize_weights(perceptron(), bits=bits, block=block)
    onnx.checker.check_model(found.model)
    tensors = [numpy_helper.to_array(one) for one in perceptron().graph.initializer]
    for place, weight in enumerate((tensors[0], tensors[1].T)):
        values = meant(found.model, place)
        for start in range(0, len(weight), block):
            rows = weight[start : start + block]
            width = np.maximum(rows.max(0), 0) - np.minimum(rows.min(0), 0)
            # The zero point is rounded too, which moves the ends by half a step.
            error = np.abs(values[start : start + block] - rows)
            assert (error <= width / (2**bits - 1) * 1.001).all()
            assert error.mean() < (width / (2**bits - 1)).mean() * 0.3
        row = found.report.layers[place]
        assert row.alone is not None
        assert row.alone.relative == pytest.approx(
            np.linalg.norm(values - weight) / np.linalg.norm(weight), rel=1e-4
        )


@pytest.mark.parametrize("method", ["nearest", "gptq"])
def test_models_compute_with_what_the_bytes_mean(method: str) -> None:
    x = rows()
    found = quantize_weights(perceptron(), block=16, method=method, arrays={"x": x})
    bias = numpy_helper.to_array(perceptron().graph.initializer[2])
    hidden = np.maximum(x @ meant(found.model, 0), 0)
    expected = hidden @ meant(found.model, 1) + bias
    (result,) = evaluated(found.model, {"x": x})
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-3)
    (exact,) = reference(perceptron(), {"x": x})
    (output,) = found.report.outputs
    relative = np.linalg.norm(result - exact) / np.linalg.norm(exact)
    assert output.in_model.relative == pytest.approx(relative, rel=1e-2)


def test_the_error_of_a_layer_is_that_of_its_results() -> None:
    x = rows()
    found = quantize_weights(perceptron(), arrays={"x": x}, keep=["down"])
    exact = x @ numpy_helper.to_array(perceptron().graph.initializer[0])
    error = np.linalg.norm(x @ meant(found.model, 0) - exact) / np.linalg.norm(exact)
    first = found.report.layers[0]
    assert first.alone is not None
    assert first.alone.relative == pytest.approx(error, rel=1e-3)


def one_by_one(weight: Array, hessian: Array, bits: int, block: int) -> Array:
    """Return the numbers of section 3 of the paper: row by row, with an inverse for those left."""
    weights, numbers = weight.astype(np.float64), []
    size, most = len(weight), 2**bits - 1
    damped = hessian + np.eye(size) * 0.01 * hessian.diagonal().mean()
    for row in range(size):
        if row % block == 0:
            part = weights[row : row + block]
            low, high = np.minimum(part.min(0), 0), np.maximum(part.max(0), 0)
            scale = ((high - low) / most).astype(np.float32).astype(np.float64)
            zero = np.rint(-low / scale)
        numbers.append(np.clip(np.rint(weights[row] / scale) + zero, 0, most))
        inverse = np.linalg.inv(damped[row:, row:])
        error = (weights[row] - (numbers[row] - zero) * scale) / inverse[0, 0]
        weights[row:] -= np.outer(inverse[:, 0], error)
    return np.stack(numbers)


@pytest.mark.parametrize("seed", range(3))
def test_gptq_is_that_of_the_paper(seed: int) -> None:
    rng = np.random.default_rng(seed)
    weight = rng.standard_normal((24, 7)).astype(np.float32)
    x = rng.standard_normal((60, 5)) @ rng.standard_normal((5, 24)) + rng.standard_normal((60, 24))
    hessian = x.T @ x
    found = gptq(weight, hessian, 4, 16)
    np.testing.assert_array_equal(found.numbers, one_by_one(weight, hessian, 4, 16))
    plain = to_nearest(weight, 4, 16)
    errors = [np.linalg.norm(x @ (one.values() - weight)) for one in (found, plain)]
    assert errors[0] < errors[1]


def test_gptq_of_independent_inputs_rounds_to_nearest() -> None:
    weight = np.random.default_rng(8).standard_normal((32, 5)).astype(np.float32)
    unused = np.diag([0.0, *range(1, 32)])
    found, plain = gptq(weight, unused, 4, 16), to_nearest(weight, 4, 16)
    np.testing.assert_array_equal(found.numbers, plain.numbers)
    np.testing.assert_array_equal(found.zeros, plain.zeros)


def test_layers_stay_by_name_and_by_error() -> None:
    found = quantize_weights(perceptron(), keep=["up"])
    assert [row.reason for row in found.report.layers] == ["kept", ""]
    with pytest.raises(ValueError, match=r"MatMul `up`: its error 0\.\d+ exceeds 0\.001"):
        quantize_weights(perceptron(), max_error=0.001)
    products = quantize_weights(convolutions())
    assert [(row.name, row.is_quantized) for row in products.report.layers] == [("classes", True)]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"bits": 3}, "4 or 8 bits, got 3"),
        ({"block": 24}, "a power of two from 16 on, got 24"),
        ({"block": 8}, "a power of two from 16 on, got 8"),
        ({"method": "gptq"}, "`gptq` needs calibration data"),
        ({"method": "best"}, "the method must be `nearest` or `gptq`, got `best`"),
        ({"max_error": float("nan")}, "must not be negative, got nan"),
        ({"keep": ["dwn"]}, "no layer `dwn`; there are `up`, `down`; did you mean `down`?"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as refused:
        quantize_weights(perceptron(), **settings)
    assert message in str(refused.value)
