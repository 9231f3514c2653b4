"""Bounds and linear equations that conditions and expressions give."""

from __future__ import annotations

import random
from itertools import product

import pytest

from uir import arith, ir, tir

from .evaluate import Undefined, evaluate

A, B, C, N = tir.Var("a"), tir.Var("b"), tir.Var("c"), tir.SizeVar("n")
interval = arith.interval


def ends(values: arith.IntSet) -> tuple[str, str]:
    return str(values.min_value), str(values.max_value)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (A * 4 + B < C, ("None", "(c - b - 1) // 4")),
        (tir.less_equal(3, A + B), ("3 - b", "None")),
        (B - A >= 2, ("None", "b - 2")),
        (A * 4 >= B, ("(b + 3) // 4", "None")),
        (A * -4 >= 9, ("None", "-3")),
        (A * 2 - A > B, ("b + 1", "None")),
        (A * 3 < A + N, ("None", "(n - 1) // 2")),
        (tir.floordiv(A, 8) < 3, ("None", "23")),
        (tir.floordiv(A, 8) > -3, ("-16", "None")),
        (tir.floordiv(A, -8) <= 3, ("-31", "None")),
        (tir.floordiv(A, -8) >= 3, ("None", "-24")),
        (tir.equal(tir.floordiv(A, 8), 3), ("24", "31")),
        (tir.equal(A * 5, -10), ("-2", "-2")),
        (tir.equal(A - C, B), ("b + c", "b + c")),
        (tir.all(A >= 2, A < N, A < 9), ("2", "tir.min(n - 1, 8)")),
        (tir.logical_not(tir.any(A < 2, A > 5)), ("2", "5")),
        (tir.max(A, A + 2) <= 7, ("None", "5")),
        (A * (N + 1) <= B, ("None", "b // (n + 1)")),
    ],
)
def test_bounds(condition: ir.PrimExpr, expected: tuple[str, str]) -> None:
    assert ends(arith.deduce_bound(A, condition, {}, {})) == expected


@pytest.mark.parametrize(
    "condition",
    [
        B < 3,
        tir.const(True),
        tir.not_equal(A, B),
        A * N < B,
        A * B < 3,
        tir.floormod(A, 16) < 10,
        tir.min(A, 16) < 10,
        tir.any(A < 2, A > 5),
        tir.equal(A * 4, B),
        tir.less(A, A + 1),
        tir.less(tir.decl_buffer((16,), "int32")[A], 10),
        tir.less(A + tir.decl_buffer((16,), "int32")[B], 10),
        tir.floordiv(A, 8) <= 2**31 - 1,
        tir.less(tir.Var("u", "uint8"), 3),
    ],
)
def test_what_cannot_be_solved_gives_nothing(condition: ir.PrimExpr) -> None:
    assert arith.deduce_bound(A, condition, {}, {}).is_nothing()


def test_hints_tell_signs_and_relaxed_variables_go() -> None:
    assert arith.deduce_bound(A, A * B < 7, {}, {}).is_nothing()
    known = {B: interval(2, 3)}
    assert ends(arith.deduce_bound(A, A * B < 7, known, {})) == ("None", "6 // b")
    assert ends(arith.deduce_bound(A, A * B < 7, {}, known)) == ("None", "2")
    assert ends(arith.deduce_bound(A, A + B < N, {}, known)) == ("None", "n - 4")
    assert arith.deduce_bound(A, tir.equal(A, B), {}, known).is_nothing()
    assert arith.deduce_bound(A, A < B, {}, {B: arith.nothing()}).is_everything()


def linear(draw: random.Random, depth: int) -> ir.PrimExpr:
    """Return a random expression in which division is by numbers."""
    if depth == 0:
        return draw.choice([A, A, B, C, tir.const(draw.randint(-4, 6))])
    kind = draw.randrange(5)
    if kind == 0:
        return tir.FloorDiv(linear(draw, depth - 1), tir.const(draw.choice([2, 3, -2])))
    if kind == 1:
        return tir.Mul(linear(draw, depth - 1), tir.const(draw.choice([2, 3, -1, -3])))
    return draw.choice([tir.Add, tir.Sub])(linear(draw, depth - 1), linear(draw, depth - 1))


POINTS = [dict(zip((A, B, C), point, strict=True)) for point in product(range(-6, 7), repeat=3)]


def contains(values: arith.IntSet, value: int, point: dict[tir.Var, int]) -> bool:
    low, high = values.min_value, values.max_value
    above = low is None or evaluate(low, point) <= value
    return above and (high is None or value <= evaluate(high, point))


