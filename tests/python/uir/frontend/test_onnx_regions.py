"""RoiAlign, DeformConv, TensorScatter and Det, against ONNX's own reference or NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
import pytest
from onnx.helper import make_node
from onnx.reference import ReferenceEvaluator

from uir import relay
from uir.frontend.onnx import UnsupportedModelError, from_onnx

from .onnx_graphs import FLOAT, INT64, model, tensor

RNG = np.random.default_rng(7)


def noise(*shape: int) -> np.ndarray:
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def evaluated(
    node: onnx.NodeProto, operands: Mapping[str, np.ndarray], shapes: Mapping[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Return what relay and the reference make of a node, whose inputs have symbolic shapes."""
    inputs = [
        tensor(name, shapes.get(name, x.shape), INT64 if x.dtype == np.int64 else FLOAT)
        for name, x in operands.items()
    ]
    proto = model([node], inputs, ["y"], opset=24)
    (expected,) = ReferenceEvaluator(proto).run(None, dict(operands))
    found: Any = relay.evaluate(from_onnx(proto), *operands.values())
    return found, expected


# Regions inside of images, beyond two of their edges, and without a height.
REGIONS = np.array([[1, 1, 6, 4], [-9, 2, 3, 9], [5, 0, 30, 3], [2, 2, 4, 2]], np.float32)


@pytest.mark.parametrize("shift", ["half_pixel", "output_half_pixel"])
@pytest.mark.parametrize("mode", ["avg", "max"])
def test_regions_of_images(mode: str, shift: str) -> None:
    options: dict[str, Any] = {"output_height": 2, "output_width": 3, "sampling_ratio": 2}
    options |= {"mode": mode, "coordinate_transformation_mode": shift, "spatial_scale": 0.5}
    node = make_node("RoiAlign", ["x", "rois", "image"], ["y"], **options)
    operands = {"x": noise(2, 3, 5, 7), "rois": REGIONS, "image": np.array([0, 1, 1, 0])}
    shapes = {"x": ("n", 3, "h", "w"), "rois": ("r", 4), "image": ("r",)}
    found, expected = evaluated(node, operands, shapes)
    np.testing.assert_allclose(found, expected, 1e-5, 1e-6)


def test_old_versions_have_no_shift_of_half_a_pixel() -> None:
    options = {"output_height": 2, "output_width": 2, "sampling_ratio": 1}
    node = make_node("RoiAlign", ["x", "rois", "image"], ["y"], **options)
    inputs = [tensor("x", (1, 1, 6, 6)), tensor("rois", (1, 4)), tensor("image", (1,), INT64)]
    x = np.arange(36, dtype=np.float32).reshape(1, 1, 6, 6)
    args = x, np.array([[1, 1, 3, 3]], np.float32), np.array([0])
    centers = np.array([[1.5, 2.5], [1.5, 2.5]])
    for opset, shift in ((10, 0), (16, 0.5)):
        found: Any = relay.evaluate(from_onnx(model([node], inputs, ["y"], opset=opset)), *args)
        np.testing.assert_allclose(found[0, 0], (centers.T - shift) * 6 + centers - shift)


@pytest.mark.parametrize(
    ("channels", "kernel", "options"),
    [
        (1, [2, 3], {}),
        (4, [3, 2], {"group": 2, "offset_group": 2, "pads": [1, 0, 1, 2], "strides": [2, 1]}),
        (2, [2, 2], {"dilations": [2, 3], "offset_group": 2}),
    ],
)
def test_taps_are_moved(channels: int, kernel: list[int], options: dict[str, Any]) -> None:
    node = make_node("DeformConv", ["x", "w", "o", "b", "m"], ["y"], **options)
    pads, strides = options.get("pads", [0] * 4), options.get("strides", [1, 1])
    reach = np.multiply(options.get("dilations", [1, 1]), np.subtract(kernel, 1))
    steps = [
        int((size + pads[axis] + pads[axis + 2] - reach[axis] - 1) // strides[axis]) + 1
        for axis, size in enumerate((5, 6))
    ]
    parts, taps = options.get("offset_group", 1), int(np.prod(kernel))
    operands = {
        "x": noise(2, channels, 5, 6),
        "w": noise(4, channels // options.get("group", 1), *kernel),
        "o": 2 * noise(2, parts * taps * 2, *steps),
        "b": noise(4),
        "m": noise(2, parts * taps, *steps),
    }
    shapes = {name: ("n", *operands[name].shape[1:]) for name in "xom"}
    found, expected = evaluated(node, operands, shapes)
    np.testing.assert_allclose(found, expected, 1e-4, 1e-5)


@pytest.mark.parametrize(("mode", "begin"), [("linear", [2, 0]), ("circular", [4, 3])])
def test_rows_are_written_into_caches(mode: str, begin: list[int]) -> None:
    node = make_node("TensorScatter", ["x", "u", "begin"], ["y"], mode=mode, axis=1)
    operands = {"x": noise(2, 5, 3), "u": noise(2, 2, 3), "begin": np.array(begin)}
    shapes = {"x": ("n", "k", 3), "u": ("n", "m", 3), "begin": ("n",)}
    found, expected = evaluated(node, operands, shapes)
    np.testing.assert_array_equal(found, expected)


def test_determinants() -> None:
    node = make_node("Det", ["x"], ["y"])
    for size in (1, 2, 5):
        x = noise(6, 2, size, size)
        x[0, 0] = 0
        x[1, :, 0] = 0
        x[2, :, -1] = x[2, :, 0]
        proto = model([node], [tensor("x", ("n", 2, size, size))], ["y"], opset=22)
        found: Any = relay.evaluate(from_onnx(proto), x)
        np.testing.assert_allclose(found, np.linalg.det(x.astype(np.float64)), 1e-4, 1e-6)


@pytest.mark.parametrize(
    ("node", "shapes", "reason"),
    [
        (make_node("RoiAlign", ["a", "b", "i"], ["y"]), [(1, 1, 4, 4), (1, 4)], "sampling_ratio"),
        (
            make_node("DeformConv", ["a", "b", "c"], ["y"]),
            [(1, 1, 4, 4), (1, 1, 2, 2), (1, 8, 2, 2)],
            "offsets for",
        ),
        (
            make_node("DeformConv", ["a", "b", "c"], ["y"]),
            [(1, 1, 4, 4), (1, 1, 2, 2), (1, 6, 3, 3)],
            "offsets .* of weights",
        ),
        (
            make_node("TensorScatter", ["a", "b"], ["y"], axis=-3),
            [(2, 3, 4), (2, 1, 4)],
            "axis -3 of a cache",
        ),
        (make_node("Det", ["a"], ["y"]), [("n", "n")], "matrices of n rows"),
        (make_node("Det", ["a"], ["y"]), [(33, 33)], "matrices of 33 rows"),
    ],
)
def test_others_are_refused(node: onnx.NodeProto, shapes: Any, reason: str) -> None:
    inputs = [tensor(name, shape) for name, shape in zip("abc", shapes, strict=False)]
    if "i" in node.input:
        inputs.append(tensor("i", (1,), INT64))
    with pytest.raises(UnsupportedModelError, match=reason):
        from_onnx(model([node], inputs, ["y"], opset=24))
