"""Python's operators on expressions, and the functions that they stand for."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest

from uir import tir
from uir.ir import FloatImm, IntImm, PrimExpr
from uir.tir import Call, Cast, Var

from ..support import FLAG, X, Y, refuses, vector

REAL = Var("real", "float32")
WIDE = Var("wide", "int64")
NODES: list[tuple[Callable[..., Any], type]] = [
    (operator.add, tir.Add),
    (operator.sub, tir.Sub),
    (operator.mul, tir.Mul),
    (operator.floordiv, tir.FloorDiv),
    (operator.mod, tir.FloorMod),
    (operator.lt, tir.LT),
    (operator.le, tir.LE),
    (operator.gt, tir.GT),
    (operator.ge, tir.GE),
    (tir.add, tir.Add),
    (tir.sub, tir.Sub),
    (tir.mul, tir.Mul),
    (tir.truncdiv, tir.Div),
    (tir.truncmod, tir.Mod),
    (tir.floordiv, tir.FloorDiv),
    (tir.floormod, tir.FloorMod),
    (tir.min, tir.Min),
    (tir.max, tir.Max),
    (tir.equal, tir.EQ),
    (tir.not_equal, tir.NE),
    (tir.less, tir.LT),
    (tir.less_equal, tir.LE),
    (tir.greater, tir.GT),
    (tir.greater_equal, tir.GE),
]
INTRINSICS: list[tuple[Callable[..., Any], str]] = [
    (operator.lshift, "tir.shift_left"),
    (operator.rshift, "tir.shift_right"),
    (operator.and_, "tir.bitwise_and"),
    (operator.or_, "tir.bitwise_or"),
    (operator.xor, "tir.bitwise_xor"),
    (tir.left_shift, "tir.shift_left"),
    (tir.right_shift, "tir.shift_right"),
    (tir.bitwise_and, "tir.bitwise_and"),
    (tir.bitwise_or, "tir.bitwise_or"),
    (tir.bitwise_xor, "tir.bitwise_xor"),
]
MIRRORED = {tir.LT: tir.GT, tir.LE: tir.GE, tir.GT: tir.LT, tir.GE: tir.LE}


@pytest.mark.parametrize(("make", "node"), NODES)
def test_two_expressions(make: Callable[..., Any], node: type) -> None:
    expr = make(X, Y)
    assert type(expr) is node
    assert expr.a.same_as(X) and expr.b.same_as(Y)


@pytest.mark.parametrize(("make", "node"), NODES)
def test_a_number_takes_the_type_beside_it(make: Callable[..., Any], node: type) -> None:
    right = make(WIDE, 3)
    assert type(right) is node
    assert isinstance(right.b, IntImm)
    assert (right.b.value, right.b.dtype) == (3, "int64")
    left = make(3, WIDE)
    # Python mirrors a comparison whose left operand knows nothing of it.
    mirrored = make.__module__ == "_operator" and node in MIRRORED
    assert type(left) is (MIRRORED[node] if mirrored else node)
    number = left.b if mirrored else left.a
    assert (number.value, number.dtype) == (3, "int64")


@pytest.mark.parametrize(("make", "name"), INTRINSICS)
def test_bits(make: Callable[..., Any], name: str) -> None:
    for expr in (make(X, Y), make(X, 3), make(3, X)):
        assert isinstance(expr, Call)
        assert (expr.op.name, expr.dtype) == (name, "int32")  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match=f"^{name}: operands `a` and `b` must be integers"):
        make(REAL, 1)


def test_bits_of_booleans_are_logic() -> None:
    assert isinstance(FLAG & FLAG, tir.And)
    assert isinstance(FLAG | FLAG, tir.Or)
    assert isinstance(FLAG ^ FLAG, tir.NE)
    assert isinstance(~FLAG, tir.Not)
    assert tir.logical_and(FLAG, True).same_as(FLAG)
    assert tir.logical_or(False, FLAG).same_as(FLAG)
    assert isinstance(tir.logical_not(FLAG), tir.Not)


def test_unary_operators() -> None:
    inverted = ~X
    assert isinstance(inverted, Call)
    assert inverted.op.name == "tir.bitwise_not"  # type: ignore[attr-defined]
    assert isinstance(-X, tir.Sub)
    negated = -REAL
    assert isinstance(negated, tir.Mul) and isinstance(negated.a, FloatImm)
    assert negated.a.value == -1.0
    with pytest.raises(TypeError, match="^bitwise_not: operand `a` must be an integer"):
        operator.invert(REAL)


def test_division_says_how_to_round() -> None:
    quotient = X / 2.0
    assert isinstance(quotient, tir.Div)
    assert quotient.dtype == "float32"
    assert isinstance(quotient.a, Cast)
    assert (1 / REAL).dtype == "float32"
    with refuses(
        TypeError,
        "div: operands `a` and `b` must be floating-point, as `truncdiv` and `floordiv` are for "
        'integers, got `int32` and `int32` (a = Var(dtype=int32, name="x"), '
        'b = Var(dtype=int32, name="y"))',
    ):
        X / Y


@pytest.mark.parametrize("make", [tir.truncdiv, tir.truncmod, tir.floordiv, tir.floormod])
def test_division_by_zero(make: Callable[..., Any]) -> None:
    with refuses(
        ValueError,
        f'{make.__name__}: division by zero (a = Var(dtype=int32, name="x"), '
        "b = IntImm(dtype=int32, value=0))",
    ):
        make(X, 0)
    assert make(X, Y).dtype == "int32"
    if make in (tir.floordiv, tir.floormod):
        assert make(REAL, 0.0).dtype == "float32"
    else:
        with pytest.raises(TypeError, match="must be integers, got `float32`"):
            make(REAL, 1.0)


COMMON = [
    ("int32", "int64", "int64"),
    ("int32", "uint32", "int32"),
    ("uint8", "int32", "int32"),
    ("bool", "int8", "int8"),
    ("int64", "float16", "float16"),
    ("float16", "float64", "float64"),
    ("int32", "int32x4", "int32x4"),
    ("float32", "int8x2", "float32x2"),
]


@pytest.mark.parametrize(("a", "b", "common"), COMMON)
def test_the_common_type(a: str, b: str, common: str) -> None:
    for one, other in ((a, b), (b, a)):
        assert tir.min(Var("a", one), Var("b", other)).dtype == common


@pytest.mark.parametrize(
    ("a", "b"),
    [("handle", "int32"), ("float16", "bfloat16"), ("int32x2", "int32x4"), ("handle", "bool")],
)
def test_no_common_type(a: str, b: str) -> None:
    with refuses(
        TypeError,
        f"operands `a` and `b` have no common data type, got `{a}` and `{b}` "
        f'(a = Var(dtype={a}, name="a"), b = Var(dtype={b}, name="b"))',
    ):
        Var("a", a) + Var("b", b)


def test_truth_is_not_known_yet() -> None:
    for ask in (bool, lambda expr: expr and 1, lambda expr: 0 < expr < 2):
        with pytest.raises(TypeError, match="^an expression is true or false only when"):
            ask(X < Y if ask is bool else X)


def test_equality_is_that_of_references() -> None:
    assert (X == X) is True
    assert (X + 1 == X + 1) is False
    assert {X: 1}[X] == 1


@pytest.mark.parametrize("other", ["1", None, [1]])
def test_other_operands_are_left_to_python(other: Any) -> None:
    for operate in (operator.add, operator.mul, operator.lt, operator.and_):
        for operands in ((X, other), (other, X)):
            with pytest.raises(TypeError):
                operate(*operands)


def test_a_number_beyond_the_type_beside_it() -> None:
    tiny = Var("tiny", "uint8")
    assert (tiny + 255).dtype == "uint8"
    for number in (256, -1):
        with pytest.raises(ValueError, match=f"between 0 and 255 for `uint8`, got {number}$"):
            tiny + number
    assert isinstance(vector(4) + 1, PrimExpr)