@pytest.mark.parametrize("block", range(6))
def test_every_value_that_is_found_satisfies_the_condition(block: int) -> None:
    solved = 0
    domain = {B: interval(-2, 2)}
    for seed in range(block * 40, block * 40 + 40):
        draw = random.Random(seed)
        compare = draw.choice([tir.LT, tir.LE, tir.GT, tir.GE, tir.EQ])
        condition = compare(linear(draw, 2), linear(draw, draw.randrange(3)))
        fixed = arith.deduce_bound(A, condition, {}, {})
        relaxed = arith.deduce_bound(A, condition, {}, domain)
        solved += not fixed.is_nothing()
        for point in draw.sample(POINTS, 40):
            holds = evaluate(condition, point)
            if not fixed.is_nothing():
                assert contains(fixed, point[A], point) == holds, (seed, point)
            if -2 <= point[B] <= 2 and contains(relaxed, point[A], point):
                assert holds, (seed, point)
    assert solved > 10


def test_a_condition_as_sets() -> None:
    inside = arith.detect_clip_bound(tir.all(A < B * 6, A > 1), [A])
    assert [ends(values) for values in inside] == [("2", "b * 6 - 1")]
    inside = arith.detect_clip_bound(tir.all(tir.min(A, B) > 3, A < 10), [A, B])
    assert [ends(values) for values in inside] == [("4", "9"), ("4", "None")]
    assert len(arith.detect_clip_bound(A < B, [A, B])) == 0
    assert len(arith.detect_clip_bound(tir.all(A < 3, C < 3), [A])) == 0
    assert len(arith.detect_clip_bound(tir.any(A < 3, A > 5), [A])) == 0


@pytest.mark.parametrize("block", range(4))
def test_sets_hold_exactly_where_the_condition_does(block: int) -> None:
    found = 0
    for seed in range(block * 250, block * 250 + 250):
        draw = random.Random(seed)
        parts = [
            draw.choice([tir.LT, tir.LE, tir.GE])(linear(draw, 2), linear(draw, 1))
            for _ in range(2)
        ]
        sets = arith.detect_clip_bound(tir.all(*parts), [A, B])
        found += len(sets) > 0
        for point in draw.sample(POINTS, 60 if len(sets) else 0):
            inside = all(contains(sets[i], point[var], point) for i, var in enumerate((A, B)))
            assert inside == all(evaluate(part, point) for part in parts), (seed, point)
    assert found > 3


def test_linear_equations() -> None:
    def parts(expr: ir.PrimExpr, *variables: tir.Var) -> list[str]:
        return [str(part) for part in arith.detect_linear_equation(expr, variables)]

    assert parts(A * 4 + (B + A) * 6 + 7, A) == ["10", "b * 6 + 7"]
    assert parts((A * C + B) * 8, A, B) == ["c * 8", "8", "0"]
    assert parts(B * 7, A) == ["0", "b * 7"]
    assert parts(A - B) == ["a - b"]
    assert parts(A * A, A) == []
    assert parts(tir.floordiv(A, 2), A) == []
    assert parts(tir.Let(C, A, C + 1), A) == []


def test_parts_of_random_sums_add_up() -> None:
    found = 0
    for seed in range(200):
        draw = random.Random(seed)
        expr = linear(draw, 3)
        parts = arith.detect_linear_equation(expr, [A, B])
        found += len(parts) > 0
        for point in draw.sample(POINTS, 10 if len(parts) else 0):
            try:
                value = evaluate(expr, point)
            except Undefined:
                continue
            coeff_a, coeff_b, rest = (evaluate(part, {C: point[C]}) for part in parts)
            assert coeff_a * point[A] + coeff_b * point[B] + rest == value, (seed, point)
    assert found > 30


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="deduce_bound: `condition` must be a scalar boolean"):
        arith.deduce_bound(A, A + B, {}, {})
    with pytest.raises(TypeError, match="detect_clip_bound: `condition` must be a scalar boolean"):
        arith.detect_clip_bound(A, [A])
    with pytest.raises(TypeError, match="detect_linear_equation: `expr` must be a scalar integer"):
        arith.detect_linear_equation(A < B, [A])


def test_deep_conditions_and_sums() -> None:
    deep: ir.PrimExpr = A
    shared: ir.PrimExpr = B
    for _ in range(50_000):
        deep = tir.Add(deep, tir.const(1))
    for _ in range(100):
        shared = tir.Add(shared, shared)
    assert arith.deduce_bound(A, deep < 60_000, {}, {}) is not None
    assert len(arith.detect_linear_equation(deep, [A])) == 2
    assert len(arith.detect_linear_equation(shared, [B])) == 2
    joined: ir.PrimExpr = A < B
    for i in range(2_000):
        joined = tir.And(joined, tir.less(A, i))
    assert arith.deduce_bound(A, joined, {}, {}) is not None
