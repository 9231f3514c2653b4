"""Operations on constants: the results are those of numpy, in every type and at its ends."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uir import tir
from uir.ir import FloatImm, IntImm, PrimExpr, SourceName, Span
from uir.tir import BinaryOp, Broadcast, Call, CmpOp, Mul, Var

from ..support import FLAG, refuses

Function = Callable[..., PrimExpr]

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64")

ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
}
DIVISION: dict[str, Callable[[Any, Any], Any]] = {
    "floordiv": np.floor_divide,
    "floormod": np.mod,
    "truncdiv": lambda a, b: np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b)),
    "truncmod": np.fmod,
}
COMPARISON: dict[str, Callable[[Any, Any], Any]] = {
    "equal": np.equal,
    "not_equal": np.not_equal,
    "less": np.less,
    "less_equal": np.less_equal,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
}
BITS: dict[str, Callable[[Any, Any], Any]] = {
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
}


def limits(dtype: str) -> tuple[int, int]:
    """Return the least and the greatest constant of an integer type."""
    info = np.iinfo(dtype)
    return int(info.min), min(int(info.max), 2**63 - 1)


@cache
def integers(dtype: str) -> st.SearchStrategy[int]:
    """Return constants of a type: all of them, mostly near its ends and near 0."""
    low, high = limits(dtype)
    near = sorted({n for m in (low, 0, high) for n in range(m - 3, m + 4) if low <= n <= high})
    return st.one_of(st.integers(low, high), st.sampled_from(near))


@cache
def numbers(dtype: str) -> st.SearchStrategy[float]:
    return st.floats(width=32 if dtype == "float32" else 64, allow_nan=False)


def check(folded: PrimExpr, expected: Any, dtype: str) -> None:
    """Hold a result against numpy's; only what a constant cannot hold may stay an expression."""
    if not isinstance(folded, (IntImm, FloatImm)):
        assert dtype == "uint64" and int(expected) > 2**63 - 1
        return
    assert folded.dtype == str(np.asarray(expected).dtype)
    if isinstance(folded, IntImm):
        assert folded.value == int(expected)
    else:
        value = float(expected)
        assert folded.value == value or (math.isnan(folded.value) and math.isnan(value))


@pytest.mark.parametrize("name", [*ARITHMETIC, *COMPARISON, *BITS])
@pytest.mark.parametrize("dtype", [*SIGNED, *UNSIGNED])
@given(data=st.data())
def test_integers(name: str, dtype: str, data: st.DataObject) -> None:
    a, b = data.draw(integers(dtype)), data.draw(integers(dtype))
    with np.errstate(all="ignore"):
        numpy_function = {**ARITHMETIC, **COMPARISON, **BITS}[name]
        expected = numpy_function(np.array(a, dtype), np.array(b, dtype))
    check(getattr(tir, name)(IntImm(dtype, a), IntImm(dtype, b)), expected, dtype)


@pytest.mark.parametrize("name", list(DIVISION))
@pytest.mark.parametrize("dtype", [*SIGNED, *UNSIGNED])
@given(data=st.data())
def test_division(name: str, dtype: str, data: st.DataObject) -> None:
    a, b = data.draw(integers(dtype)), data.draw(integers(dtype).filter(bool))
    low, high = limits(dtype)
    folded = getattr(tir, name)(IntImm(dtype, a), IntImm(dtype, b))
    assert isinstance(folded, IntImm)
    quotient = abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)
    exact = {
        "floordiv": a // b,
        "floormod": a % b,
        "truncdiv": quotient,
        "truncmod": a - quotient * b,
    }[name]
    wrapped = low if exact == high + 1 and low < 0 else exact
    assert (folded.dtype, folded.value) == (dtype, wrapped)


@pytest.mark.parametrize("name", [*ARITHMETIC, *COMPARISON, "div"])
@pytest.mark.parametrize("dtype", FLOATS)
@given(data=st.data())
def test_floating_point_numbers(name: str, dtype: str, data: st.DataObject) -> None:
    a, b = data.draw(numbers(dtype)), data.draw(numbers(dtype))
    folded = getattr(tir, name)(FloatImm(dtype, a), FloatImm(dtype, b))
    if name == "div" and b == 0:
        assert isinstance(folded, BinaryOp)
        return
    with np.errstate(all="ignore"):
        numpy_function = {**ARITHMETIC, **COMPARISON, "div": np.divide}[name]
        expected = numpy_function(np.array(a, dtype), np.array(b, dtype))
    check(folded, expected, dtype)


@pytest.mark.parametrize("dtype", [*SIGNED, *UNSIGNED])
@given(data=st.data())
def test_shifts(dtype: str, data: st.DataObject) -> None:
    a, bits = data.draw(integers(dtype)), np.iinfo(dtype).bits
    by = data.draw(st.integers(0, bits - 1))
    left = np.left_shift(np.array(a, dtype), np.array(by, dtype))
    check(tir.left_shift(IntImm(dtype, a), IntImm(dtype, by)), left, dtype)
    right = np.right_shift(np.array(a, dtype), np.array(by, dtype))
    check(tir.right_shift(IntImm(dtype, a), IntImm(dtype, by)), right, dtype)


@pytest.mark.parametrize("dtype", [*SIGNED, *UNSIGNED])
@given(data=st.data())
def test_unary_operations(dtype: str, data: st.DataObject) -> None:
    a = data.draw(integers(dtype))
    check(tir.bitwise_not(IntImm(dtype, a)), np.invert(np.array(a, dtype)), dtype)
    check(tir.neg(IntImm(dtype, a)), np.negative(np.array(a, dtype)), dtype)


