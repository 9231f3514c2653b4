"""Fourier transforms, spectra and filters of ONNX, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

from uir import relay
from uir.frontend.onnx import UnsupportedModelError, from_onnx

from .onnx_graphs import constant, model, tensor

Array = np.ndarray[Any, Any]

RNG = np.random.default_rng(11)
DOUBLE = onnx.TensorProto.DOUBLE


def result(node: onnx.NodeProto, x: Array, *constants: Any, shape: Any = None) -> Array:
    """Return the result of a node whose first input is an array of float64."""
    names = [name for name in node.input[1:] if name]
    values = [constant(name, value) for name, value in zip(names, constants, strict=True)]
    proto = model([node], [tensor("x", shape or x.shape, DOUBLE)], ["y"], values)
    return np.asarray(relay.evaluate(from_onnx(proto), x))


def as_complex(x: Array) -> Array:
    return x[..., 0] + 1j * x[..., 1] if x.shape[-1] == 2 else x[..., 0]


def as_parts(x: Array) -> Array:
    return np.stack([x.real, x.imag], -1)


@pytest.mark.parametrize("length", [None, 1, 5, 8, 12])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_transforms_of_complex_signals(axis: int, length: int | None) -> None:
    x = RNG.standard_normal((3, 8, 7, 2))
    for inverse, transform in ((0, np.fft.fft), (1, np.fft.ifft)):
        names = ["x", "" if length is None else "length", "axis"]
        node = helper.make_node("DFT", names, ["y"], inverse=inverse)
        given = [np.array(axis)] if length is None else [np.array(length), np.array(axis)]
        expected = as_parts(transform(as_complex(x), length, axis))
        np.testing.assert_allclose(result(node, x, *given), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("length", [2, 7, 8, 10])
def test_transforms_of_real_signals_and_back(length: int) -> None:
    x = RNG.standard_normal((3, length, 1))
    half = result(helper.make_node("DFT", ["x", "", "axis"], ["y"], onesided=1), x, np.array(1))
    np.testing.assert_allclose(half, as_parts(np.fft.rfft(x[..., 0])), rtol=1e-9, atol=1e-12)
    back = helper.make_node("DFT", ["x", "length", "axis"], ["y"], onesided=1, inverse=1)
    found = result(back, half, np.array(length), np.array(1))
    np.testing.assert_allclose(found, x, rtol=1e-9, atol=1e-12)
    for other in (2, 5, 12):
        expected = np.fft.irfft(as_complex(half), other)[..., None]
        found = result(back, half, np.array(other), np.array(1))
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("length", [16, 37])
def test_spectra_of_frames_of_any_number(length: int) -> None:
    x, window = RNG.standard_normal((2, length, 1)), np.hanning(8)
    node = helper.make_node("STFT", ["x", "step", "window"], ["y"])
    found = result(node, x, np.array(3), window, shape=(2, "n", 1))
    frames = [x[:, at : at + 8, 0] * window for at in range(0, length - 7, 3)]
    expected = as_parts(np.fft.rfft(np.stack(frames, 1)))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("operator", "shape", "constants", "attributes", "reason"),
    [
        ("DFT", (2, 8, 3), {}, {}, "signals without an axis of real and imaginary parts"),
        ("DFT", (2, "n", 1), {}, {}, "a signal"),
        ("DFT", (2, 5000, 1), {}, {}, "a transform of length 5000, which must be from 1 to 4096"),
        ("DFT", (2, 8, 1), {"": 0, "axis": 2}, {}, "axis 2 of a signal of rank 3"),
        ("STFT", (2, 8, 2), {"step": 2, "": 0, "size": 4}, {}, "frames of complex signals"),
        ("STFT", (2, 8, 1), {"step": 0, "": 0, "size": 4}, {}, "a step of 0 between frames"),
        ("STFT", (2, 8, 1), {"step": 2}, {}, "neither a window nor the length of frames is given"),
    ],
)
def test_refusals(
    operator: str, shape: Any, constants: dict[str, int], attributes: Any, reason: str
) -> None:
    node = helper.make_node(operator, ["x", *constants], ["y"], **attributes)
    values = [constant(name, np.array(value)) for name, value in constants.items() if name]
    with pytest.raises(UnsupportedModelError, match=reason):
        from_onnx(model([node], [tensor("x", shape)], ["y"], values))


def test_filters_are_triangles_on_the_mel_scale() -> None:
    names = ["bins", "length", "rate", "low", "high"]
    values = [np.array(8), np.array(16), np.array(8192), np.float32(0), np.float32(4096)]
    node = helper.make_node("MelWeightMatrix", names, ["y"])
    constants = [constant(name, value) for name, value in zip(names, values, strict=True)]
    proto = model([node], [], ["y"], constants)
    (expected,) = ReferenceEvaluator(proto).run(None, {})
    np.testing.assert_array_equal(np.asarray(relay.evaluate(from_onnx(proto))), expected)
