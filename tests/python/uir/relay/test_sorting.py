"""Compiled `topk`: all elements or a few, of every data type, in the order of the reference.

All functions are compiled into one library; lengths and `k` are symbolic where nothing else is
said. An array of NumPy holds the bits of bfloat16.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tvm_ffi

import uir
from uir.relay import reference
from uir.target import Target

from ...support.raw_tensor import RawTensor

Array = np.ndarray[Any, Any]

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
BFLOAT16 = (4, 16, 1)
FIXED = [(7, 7), (100, 10), (100, 100), (1000, 30)]
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-7, -1e-7, 2.0]

SYMBOLIC = """
    @relay.function
    def {name}(x: relay.Tensor((m, n), "{dtype}"), like: relay.Tensor((k,), "int8")):
        m = tir.SizeVar("m", "int64")
        n = tir.SizeVar("n", "{size}")
        k = tir.SizeVar("k", "{size}")
        return relay.topk(x, k, largest={largest})
"""
MIDDLE = """
    @relay.function
    def middle_{axis}(x: relay.Tensor((3, n, 5), "float32"), like: relay.Tensor((k,), "int8")):
        n = tir.SizeVar("n", "int64")
        k = tir.SizeVar("k", "int64")
        return relay.topk(x, k, axis={axis}, largest=False)
"""
KNOWN = """
    @relay.function
    def known_{n}_{k}(x: relay.Tensor((rows, {n}), "float32")):
        rows = tir.SizeVar("rows", "int64")
        return relay.topk(x, {k}, largest={largest})

    @relay.function
    def column_{n}_{k}(x: relay.Tensor(({n}, 300), "int64")):
        return relay.topk(x, {k}, axis=0, largest={largest})
