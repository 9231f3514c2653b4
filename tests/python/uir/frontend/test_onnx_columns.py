"""Convolutions of columns, which the importer turns into rows, against ONNX's own reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

import uir
from uir.frontend.onnx import from_onnx

from .onnx_graphs import constant, model, tensor

RNG = np.random.default_rng(2)


@pytest.mark.parametrize(
    ("kernel", "attributes"),
    [
        ((5, 1), {}),
        ((3, 1), {"strides": [2, 1], "pads": [1, 0, 2, 0]}),
        ((3, 1), {"dilations": [3, 2], "group": 2}),
        ((4, 1), {"auto_pad": "SAME_UPPER", "strides": [3, 1]}),
        ((2, 1), {"pads": [0, 1, 0, 2], "strides": [1, 2]}),
    ],
    ids=["plain", "strides and padding", "dilation and groups", "automatic padding", "sides"],
)
@pytest.mark.parametrize("height", [17, "h"])
def test_columns(kernel: tuple[int, int], attributes: dict[str, Any], height: int | str) -> None:
    w = RNG.standard_normal((6, 4 // attributes.get("group", 1), *kernel), np.float32)
    b = RNG.standard_normal(6, np.float32)
    conv = helper.make_node("Conv", ["x", "w", "b"], ["y"], **attributes)
    constants = [constant("w", w), constant("b", b)]
    proto = model([conv], [tensor("x", ("n", 4, height, 1))], ["y"], constants)
    library, evaluator = uir.build(from_onnx(proto)), ReferenceEvaluator(proto)
    for size in (17,) if height == 17 else (17, 32):
        x = RNG.standard_normal((2, 4, size, 1), np.float32)
        wanted: Any = evaluator.run(None, {"x": x})[0]
        found = np.from_dlpack(library["main"](x))
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("shape", [(2, 4, 9, 1), (2, 4, "h", 1)])
def test_rows_are_along_the_last_axis(shape: tuple[int | str, ...]) -> None:
    w = constant("w", RNG.standard_normal((6, 4, 5, 1), np.float32))
    proto = model([helper.make_node("Conv", ["x", "w"], ["y"])], [tensor("x", shape)], ["y"], [w])
    main: Any = from_onnx(proto)["main"]
    convs = [one.value for one in main.body.bindings if "relay.conv(" in str(one.value)]
    assert [int(one.checked_type.shape[2]) for one in convs] == [1]


def test_images_stay() -> None:
    w = constant("w", RNG.standard_normal((6, 4, 5, 1), np.float32))
    conv = helper.make_node("Conv", ["x", "w"], ["y"])
    proto = model([conv], [tensor("x", (2, 4, 9, "w"))], ["y"], [w])
    assert "transpose" not in str(from_onnx(proto)["main"])
