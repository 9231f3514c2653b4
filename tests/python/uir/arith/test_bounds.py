"""Bounds and remainders through shifts, masks, casts and counts of bits."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from uir import arith, ir, tir

from .evaluate import Undefined, evaluator

X, Y, B = tir.Var("x"), tir.Var("y"), tir.Var("b", "int8")
U = tir.Var("u", "uint32")
N = tir.SizeVar("n")


def bounds(expr: ir.PrimExpr, **ranges: tuple[int, int]) -> tuple[int, int]:
    """Return the bounds of an expression where `x` and `y` are in ranges."""
    analyzer = arith.Analyzer()
    for variable in (X, Y):
        if variable.name in ranges:
            low, high = ranges[variable.name]
            analyzer.bind(variable, ir.Range(tir.const(low), tir.const(high - low + 1)))
    found = analyzer.const_int_bound(expr)
    return found.min_value, found.max_value


@pytest.mark.parametrize(
    ("expr", "ranges", "expected"),
    [
        (N * 16 % 7168, {}, (0, 7152)),
        ((16 * N + 3) % 7168, {}, (3, 7155)),
        ((X * 8 + 3) % 32, {"x": (0, 100)}, (3, 27)),
        (X % Y, {"x": (0, 6), "y": (-5, 7)}, (-4, 6)),
        (X % N, {"x": (0, 6)}, (0, 6)),
        (tir.left_shift(X, 2), {"x": (0, 7)}, (0, 28)),
        (tir.left_shift(tir.const(1), X), {"x": (0, 4)}, (1, 16)),
        (tir.bitwise_or(X, Y), {"x": (0, 7), "y": (0, 8)}, (0, 15)),
        (tir.abs(X), {"x": (-5, 3)}, (0, 5)),
        (tir.popcount(X), {}, (0, 32)),
        (tir.Cast("int32", tir.Cast("float32", tir.truncmod(B, 3))), {}, (-2, 2)),
    ],
    ids=str,
)
def test_bounds(
    expr: ir.PrimExpr, ranges: dict[str, tuple[int, int]], expected: tuple[int, int]
) -> None:
    assert bounds(expr, **ranges) == expected


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (X + Y + 3, (3, 12)),
        (3 - Y - X, (-6, 3)),
        ((X + Y) // 2, (0, 4)),
        ((X + Y) % 16 + 1, (1, 10)),
        (tir.min(Y + X, N), (0, 9)),
        (X * 2 + Y * 2 + 1, (1, 19)),
        (tir.Cast("int64", X + Y), (0, 9)),
    ],
    ids=str,
)
def test_facts_bound_sums(expr: ir.PrimExpr, expected: tuple[int, int]) -> None:
    analyzer = arith.Analyzer()
    with analyzer.constraint_scope(tir.all(X + Y < 10, Y + X >= 0)):
        found = analyzer.const_int_bound(expr)
        assert (found.min_value, found.max_value) == expected


def test_facts_that_contradict_bound_nothing() -> None:
    analyzer = arith.Analyzer()
    analyzer.assume(tir.all(X + Y < 3, X + Y > 5))
    found = analyzer.const_int_bound(X + Y)
    assert found.min_value <= found.max_value


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (tir.left_shift(X, 3) + 1, (8, 1)),
        (tir.right_shift(X * 4 + 2, 1), (2, 1)),
        (tir.bitwise_and(X * 16 + Y * 4, 31), (4, 0)),
        (tir.bitwise_and(X, 24), (8, 0)),
        (tir.bitwise_and(tir.const(-8), X * 4 + 1), (8, 0)),
        (tir.bitwise_and(X * 16 + 5, 6), (0, 4)),
        (tir.Cast("int64", X * 3 + 1), (3, 1)),
        (U * 4 + 3, (4, 3)),
        (U * 6, (2, 0)),
        (tir.Let(X, Y * 10, X + 1), (10, 1)),
    ],
    ids=str,
)
def test_remainders(expr: ir.PrimExpr, expected: tuple[int, int]) -> None:
    found = arith.Analyzer().modular_set(expr)
    assert (found.coeff, found.base) == expected


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (tir.clz(tir.const(0)), 32),
        (tir.clz(tir.const(-1)), 0),
        (tir.clz(tir.const(128, "int64")), 56),
        (tir.popcount(tir.const(-1, "int8")), 8),
        (tir.bitwise_or(tir.const(6), tir.const(9)), 15),
        (tir.Cast("int32", tir.ceil(tir.log2(tir.const(8.0, "float32")))), 3),
        (tir.Cast("int64", tir.ceil(tir.log2(tir.Cast("float64", tir.const(1000))))), 10),
        (tir.Cast("int32", tir.ceil(tir.log2(tir.const(0.3, "float64")))), -1),
    ],
    ids=str,
)
def test_calls_of_constants_are_folded(expr: ir.PrimExpr, expected: int) -> None:
    result = arith.Analyzer().simplify(expr)
    assert isinstance(result, ir.IntImm)
    assert result.value == expected


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (tir.bitwise_and(X * 16, 7), 0),
        (tir.bitwise_and(X * 16 + 5, 6), 4),
        (tir.right_shift(tir.bitwise_and(X, 7), 3), 0),
    ],
    ids=str,
)
def test_bits_that_all_values_share_are_folded(expr: ir.PrimExpr, expected: int) -> None:
    result = arith.Analyzer().simplify(expr)
    assert isinstance(result, ir.IntImm)
    assert result.value == expected


@pytest.mark.parametrize("number", [0.0, -1.0, 1 + 2**-20, 2**30 - 1])
def test_logarithms_next_to_an_integer_stay(number: float) -> None:
    expr = tir.Cast("int32", tir.ceil(tir.log2(tir.const(number, "float64"))))
    assert arith.Analyzer().simplify(expr).same_as(expr)


def test_casts_of_sums_cancel() -> None:
    wide = tir.Cast("int64", X + Y + 1) - tir.Cast("int64", X)
    assert str(arith.Analyzer().simplify(wide)) == "tir.int64(y) + 1"


BITS: list[Callable[[ir.PrimExpr, ir.PrimExpr], ir.PrimExpr]] = [
    tir.bitwise_and, tir.bitwise_or, tir.bitwise_xor, tir.Mul, tir.Add, tir.FloorMod, tir.FloorDiv,
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64"])
def test_bounds_and_remainders_hold_of_random_bits(dtype: str) -> None:
    a, b = tir.Var("a", dtype), tir.Var("b", dtype)
    low = 0 if dtype.startswith("u") else -(2 ** (int(dtype[-2:].lstrip("t")) - 1))
    high = low + 2 ** int(dtype[-2:].lstrip("t")) - 1
    for seed in range(150):
        draw = random.Random(seed)

        def make(depth: int, draw: random.Random = draw) -> ir.PrimExpr:
            if depth == 0:
                return draw.choice([a, b, tir.const(draw.randint(1, 12), dtype)])
            if draw.random() < 0.3:
                shift = draw.choice([tir.left_shift, tir.right_shift])
                return shift(make(depth - 1), tir.const(draw.randint(0, 5), dtype))
            return draw.choice(BITS)(make(depth - 1), make(depth - 1))

        expr = make(3)
        bound, remainder = (
            getattr(arith.Analyzer(), what)(expr) for what in ("const_int_bound", "modular_set")
        )
        evaluate = evaluator(expr, strict=True)
        for _ in range(12):
            ends = [low, high, low + 1, 0, 1, 7, draw.randint(low, high)]
            try:
                value = evaluate({a: draw.choice(ends), b: draw.choice(ends)})
            except Undefined:
                continue
            assert bound.min_value <= value <= bound.max_value, (seed, str(expr))
            distance = value - remainder.base
            rest = distance % remainder.coeff if remainder.coeff else distance
            assert rest == 0, (seed, str(expr), value)
