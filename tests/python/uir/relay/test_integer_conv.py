"""Convolutions of integers, held against those of float64, which are exact."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import uir
from uir import ir, relay
from uir.relay import reference

Array = np.ndarray[Any, Any]


class Window(NamedTuple):
    """A convolution: its data, its number of filters, its kernel and its attributes."""

    data: tuple[int, ...]
    filters: int
    kernel: tuple[int, ...]
    attributes: dict[str, Any]
    has_words: bool = True


WINDOWS = {
    "channels": Window((2, 8, 9, 11), 5, (3, 2), {}),
    "strides": Window((2, 8, 9, 11), 6, (3, 3), {"strides": [2, 3], "groups": 2}),
    "strides and dilations": Window((1, 4, 12, 9), 3, (2, 3), {"strides": [3, 2], "dilations": 2}),
    "depthwise": Window((2, 4, 9, 11), 4, (3, 4), {"groups": 4}),
    "a row of three channels": Window((1, 3, 20, 21), 5, (7, 8), {"strides": [2, 2]}),
    "a line": Window((1, 8, 30), 5, (3,), {"dilations": [2]}),
    "a line of pixels": Window((1, 1, 30), 5, (4,), {"strides": [3], "dilations": [2]}),
    "a volume": Window((1, 4, 6, 7, 8), 5, (3, 2, 2), {"dilations": [1, 1, 2]}),
    "a larger sum": Window((1, 64, 14, 14), 64, (3, 3), {}),
    "terms without words": Window((1, 3, 9, 9), 5, (3, 3), {}, has_words=False),
}


def drawn(shape: tuple[int, ...], dtype: str, seed: int) -> Array:
    """Return random integers with both ends of their type."""
    info = np.iinfo(dtype)
    numbers = np.random.default_rng(seed).integers(info.min, info.max + 1, shape, dtype)
    numbers.flat[:2] = info.min, info.max
    return numbers


def module_of(data: Any, rows: Any, kernel: tuple[int, ...], **attributes: Any) -> ir.IRModule:
    """Return a module that convolves tensors of two types."""
    x, w = relay.Var("x", data), relay.Var("w", rows)
    body = relay.integer_conv(x, w, kernel=list(kernel), **attributes)
    func = relay.Function([x, w], relay.Block([], body))
    return ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


def exact(data: Array, rows: Array, kernel: tuple[int, ...], attributes: dict[str, Any]) -> Array:
    """Return the convolution by float64."""
    terms = (*kernel, data.shape[1] // attributes.get("groups", 1))
    weight = np.moveaxis(rows.reshape(-1, *terms), -1, 1)
    window: dict[str, Any] = {
        name: one if isinstance(one, list) or name == "groups" else [one]
        for name, one in attributes.items()
    }
    return reference.conv(data.astype("float64"), weight.astype("float64"), **window)


@pytest.mark.parametrize("name", WINDOWS)
def test_windows_of_bytes(name: str) -> None:
    window = WINDOWS[name]
    left, right = ("int8", "uint8") if "strides" in name else ("uint8", "int8")
    groups = window.attributes.get("groups", 1)
    terms = int(np.prod(window.kernel)) * window.data[1] // groups
    data, rows = drawn(window.data, left, 0), drawn((window.filters, terms), right, 1)
    tensors = relay.Tensor(data.shape, left), relay.Tensor(rows.shape, right)
    module = module_of(*tensors, window.kernel, **window.attributes)
    built = uir.build(module)
    expected = exact(data, rows, window.kernel, window.attributes)
    np.testing.assert_array_equal(np.from_dlpack(built.main(data, rows)), expected)
    np.testing.assert_array_equal(relay.evaluate(module, data, rows, name="main"), expected)
    assert ("dot4_int32" in built.inspect_source()) == window.has_words


def test_any_integers_of_any_sizes() -> None:
    n, height = uir.tir.Var("n", "int64"), uir.tir.Var("h", "int64")
    types = relay.Tensor((n, 4, height, 9), "int64"), relay.Tensor((6, 18), "int16")
    built = uir.build(module_of(*types, (3, 3), groups=2, strides=[2, 1]))
    rows = drawn((6, 18), "int16", 1)
    for size in (3, 8):
        data = np.random.default_rng(size).integers(-999, 999, (size, 4, size, 9))
        expected = exact(data, rows, (3, 3), {"groups": 2, "strides": [2, 1]})
        np.testing.assert_array_equal(np.from_dlpack(built.main(data, rows)), expected)


def test_sums_wrap_around() -> None:
    data, rows = np.full((1, 1, 4), -(2**31), "int32"), np.full((1, 3), 3, "int64")
    types = relay.Tensor(data.shape, "int32"), relay.Tensor(rows.shape, "int64")
    found = uir.build(module_of(*types, (3,))).main(data, rows)
    np.testing.assert_array_equal(np.from_dlpack(found), np.full((1, 1, 2), -(2**31)))


def test_lists_are_printed_and_may_be_edited() -> None:
    data, rows = drawn((1, 8, 9, 10), "uint8", 0), drawn((16, 72), "int8", 1)
    types = relay.Tensor(data.shape, "uint8"), relay.Tensor(rows.shape, "int8")
    lowered = uir.transform.LowerOps()(uir.transform.InferType()(module_of(*types, (3, 3))))
    (func,) = (one for one in lowered.functions.values() if isinstance(one, uir.tir.PrimFunc))
    lists = uir.schedule.lists(func, "x86-64-v4")
    steps = lists["integer_conv"]
    assert 'registers("group")' in steps and not any("cache" in step for step in steps)
    edited = uir.schedule.with_lists(func, {"integer_conv": ['tile("i3", 16, "columns")']})
    found = np.empty((1, 16, 7, 8), "int32")
    uir.build(edited)(data, rows, found)
    np.testing.assert_array_equal(found, exact(data, rows, (3, 3), {}))


@pytest.mark.parametrize(
    ("rows", "kernel", "error", "message"),
    [
        ((2, 11), [3], TypeError, r"operand `rows`: dimension 1 is 11, expected 12"),
        ((2, 12, 1), [3], TypeError, r"operand `rows` has rank 3, expected 2"),
        ((2, 12), [3, 1], ValueError, r"`kernel` must have 1 elements, got 2"),
        ((2, 0), [0], ValueError, r"the elements of `kernel` must be at least 1, got 0"),
        ((2, 36), [9], ValueError, r"the window spans 9 of 8 padded elements along axis 2"),
    ],
)
def test_what_does_not_fit_is_refused(
    rows: tuple[int, ...], kernel: list[int], error: type[Exception], message: str
) -> None:
    data = relay.Var("x", relay.Tensor((1, 4, 8), "uint8"))
    with pytest.raises(error, match=message):
        relay.integer_conv(data, relay.Var("w", relay.Tensor(rows, "int8")), kernel=kernel)
