"""Entries: calls with every kind of argument, and what they say about wrong ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tvm_ffi

from uir import script, transform
from uir.target import Target, constant_bytes, emit_c

from ...support.compiled_c import load_c

MODULE = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def add(A: tir.Buffer((n, m), "float32"), B: tir.Buffer((n, m * 2), "float32"), k: tir.int32):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        for i in range(n):
            for j in range(m):
                B[i, j * 2] = A[i, j] + tir.float32(k)

    @tir.prim_func
    def scalars(
        a: tir.int8, b: tir.bool, c: tir.float32, d: tir.int64, out: tir.Buffer((4,), "float64")
    ):
        out[0] = tir.float64(a)
        out[1] = tir.Select(b, tir.float64(1.0), tir.float64(0.0))
        out[2] = tir.float64(c)
        out[3] = tir.float64(d)

    @tir.prim_func
    def rows(A: tir.Buffer((3, 4), "int32", strides=(s, 1)), B: tir.Buffer((s,), "int32")):
        s = tir.SizeVar("s", "int32")
        for i in range(3):
            B[i] = A[i, 1]

    @tir.prim_func
    def wide(A: tir.Buffer((3, 4), "int32", strides=(8, 2)), out: tir.Buffer((1,), "int32")):
        out[0] = A[2, 3]

    @tir.prim_func
    def half(x: tir.int32) -> tir.int32:
        tir.ret(x // 2)

    @tir.prim_func
    def is_null(p: tir.handle) -> tir.bool:
        tir.ret(tir.isnullptr(p))

    @tir.prim_func
    def third(x: tir.float32) -> tir.float32:
        tir.ret(x / tir.float32(3.0))

    @tir.prim_func
    def checked(n: tir.int32):
        assert n > 0, "`n` must be positive"
        assert n < 9, '"n" is\\ttoo large??!'

    @tir.prim_func
    def pair(
        x: tir.Buffer((n,), "float32"),
        out: tir.Buffer((n + 1,), "float32"),
        last: tir.Buffer((), "float32"),
    ):
        n = tir.SizeVar("n", "int32")
        tir.func_attr({"num_outputs": 2})
        assert n < 100, "too long"
        for i in range(n):
            out[i] = x[i] * tir.float32(2.0)
        out[n] = tir.float32(0.0)
        last[()] = tir.float32(7.0)

    @tir.prim_func
    def double(x: tir.Buffer((n,), "float32"), out: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        tir.func_attr({"num_outputs": 1})
        for i in range(n):
            out[i] = x[i] * tir.float32(2.0)

    @tir.prim_func
    def spread(x: tir.Buffer((n,), "int8"), out: tir.Buffer((n, 65536), "int8")):
        n = tir.SizeVar("n", "int32")
        tir.func_attr({"num_outputs": 1})
        for i in range(n):
            for j in range(65536):
                out[i, j] = x[i]
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tvm_ffi.Module:
    """Compile all functions at once."""
    module = transform.FlattenBuffer()(script.parse(MODULE))
    return load_c(emit_c(module, Target()), tmp_path_factory.mktemp("entry"))


def zeros(*shape: int, dtype: str = "float32") -> np.ndarray[Any, Any]:
    return np.zeros(shape, dtype)


def test_calls(library: tvm_ffi.Module) -> None:
    a, b = np.arange(6, dtype="float32").reshape(2, 3), zeros(2, 6)
    library.add(a, b, 4)
    assert b[:, ::2].tolist() == (a + 4).tolist()
    out = zeros(4, dtype="float64")
    library.scalars(-128, True, 0.5, -(2**63), out)
    assert out.tolist() == [-128, 1, 0.5, -(2.0**63)]
    library.scalars(True, 0, 3, 2**53, out)
    assert out.tolist() == [1, 0, 3, 2.0**53]
    assert [library.half(7), library.half(-7)] == [3, -4]
    assert library.third(1.0) == pytest.approx(1 / 3, abs=1e-7)
    assert library.is_null(None) is True
    library.checked(5)


def test_tensors_with_strides(library: tvm_ffi.Module) -> None:
    table = np.arange(24, dtype="int32").reshape(3, 8)
    out = zeros(8, dtype="int32")
    library.rows(table[:, :4], out)
    assert out.tolist() == [1, 9, 17, 0, 0, 0, 0, 0]
    library.wide(table[:, ::2], out[:1])
    assert out[0] == 22


def test_tensors_that_are_only_read_need_not_be_compact(library: tvm_ffi.Module) -> None:
    table, b = np.arange(24, dtype="float32").reshape(4, 6), zeros(2, 6)
    for a in (table[::2, ::2], table.T[1:3, 1:], table[1:3, :3]):
        library.add(a, b, 1)
        assert b[:, ::2].tolist() == (a + 1).tolist()
    assert np.from_dlpack(library.double(table[:, 2])).tolist() == [4, 16, 28, 40]


def test_tensors_without_elements(library: tvm_ffi.Module) -> None:
    library.add(zeros(0, 3), zeros(0, 6), 1)
    library.add(zeros(2, 0), zeros(2, 0), 1)
    assert np.from_dlpack(library.double(zeros(0))).shape == (0,)


def test_a_tensor_has_no_more_elements_than_its_indices_count(library: tvm_ffi.Module) -> None:
    # Nothing reads or writes them: one element stands for all.
    many = np.lib.stride_tricks.as_strided(zeros(1), (40000, 60000), (240000, 4))
    twice = np.lib.stride_tricks.as_strided(zeros(1), (40000, 120000), (480000, 4))
    with pytest.raises(ValueError, match=r"^add: `A` must have at most 2147483647 elements"):
        library.add(many, twice, 1)
    rows = zeros(40000, dtype="int8")
    with pytest.raises(ValueError, match=r"^spread: `out` must have at most 2147483647 elements"):
        library.spread(rows)
    assert np.from_dlpack(library.spread(rows[:2])).shape == (2, 65536)


def test_outputs_are_returned(library: tvm_ffi.Module) -> None:
    x = np.arange(3, dtype="float32")
    assert np.from_dlpack(library.double(x)).tolist() == [0, 2, 4]
    out, last = library.pair(x)
    assert np.from_dlpack(out).tolist() == [0, 2, 4, 0]
    assert np.from_dlpack(last).tolist() == 7
    given = zeros(3)
    library.double_into(x, given)
    assert given.tolist() == [0, 2, 4]


def integers(*shape: int) -> np.ndarray[Any, Any]:
    return zeros(*shape, dtype="int32")


NDARRAY = zeros(2, 3)
FOUR = zeros(4, dtype="float64")
WRONG_KINDS = [
    (
        "add",
        (NDARRAY,),
        "add: expected 3 arguments (`A`: float32 (n, m), `B`: float32 (n, m * 2), `k`: int32), "
        "got 1",
    ),
    ("half", (), "half: expected 1 argument (`x`: int32), got 0"),
    ("is_null", (), "is_null: expected 1 argument (`p`: pointer), got 0"),
    (
        "double",
        (zeros(3), zeros(3)),
        "double: expected 1 argument (`x`: float32 (n)), got 2",
    ),
    ("add", (3, NDARRAY, 1), "add: `A` must be a tensor, got an integer"),
    ("add", (None, NDARRAY, 1), "add: `A` must be a tensor, got None"),
    ("add", (NDARRAY, "x" * 20, 1), "add: `B` must be a tensor, got a string"),
    (
        "add",
        (NDARRAY, zeros(2, 6, dtype="int8"), 1),
        "add: `B` must have data type float32, got int8",
    ),
    (
        "add",
        (zeros(2, 3, dtype="bool"), NDARRAY, 1),
        "add: `A` must have data type float32, got bool",
    ),
    (
        "add",
        (NDARRAY, zeros(2, 6), 1.5),
        "add: `k` must be an integer, got a floating-point number",
    ),
    (
        "scalars",
        (1, 0.5, 0.5, 1, FOUR),
        "scalars: `b` must be a boolean, got a floating-point number",
    ),
    ("scalars", (1, True, "1", 1, FOUR), "scalars: `c` must be a number, got a string"),
    ("is_null", (3,), "is_null: `p` must be a pointer or None, got an integer"),
]
WRONG_VALUES = [
    ("add", (zeros(6), NDARRAY, 1), "add: `A` must have 2 dimensions, got 1"),
    ("double", (NDARRAY,), "double: `x` must have 1 dimension, got 2"),
    ("add", (NDARRAY, zeros(3, 6), 1), "add: dimension 0 of `B` must be n = 2, got 3"),
    ("add", (NDARRAY, zeros(2, 5), 1), "add: dimension 1 of `B` must be m * 2 = 6, got 5"),
    ("wide", (integers(3, 5), integers(1)), "wide: dimension 1 of `A` must be 4, got 5"),
    ("add", (NDARRAY, zeros(6, 2).T, 1), "add: `B` must be compact: stride 1 must be 1, got 2"),
    ("rows", (integers(3, 8)[:, ::2], integers(8)), "rows: stride 1 of `A` must be 1, got 2"),
    ("wide", (integers(3, 4), integers(1)), "wide: stride 0 of `A` must be 8, got 4"),
    (
        "add",
        (NDARRAY, zeros(2, 6), 2**31),
        "add: `k` must be at least -2147483648 and at most 2147483647, got 2147483648",
    ),
    (
        "scalars",
        (128, True, 0.5, 1, FOUR),
        "scalars: `a` must be at least -128 and at most 127, got 128",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "message"), WRONG_KINDS)
def test_an_argument_of_a_wrong_kind_is_told(
    library: tvm_ffi.Module, name: str, arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        library[name](*arguments)


@pytest.mark.parametrize(("name", "arguments", "message"), WRONG_VALUES)
def test_an_argument_of_a_wrong_value_is_told(
    library: tvm_ffi.Module, name: str, arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        library[name](*arguments)


FAILED = [
    ("checked", (0,), "`n` must be positive"),
    ("checked", (9,), '"n" is\ttoo large??!'),
    ("pair", (zeros(100),), "too long"),
]


@pytest.mark.parametrize(("name", "arguments", "message"), FAILED)
def test_an_assertion_that_fails_is_raised(
    library: tvm_ffi.Module, name: str, arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(RuntimeError, match=f"^{re.escape(message)}$"):
        library[name](*arguments)


def test_a_tensor_must_be_aligned(library: tvm_ffi.Module) -> None:
    shifted = np.frombuffer(bytearray(13), dtype="uint8")[1:].view("float32")
    with pytest.raises(
        ValueError, match="must be aligned to 4 bytes, got an address with remainder"
    ):
        library.double(shifted)


CONSTANTS = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((2, 2), "float32")):
        y = x * relay.const([[1.0, 2.0], [3.0, 4.0]], "float32")
        return y + relay.const([5.0, 6.0], "float32")
"""


def test_constants_lie_in_a_file(tmp_path: Path) -> None:
    names = ("ToANormalForm", "InferType", "LowerOps", "LowerEntry", "BindConstants", "PlanMemory")
    passes = [getattr(transform, name)() for name in (*names, "LowerBlocks", "FlattenBuffer")]
    lowered = transform.Sequential(passes)(script.parse(CONSTANTS))
    content = constant_bytes(lowered)
    assert len(content) == 128
    (tmp_path / "constants.bin").write_bytes(content)
    library = load_c(emit_c(lowered, Target()), tmp_path)
    result = np.from_dlpack(library.main(np.ones((2, 2), "float32")))
    assert result.tolist() == [[6, 8], [8, 10]]


def test_without_constants_the_file_is_empty() -> None:
    assert constant_bytes(script.parse(MODULE)) == b""
