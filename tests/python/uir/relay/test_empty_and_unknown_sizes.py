"""Sizes that are 0 or not known: what random graphs found to be refused, or not to be."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, tir
from uir.relay import reference

from ..support import refuses


def function_of(name: str, params: list[relay.Var], value: Any) -> relay.Function:
    function = relay.Function(params, relay.Block([], value))
    return ir.with_attr(function, "global_symbol", name)


def variable(name: str, *shape: Any) -> relay.Var:
    return relay.Var(name, relay.Tensor(shape, "float32"))


@pytest.mark.parametrize("spatial", [(7,), (tir.SizeVar("n"), 3)])
def test_no_images_are_normalized_in_groups(spatial: tuple[Any, ...]) -> None:
    x = variable("x", 0, 4, *spatial)
    scale = relay.const(np.ones(4, "float32"))
    built = uir.build(function_of("main", [x], relay.group_norm(x, 2, scale)))
    given = np.zeros((0, 4, 7, 3)[: 2 + len(spatial)], "float32")
    assert np.from_dlpack(built["main"](given)).shape == given.shape


def test_no_channels_are_normalized_in_groups() -> None:
    x, scale, bias = variable("x", 2, 0, 7), variable("scale", 0), variable("bias", 0)
    built = uir.build(function_of("main", [x, scale, bias], relay.group_norm(x, 1, scale, bias)))
    none = np.zeros(0, "float32")
    assert np.from_dlpack(built["main"](none.reshape(2, 0, 7), none, none)).shape == (2, 0, 7)


RESIZES: dict[str, dict[str, Any]] = {
    "linear": {"mode": "linear"},
    "cubic": {"mode": "cubic", "coordinate_transformation_mode": "align_corners"},
    "inside": {"mode": "cubic", "exclude_outside": True},
}


def test_images_of_unknown_sizes_are_smoothed() -> None:
    functions = {}
    for name, attributes in RESIZES.items():
        n, m = tir.SizeVar("n"), tir.SizeVar("m")
        x, size = variable("x", 2, n), variable("size", m)
        resized = relay.resize(x, sizes=[m], axes=[1], antialias=True, **attributes)
        functions[ir.GlobalVar(name)] = function_of(name, [x, size], resized)
    library = uir.build(ir.IRModule(functions), checks="bounds")
    for length, made in ((9, 2), (9, 9), (3, 7), (64, 5), (1, 1), (5, 0)):
        given = np.random.default_rng(length).random((2, length), "float32")
        for name, attributes in RESIZES.items():
            found = np.from_dlpack(library[name](given, np.zeros(made, "float32")))
            expected = reference.resize(given, sizes=[made], axes=[1], antialias=True, **attributes)
            np.testing.assert_allclose(found, expected, 1e-5, 1e-6)


def test_no_elements_have_no_window_whose_place_is_rounded_up() -> None:
    window = {"kernel": [1], "strides": [3], "ceil_mode": True}
    with pytest.raises(ValueError, match="the window spans 1 of 0 padded elements along axis 2"):
        relay.max_pool(variable("x", 1, 1, 0), **window)
    x = variable("x", 1, 1, tir.SizeVar("n"))
    library = uir.build(function_of("main", [x], relay.max_pool(x, **window)))
    assert np.from_dlpack(library["main"](np.ones((1, 1, 4), "float32"))).shape == (1, 1, 2)
    with refuses(ValueError, "main: `1 <= n` must hold: `n` is 0, dimension 2 of `x`"):
        library["main"](np.ones((1, 1, 0), "float32"))
    padded = relay.max_pool(variable("x", 1, 1, 0), **window, pads=[1, 0])
    assert [int(dim) for dim in padded.checked_type.shape] == [1, 1, 1]


def test_masks_of_unknown_batches_may_lie_apart() -> None:
    """A parallel loop over the batch reads the mask through its address alone."""
    n = tir.SizeVar("n")
    names, shapes = ("q", "k", "v", "mask"), ((7, 1), (2, 1), (2, 2), (7, 2))
    params = [variable(name, n, 1, *shape) for name, shape in zip(names, shapes, strict=True)]
    library = uir.build(function_of("main", params, relay.attention(*params)))
    random = np.random.default_rng(0)
    q, k, v, mask = (random.random((3, 1, *shape), "float32") for shape in shapes)
    found = np.from_dlpack(library["main"](q, k, v, np.repeat(mask, 2, 0)[::2]))
    np.testing.assert_array_equal(found, np.from_dlpack(library["main"](q, k, v, mask)))


@pytest.mark.parametrize("size", [0, tir.SizeVar("n")], ids=str)
def test_no_columns_are_padded_for_no_windows(size: Any) -> None:
    """A stride that is longer than the window made the padded image shorter than nothing."""
    x, weight = variable("x", 2, 3, 5, size), variable("weight", 4, 3, 2, 1)
    call = relay.conv(x, weight, strides=[1, 4], dilations=[2, 2], auto_pad="same_lower")
    module = ir.IRModule({ir.GlobalVar("main"): function_of("main", [x, weight], call)})
    # Extents, and the work of a kernel: no number is negative.
    lowered = str(uir.lower(module))
    assert not re.search(r"alloc_buffer\(\(-\d+,|tir\.int64\(-\d+\)", lowered)
    library = uir.build(module, checks="bounds")
    for length in (0, 5) if isinstance(size, tir.SizeVar) else (size,):
        given = np.random.default_rng(length).random((2, 3, 5, length), "float32")
        weights = np.random.default_rng(1).random((4, 3, 2, 1), "float32")
        expected = reference.conv(
            given, weights, strides=[1, 4], dilations=[2, 2], auto_pad="same_lower"
        )
        found = np.from_dlpack(library["main"](given, weights))
        np.testing.assert_allclose(found, expected, 1e-5)


def test_loops_of_two_data_types_merge() -> None:
    """Unknown channels are counted in 64 bits, the one channel of the result in 32."""
    channels = tir.SizeVar("n", "int64")
    x, weight = variable("x", 1, channels, 2), variable("weight", channels, 1, 1)
    bias, places = variable("bias", 1), relay.Var("places", relay.Tensor((1, 1, 1), "int32"))
    y = relay.gelu(relay.conv_transpose(x, weight, bias, strides=[1], pads=[0, 1]))
    call = relay.scatter_elements(y, places, y, axis=-1)
    function = function_of("main", [x, weight, bias, places], call)
    library = uir.build(ir.IRModule({ir.GlobalVar("main"): function}))
    random = np.random.default_rng(0)
    shapes = (1, 5, 2), (5, 1, 1), (1,)
    given = [*(random.random(shape, "float32") for shape in shapes), np.zeros((1, 1, 1), "int32")]
    found = np.from_dlpack(library["main"](*given))
    np.testing.assert_allclose(found, relay.evaluate(function, *given), 1e-5)
