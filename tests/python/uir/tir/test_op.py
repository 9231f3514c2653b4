"""Constants, conversions and calls of intrinsics."""

from __future__ import annotations

from typing import Any

import pytest

from uir import tir
from uir.ir import FloatImm, IntImm
from uir.tir import Broadcast, Call, Cast, Var

from ..support import F32, I32, X, refuses, vector


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (1, None, "int32"),
        (2**31 - 1, None, "int32"),
        (2**31, None, "int64"),
        (-(2**31) - 1, None, "int64"),
        (True, None, "bool"),
        (0.5, None, "float32"),
        (1, "uint8", "uint8"),
        (1, "float16", "float16"),
        (True, "int8", "int8"),
    ],
)
def test_const(value: float, dtype: str | None, expected: str) -> None:
    made = tir.const(value, dtype)
    assert isinstance(made, (IntImm, FloatImm))
    assert (made.value, made.dtype) == (value, expected)


def test_const_of_several_lanes() -> None:
    made = tir.const(1, "float32x4")
    assert isinstance(made, Broadcast) and isinstance(made.value, FloatImm)
    assert (made.dtype, made.value.value) == ("float32x4", 1.0)


def test_const_refuses() -> None:
    with refuses(
        TypeError,
        'make_const: `value` must be a boolean or a number, got `str` (value = "1")',
    ):
        tir.const("1")  # type: ignore[arg-type]
    with refuses(
        TypeError,
        "make_const: `dtype` must be a floating-point type for 1.5, got `int32`",
    ):
        tir.const(1.5, "int32")
    with pytest.raises(ValueError, match="between -128 and 127 for `int8`, got 128"):
        tir.const(128, "int8")


def test_as_expr() -> None:
    assert tir.as_expr(X).same_as(X)
    assert tir.as_expr(1).dtype == "int32"
    assert tir.as_expr(1, Var("w", "int64")).dtype == "int64"
    assert tir.as_expr(1, F32).dtype == "float32"
    assert tir.as_expr(0.5, X).dtype == "float32"
    assert tir.as_expr(True, vector(4)).dtype == "int32"
    assert tir.as_expr(2, Var("b", "bool")).dtype == "int32"
    with pytest.raises(TypeError, match="`value` must be an expression, a boolean or a number"):
        tir.as_expr("1", X)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (3, "int64", 3),
        (300, "uint8", 44),
        (200, "int8", -56),
        (-1, "uint16", 65535),
        (7, "bool", 1),
        (3, "float32", 3.0),
        (2.75, "int32", 2),
        (-2.75, "int32", -2),
        (0.5, "bool", 1),
    ],
)
def test_constants_are_converted_at_once(value: float, dtype: str, expected: float) -> None:
    made = tir.cast(value, dtype)
    assert isinstance(made, (IntImm, FloatImm))
    assert (made.value, made.dtype) == (expected, dtype)


@pytest.mark.parametrize(
    ("value", "dtype"), [(-1, "uint64"), (1e30, "int32"), (1e6, "float16"), (300.0, "uint8")]
)
def test_constants_that_do_not_fit_are_converted_at_run_time(value: float, dtype: str) -> None:
    made = tir.cast(tir.const(value, "int64" if isinstance(value, int) else "float64"), dtype)
    assert isinstance(made, Cast)
    assert made.dtype == dtype


def test_cast() -> None:
    assert tir.cast(X, "int32").same_as(X)
    assert isinstance(tir.cast(X, "int64"), Cast)
    lanes = tir.cast(X, "float32x4")
    assert isinstance(lanes, Broadcast) and isinstance(lanes.value, Cast)
    assert tir.cast(vector(4), "float32x4").dtype == "float32x4"
    with pytest.raises(TypeError, match="^Cast: operand `value` must be of 2 lanes"):
        tir.cast(vector(4), "float32x2")


def test_call_intrin() -> None:
    call = tir.call_intrin("float32", "tir.exp", [0.5])
    assert isinstance(call, Call)
    assert (call.dtype, call.op.name, call.args[0].dtype) == ("float32", "tir.exp", "float32")  # type: ignore[attr-defined]
    with refuses(ValueError, "there is no operator `tir.nonsense`"):
        tir.call_intrin("float32", "tir.nonsense", [])
    with refuses(ValueError, "Call: the number of `args` of `tir.fma` must be 3, got 1"):
        tir.call_intrin("float32", "tir.fma", [I32])


def test_match_types() -> None:
    from uir.tir import _ffi_api

    operands: Any = _ffi_api.match_types(X, F32)
    assert [type(one) for one in operands] == [Cast, FloatImm]
    assert operands[1].same_as(F32)