@pytest.mark.parametrize("source", [*SIGNED, *UNSIGNED])
@pytest.mark.parametrize("target", [*SIGNED, *UNSIGNED, *FLOATS])
@given(data=st.data())
def test_conversions_of_integers(source: str, target: str, data: st.DataObject) -> None:
    a = data.draw(integers(source))
    folded = tir.cast(IntImm(source, a), target)
    expected = np.array(a, source).astype(target)
    if target in FLOATS:
        assert isinstance(folded, FloatImm)
        assert np.array(folded.value, target) == expected
    else:
        check(folded, expected, target)


@given(value=numbers("float64"))
def test_conversions_of_numbers(value: float) -> None:
    narrow = tir.cast(FloatImm("float64", value), "float32")
    if isinstance(narrow, FloatImm):
        widened = tir.cast(narrow, "float64")
        assert isinstance(widened, FloatImm)
        assert widened.value == float(np.float32(value))
    whole = tir.cast(FloatImm("float64", value), "int32")
    fits = math.isfinite(value) and -(2**31) <= int(value) < 2**31
    assert isinstance(whole, IntImm) == fits


X, F = Var("x", "int32"), Var("f", "float32")


@pytest.mark.parametrize("dtype", ["int8", "uint32", "int64", "float16", "float32", "bfloat16"])
def test_neutral_operands(dtype: str) -> None:
    x = Var("x", dtype)
    for same in (x - 0, x * 1, 1 * x, tir.min(x, x), tir.max(x, x)):
        assert same.same_as(x)
    for total in (x + 0, 0 + x):
        # `-0.0 + 0.0` is `0.0`.
        assert total.same_as(x) != ("float" in dtype)


def test_neutral_operands_of_integers() -> None:
    for same in (X // 1, tir.truncdiv(X, 1), X << 0, X >> 0):
        assert same.same_as(X)
    for zero in (X * 0, 0 * X, X % 1, tir.truncmod(X, 1), 0 // X, tir.floormod(0, X)):
        assert isinstance(zero, IntImm)
        assert (zero.value, zero.dtype) == (0, "int32")


def test_neutral_operands_of_vectors() -> None:
    vector = Var("v", "int32x4")
    assert (vector + 0).same_as(vector)
    zero = vector % 1
    assert isinstance(zero, Broadcast)
    assert zero.dtype == "int32x4"
    two = Broadcast(IntImm("int32", 1), 4) + Broadcast(IntImm("int32", 1), 4)
    assert isinstance(two, Broadcast)
    assert isinstance(two.value, IntImm)
    assert two.value.value == 2


def test_what_is_not_known_stays() -> None:
    # Zero times NaN is NaN.
    assert isinstance(F * 0.0, Mul)
    for kept in (X - X, F / F, tir.div(0.0, F), tir.add(FloatImm("float16", 1.0), 1.0)):
        assert isinstance(kept, BinaryOp)
    assert isinstance(tir.equal(X, X), CmpOp)
    assert isinstance(tir.div(FloatImm("float32", 1.0), 0.0), BinaryOp)
    assert isinstance(tir.left_shift(1, X), Call)


def test_numbers_are_rounded_before_and_after() -> None:
    total = FloatImm("float32", 0.1) + FloatImm("float32", 0.2)
    assert isinstance(total, FloatImm)
    assert total.value == float(np.float32(0.1) + np.float32(0.2))
    same = tir.equal(FloatImm("float32", 0.1), FloatImm("float32", float(np.float32(0.1))))
    assert isinstance(same, IntImm)
    assert same.value == 1
    huge = FloatImm("float32", 3e38) * 10.0
    assert isinstance(huge, FloatImm)
    assert huge.value == math.inf


def test_logic() -> None:
    true, false = IntImm("bool", 1), IntImm("bool", 0)
    for same in (FLAG & true, true & FLAG, FLAG | false, false | FLAG):
        assert same.same_as(FLAG)
    assert (FLAG & false).same_as(false)
    assert (true | FLAG).same_as(true)
    negated = tir.logical_not(true)
    assert isinstance(negated, IntImm)
    assert negated.value == 0


def test_choices() -> None:
    assert tir.select(True, X, 1).same_as(X)
    other = tir.select(False, X, 1)
    assert isinstance(other, IntImm)
    assert isinstance(tir.select(FLAG, X, 1), tir.Select)


def test_a_distance_that_no_shift_has() -> None:
    message = (
        "left_shift: operand `b` must be at least 0 and below 32, the bits of the operands, got "
    )
    for by in (-1, 32):
        with refuses(ValueError, f"{message}{by}"):
            X << by


def test_spans_are_kept() -> None:
    span = Span(SourceName("a.py"), 3, 1)
    made = (
        tir.add(X, 2, span), tir.less(X, 2, span), tir.bitwise_and(X, 2, span),
        tir.cast(X, "int8", span), tir.const(1, "int8", span), tir.select(FLAG, X, 1, span),
        tir.neg(F, span), tir.logical_not(FLAG, span),
        tir.call_intrin("float32", "tir.exp", [F], span),
    )  # fmt: skip
    for expr in made:
        assert expr.span is not None
        assert expr.span.same_as(span)


def test_constants_are_numbers_of_python() -> None:
    three = tir.const(1) + 2
    assert (int(three), list(range(three)), bool(three > 2), bool(three < 3)) == (  # type: ignore[call-overload, arg-type]
        3, [0, 1, 2], True, False,
    )  # fmt: skip
    assert float(tir.const(0.5) * 3.0) == 1.5  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="true or false only when the program runs"):
        bool(X < 3)
    assert abs(tir.const(-3)).value == 3  # type: ignore[attr-defined]