"""


def program() -> str:
    dtypes = [*INTEGERS, *FLOATS, "bfloat16"]
    functions = [
        SYMBOLIC.format(
            name=f"{dtype}_{largest}",
            dtype=dtype,
            largest=largest,
            size=("int64", "int32")[largest],
        )
        for dtype in dtypes
        for largest in (False, True)
        if not largest or dtype in ("float32", "bfloat16", "int8", "uint16", "int64")
    ]
    functions += [MIDDLE.format(axis=1)]
    functions += [KNOWN.format(n=n, k=k, largest=k != n) for n, k in FIXED]
    return "@uir.script.ir_module\nclass Module:\n" + "".join(functions)


@pytest.fixture(scope="module")
def library() -> tvm_ffi.Module:
    return uir.build(uir.script.parse(program()))


def numbers(random: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> Array:
    """Return numbers with ties: of floating-point types the special ones too."""
    kind = np.dtype(dtype)
    if kind.kind == "f":
        drawn = random.standard_normal(shape)
        special = random.choice(SPECIAL, shape)
        return np.where(random.random(shape) < 0.3, special, drawn).astype(kind)
    limits = np.iinfo(kind)
    wide = random.integers(limits.min, limits.max, shape, kind, endpoint=True)
    narrow = random.integers(0, 5, shape).astype(kind)
    return np.where(random.random(shape) < 0.3, narrow, wide).astype(kind)


def like(k: int) -> Array:
    return np.zeros(k, "int8")


def check(found: Any, x: Array, k: int, **attributes: Any) -> None:
    """Compare with the reference, places exactly and elements bit by bit."""
    values, places = map(np.from_dlpack, found)
    axis = attributes.get("axis", -1)
    wanted, order = reference.topk(x, k, **attributes)
    np.testing.assert_array_equal(places, order, f"{x.dtype} {x.shape} {k} {attributes}")
    kept = np.take_along_axis(x, order, axis)
    assert (values.dtype, values.shape) == (wanted.dtype, wanted.shape)
    assert values.tobytes() == np.ascontiguousarray(kept).tobytes()


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_every_length_up_to_70(library: tvm_ffi.Module, dtype: str) -> None:
    random = np.random.default_rng(1)
    for n in range(71):
        x = numbers(random, dtype, (3, n))
        for k in {0, min(1, n), n // 3, n}:
            check(library[f"{dtype}_False"](x, like(k)), x, k, largest=False)


@pytest.mark.parametrize("dtype", ["float32", "int8", "uint16", "int64"])
@pytest.mark.parametrize("n", [10, 300, 1000])
def test_the_greatest_come_first(library: tvm_ffi.Module, dtype: str, n: int) -> None:
    x = numbers(np.random.default_rng(2), dtype, (4, n))
    for k in (1, 5, n // 9, n // 2, n):
        check(library[f"{dtype}_True"](x, like(k)), x, k, largest=True)


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
@pytest.mark.parametrize("n", [1000, 100_000])
def test_long_rows(library: tvm_ffi.Module, dtype: str, n: int) -> None:
    x = numbers(np.random.default_rng(3), dtype, (1, n))
    for k in (20, n):
        check(library[f"{dtype}_False"](x, like(k)), x, k, largest=False)


@pytest.mark.parametrize("largest", [False, True])
def test_bfloat16(library: tvm_ffi.Module, largest: bool) -> None:
    x = numbers(np.random.default_rng(4), "float32", (5, 200))
    bits = (x.view(np.uint32) >> 16).astype(np.uint16)
    wide = (bits.astype(np.uint32) << 16).view(np.float32)
    function = library[f"bfloat16_{largest}"]
    _, places = function(RawTensor(bits.ctypes.data, [5, 200], dtype=BFLOAT16), like(200))
    order = reference.topk(wide, 200, largest=largest)[1]
    np.testing.assert_array_equal(np.from_dlpack(places), order)


@pytest.mark.parametrize("n", [0, 1, 33, 400])
def test_a_middle_axis(library: tvm_ffi.Module, n: int) -> None:
    x = numbers(np.random.default_rng(5), "float32", (3, n, 5))
    for k in {0, n // 7, n}:
        check(library["middle_1"](x, like(k)), x, k, axis=1, largest=False)


@pytest.mark.parametrize("rows", [0, 1, 3000])
def test_many_rows_of_a_known_length(library: tvm_ffi.Module, rows: int) -> None:
    random = np.random.default_rng(6)
    for n, k in FIXED:
        x = numbers(random, "float32", (min(rows, 300_000 // n), n))
        check(library[f"known_{n}_{k}"](x), x, k, largest=k != n)


def test_columns(library: tvm_ffi.Module) -> None:
    for n, k in FIXED:
        x = numbers(np.random.default_rng(7), "int64", (n, 300))
        check(library[f"column_{n}_{k}"](x), x, k, axis=0, largest=k != n)


def test_rows_of_every_order(library: tvm_ffi.Module) -> None:
    """Ascending and descending rows fill the room for the best ones over and over."""
    n = 5000
    ascending = np.arange(n, dtype="int64")
    same_lead = ascending % 7 + (ascending % 2 << 60)
    rows = [ascending, ascending[::-1], ascending * 0 + 3, ascending % 7, same_lead, -same_lead]
    x = np.stack(rows)
    for k in (1, 50, 2000, n):
        check(library["int64_True"](x, like(k)), x, k, largest=True)
        check(library["int64_False"](x, like(k)), x, k, largest=False)


def test_nan_of_either_sign_is_greatest_and_zeros_are_equal(library: tvm_ffi.Module) -> None:
    nan = np.array([0x7FC00001, 0xFFC00002, 0x7F800001], np.uint32).view(np.float32)
    x = np.array([[0.0, nan[0], -0.0, nan[1], np.inf, 0.0, nan[2], -np.inf]], np.float32)
    _, places = library["float32_False"](x, like(8))
    assert np.from_dlpack(places).tolist() == [[7, 0, 2, 5, 4, 1, 3, 6]]
    _, places = library["float32_True"](x, like(8))
    assert np.from_dlpack(places).tolist() == [[1, 3, 6, 4, 0, 2, 5, 7]]


@pytest.mark.parametrize("isa", ["generic", "x86-64"])
def test_other_targets(isa: str) -> None:
    functions = KNOWN.format(n=300, k=20, largest=True) + MIDDLE.format(axis=1)
    module = uir.script.parse("@uir.script.ir_module\nclass Module:\n" + functions)
    library = uir.build(module, Target("c", isa))
    x = numbers(np.random.default_rng(9), "float32", (500, 300))
    check(library.known_300_20(x), x, 20, largest=True)
    y = numbers(np.random.default_rng(9), "float32", (3, 400, 5))
    check(library.middle_1(y, like(400)), y, 400, axis=1, largest=False)


@pytest.mark.deep
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int16"])
def test_a_million_elements(library: tvm_ffi.Module, dtype: str) -> None:
    x = numbers(np.random.default_rng(8), dtype, (2, 1_000_000))
    for k in (100, 50_000, 1_000_000):
        check(library[f"{dtype}_False"](x, like(k)), x, k, largest=False)
