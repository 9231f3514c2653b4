"""Scalar expressions: operands that fit, and the types that follow from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from uir.ir import GlobalVar, IntImm, Op, get_op
from uir.tir import Broadcast, Call, Cast, Let, Ramp, Select, Shuffle, Var

from ..support import F32, FLAG, I32, I64, TRUE, X, Y, refuses, vector

X_SHOWN = 'Var(dtype=int32, name="x")'
FLAG_SHOWN = 'Var(dtype=bool, name="flag")'
I64_SHOWN = "IntImm(dtype=int64, value=1)"
VECTOR_SHOWN = "Broadcast(dtype=int32x4, value=IntImm(dtype=int32, value=1), lanes=4)"

DTYPES: list[tuple[Callable[[], Any], str]] = [
    (lambda: Cast("float32", X), "float32"),
    (lambda: Cast("handle", X), "handle"),
    (lambda: Cast("float32x4", vector(4)), "float32x4"),
    (lambda: Select(FLAG, F32, F32), "float32"),
    (lambda: Select(FLAG, vector(4), vector(4)), "int32x4"),
    (lambda: Select(vector(4, FLAG), vector(4), vector(4)), "int32x4"),
    (lambda: Let(X, I32, F32), "float32"),
    (lambda: Ramp(X, I32, 4), "int32x4"),
    (lambda: Ramp(F32, F32, 32767), "float32x32767"),
    (lambda: Broadcast(FLAG, 2), "boolx2"),
    (lambda: Shuffle([vector(4), X], [I32, IntImm("int32", 4)]), "int32x2"),
    (lambda: Shuffle([X], [X]), "int32"),
    (lambda: Call("float32", get_op("tir.exp"), [F32]), "float32"),
]

REFUSALS: list[tuple[Callable[[], Any], type[BaseException], str]] = [
    (
        lambda: Cast("float32x4", X),
        TypeError,
        "Cast: operand `value` must be of 4 lanes to become `float32x4`, got `int32` "
        f"(value = {X_SHOWN})",
    ),
    (
        lambda: Select(X, I32, I32),
        TypeError,
        f"Select: operand `condition` must be a boolean, got `int32` (condition = {X_SHOWN})",
    ),
    (
        lambda: Select(FLAG, X, I64),
        TypeError,
        "Select: operands `true_value` and `false_value` must have the same data type, "
        f"got `int32` and `int64` (true_value = {X_SHOWN}, false_value = {I64_SHOWN})",
    ),
    (
        lambda: Select(vector(4, FLAG), X, X),
        TypeError,
        "Select: operand `condition` must be a scalar or have the lanes of the values, got "
        f"`boolx4` (condition = Broadcast(dtype=boolx4, value={FLAG_SHOWN}, lanes=4))",
    ),
    (
        lambda: Let(X, I64, X),
        TypeError,
        "Let: operands `var` and `value` must have the same data type, got `int32` and `int64` "
        f"(var = {X_SHOWN}, value = {I64_SHOWN})",
    ),
    (
        lambda: Ramp(vector(4), vector(4), 4),
        TypeError,
        f"Ramp: operand `base` must be a scalar, got `int32x4` (base = {VECTOR_SHOWN})",
    ),
    (
        lambda: Ramp(FLAG, FLAG, 4),
        TypeError,
        f"Ramp: operand `base` must be a number, got `bool` (base = {FLAG_SHOWN})",
    ),
    (
        lambda: Ramp(X, I64, 4),
        TypeError,
        "Ramp: operands `base` and `stride` must have the same data type, got `int32` and `int64` "
        f"(base = {X_SHOWN}, stride = {I64_SHOWN})",
    ),
    (lambda: Ramp(X, I32, 1), ValueError, "Ramp: `lanes` must be between 2 and 32767, got 1"),
    (
        lambda: Broadcast(X, 32768),
        ValueError,
        "Broadcast: `lanes` must be between 2 and 32767, got 32768",
    ),
    (
        lambda: Broadcast(X, -2),
        ValueError,
        "Broadcast: `lanes` must be between 2 and 32767, got -2",
    ),
    (
        lambda: Broadcast(vector(4), 2),
        TypeError,
        f"Broadcast: operand `value` must be a scalar, got `int32x4` (value = {VECTOR_SHOWN})",
    ),
    (
        lambda: Shuffle([], [I32]),
        ValueError,
        "Shuffle: `vectors` and `indices` must not be empty, got 0 and 1",
    ),
    (
        lambda: Shuffle([X], []),
        ValueError,
        "Shuffle: `vectors` and `indices` must not be empty, got 1 and 0",
    ),
    (
        lambda: Shuffle([X, I64], [I32]),
        TypeError,
        "Shuffle: operands `vectors[0]` and `vectors` must have the same data type, got `int32` "
        f"and `int64` (vectors[0] = {X_SHOWN}, vectors = {I64_SHOWN})",
    ),
    (
        lambda: Shuffle([X], [F32]),
        TypeError,
        "Shuffle: operand `indices[0]` must be a scalar integer, got `float32` "
        "(indices[0] = FloatImm(dtype=float32, value=1.5))",
    ),
    (
        lambda: Shuffle([vector(4), X], [IntImm("int32", 5)]),
        ValueError,
        "Shuffle: `indices` must be at least 0 and below 5, the lanes of `vectors`, got 5",
    ),
    (
        lambda: Shuffle([vector(4), X], [IntImm("int32", -1)]),
        ValueError,
        "Shuffle: `indices` must be at least 0 and below 5, the lanes of `vectors`, got -1",
    ),
    (
        lambda: Call("float32", get_op("tir.exp"), [F32, F32]),
        ValueError,
        "Call: the number of `args` of `tir.exp` must be 1, got 2",
    ),
]


@pytest.mark.parametrize(("make", "dtype"), DTYPES)
def test_the_type_of_the_result(make: Callable[[], Any], dtype: str) -> None:
    assert make().dtype == dtype


@pytest.mark.parametrize(("make", "error", "message"), REFUSALS)
def test_operands_that_do_not_fit(
    make: Callable[[], Any], error: type[BaseException], message: str
) -> None:
    with refuses(error, message):
        make()


def test_what_is_called_decides_how_many_arguments_there_are() -> None:
    for args in ([], [X], [X, Y, TRUE]):
        assert len(Call("int32", get_op("tir.call_packed"), args).args) == len(args)
        assert len(Call("int32", Op("tests.any"), args).args) == len(args)
        assert len(Call("int32", GlobalVar("f"), args).args) == len(args)


def test_what_is_called_is_no_scalar() -> None:
    with pytest.raises(TypeError, match=r"argument `op` must be `uir.ir.RelayExpr`"):
        Call("int32", X, [])  # type: ignore[arg-type]


def test_void_is_for_calls_only() -> None:
    assert Call("void", get_op("tir.ret"), [X]).dtype == Call("void", GlobalVar("f"), []).dtype
    with refuses(TypeError, "Var: `dtype` must not be `void`"):
        Var("v", "void")
