"""GridSample, ReverseSequence, MaxUnpool and Col2Im, against ONNX's own reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx.helper import make_node
from onnx.reference import ReferenceEvaluator

from uir import relay
from uir.frontend.onnx import UnsupportedModelError, from_onnx

from .onnx_graphs import FLOAT, INT64, constant, model, tensor

PADDINGS = ("zeros", "border", "reflection")

RNG = np.random.default_rng(11)


def noise(*shape: int) -> np.ndarray:
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def compare(node: onnx.NodeProto, *args: np.ndarray, rtol: float = 1e-4, **constants: Any) -> None:
    """Compare a node with the reference; its last inputs are constants."""
    names = [name for name in node.input if name not in constants]
    dtypes = [INT64 if arg.dtype == np.int64 else FLOAT for arg in args]
    inputs = [
        tensor(name, ("n", *arg.shape[1:]), dtype)
        for name, arg, dtype in zip(names, args, dtypes, strict=True)
    ]
    given = [constant(name, np.array(value)) for name, value in constants.items()]
    proto = model([node], inputs, ["y"], given, opset=20)
    (expected,) = ReferenceEvaluator(proto).run(None, dict(zip(names, args, strict=True)))
    found = relay.evaluate(from_onnx(proto), *args)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(found, expected, rtol, 1e-5)


@pytest.mark.parametrize("aligned", [0, 1])
@pytest.mark.parametrize(
    ("mode", "padding"),
    [
        *((mode, padding) for mode in ("nearest", "linear") for padding in PADDINGS),
        *(("cubic", padding) for padding in PADDINGS if padding != "border"),
    ],
)
def test_points_in_images(mode: str, padding: str, aligned: int) -> None:
    options = {"mode": mode, "padding_mode": padding, "align_corners": aligned}
    node = make_node("GridSample", ["x", "grid"], ["y"], **options)
    compare(node, noise(2, 2, 3, 4), 3 * noise(2, 3, 5, 2))


def test_points_in_volumes() -> None:
    node = make_node("GridSample", ["x", "grid"], ["y"], mode="linear", padding_mode="border")
    compare(node, noise(1, 2, 3, 4, 2), 2 * noise(1, 2, 2, 3, 3))


@pytest.mark.parametrize(("time", "batch"), [(0, 1), (1, 0)])
def test_sequences_are_reversed(time: int, batch: int) -> None:
    node = make_node("ReverseSequence", ["x", "n"], ["y"], time_axis=time, batch_axis=batch)
    x = noise(4, 4, 2)
    inputs = [tensor("x", ("a", "b", 2)), tensor("n", ("c",), INT64)]
    proto, lengths = model([node], inputs, ["y"]), np.array([1, 4, 2, 3])
    (expected,) = ReferenceEvaluator(proto).run(None, {"x": x, "n": lengths})
    np.testing.assert_array_equal(relay.evaluate(from_onnx(proto), x, lengths), expected)


def test_maxima_return_to_their_places() -> None:
    pool = make_node("MaxPool", ["x"], ["m", "i"], kernel_shape=[2, 2], strides=[2, 2])
    back = make_node("MaxUnpool", ["m", "i"], ["y"], kernel_shape=[2, 2], strides=[2, 2])
    x = noise(2, 3, 4, 6)
    proto = model([pool, back], [tensor("x", x.shape)], ["y"])
    blocks = x.reshape(2, 3, 2, 2, 3, 2)
    is_greatest = blocks == blocks.max((3, 5), keepdims=True)
    expected = np.where(is_greatest, blocks, 0).reshape(x.shape)
    np.testing.assert_array_equal(relay.evaluate(from_onnx(proto), x), expected)


@pytest.mark.parametrize(
    ("image", "block", "options", "blocks"),
    [
        ([5, 5], [1, 5], {}, 5),
        ([5, 5], [3, 3], {"strides": [2, 2], "pads": [1, 0, 1, 2]}, 9),
        ([6, 6], [2, 2], {"dilations": [1, 5]}, 5),
        ([3, 4, 5], [2, 2, 1], {}, 30),
    ],
)
def test_blocks_are_added(
    image: list[int], block: list[int], options: dict[str, Any], blocks: int
) -> None:
    node = make_node("Col2Im", ["x", "image", "block"], ["y"], **options)
    compare(node, noise(2, 2 * int(np.prod(block)), blocks), image=image, block=block)


@pytest.mark.parametrize(
    ("node", "shapes", "reason"),
    [
        (make_node("GridSample", ["x", "i"], ["y"], mode="area"), [2, 2], "mode area"),
        (make_node("GridSample", ["x", "i"], ["y"], padding_mode="no"), [2, 2], "padding_mode"),
        (
            make_node("GridSample", ["x", "i"], ["y"], mode="cubic", padding_mode="border"),
            [2, 2],
            "mode cubic and `padding_mode` border",
        ),
        (make_node("MaxUnpool", ["x", "i"], ["y"], kernel_shape=[2]), [3, 3], "a window of 1"),
        (make_node("ReverseSequence", ["x", "i"], ["y"], time_axis=2), [3, 3], "`time_axis` 2"),
    ],
)
def test_other_options_are_refused(node: onnx.NodeProto, shapes: list[int], reason: str) -> None:
    inputs = [tensor("x", (1, 1, 3, 4)), tensor("i", (1, *shapes, 2))]
    with pytest.raises(UnsupportedModelError, match=reason):
        from_onnx(model([node], inputs, ["y"], opset=22))
