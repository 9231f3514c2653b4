"""Sets of integers, and the sets of values of expressions."""

from __future__ import annotations

import random
import re

import pytest

from uir import arith, ir, tir
from uir.ir import structural_equal

from .evaluate import Undefined, evaluator
from .test_simplify import RANGES, VARIABLES, integer, values_of

X, Y, Z, N = tir.Var("x"), tir.Var("y"), tir.Var("z"), tir.SizeVar("n")
interval = arith.interval


def ends(values: arith.IntSet) -> tuple[str, str]:
    return str(values.min_value), str(values.max_value)


def test_kinds_of_sets() -> None:
    assert arith.nothing().is_nothing()
    assert not arith.nothing().is_everything()
    assert arith.everything().is_everything()
    assert not arith.everything().is_nothing()
    assert arith.single_point(N).is_single_point()
    assert interval(N * 2, N * 2).is_single_point()
    assert not interval(0, 1).is_single_point()
    assert interval(2, 1).is_nothing()
    assert not interval(N, 0).is_nothing()
    assert ends(arith.set_of_range(ir.Range(X, tir.const(4)))) == ("x", "x + 3")


def test_an_interval_takes_numbers_of_the_type_of_its_other_end() -> None:
    far = tir.Var("far", "int64")
    for values in (interval(0, far), interval(far, 0)):
        assert values.min_value is not None
        assert values.max_value is not None
        assert values.min_value.dtype == values.max_value.dtype == "int64"


@pytest.mark.parametrize(
    ("sets", "union", "intersection"),
    [
        ([], ("1", "0"), ("None", "None")),
        ([(0, 4), (3, 9)], ("0", "9"), ("3", "4")),
        ([(0, 4), (7, 9)], ("0", "9"), ("1", "0")),
        ([(None, 4), (3, None)], ("None", "None"), ("3", "4")),
        ([(1, 0), (X, X + 3)], ("x", "x + 3"), ("1", "0")),
        ([(X, X + 3), (X + 1, X + 4)], ("x", "x + 4"), ("x + 1", "x + 3")),
        ([(X, X + 3), (X + 4, X + 5)], ("x", "x + 5"), ("1", "0")),
    ],
)
def test_union_and_intersection(
    sets: list[tuple[ir.PrimExpr | int | None, ir.PrimExpr | int | None]],
    union: tuple[str, str],
    intersection: tuple[str, str],
) -> None:
    intervals = [interval(low, high) for low, high in sets]
    assert ends(arith.union_sets(intervals)) == union
    assert ends(arith.intersect_sets(intervals)) == intersection


def test_an_analyzer_decides_which_end_is_farther() -> None:
    analyzer = arith.Analyzer()
    analyzer.assume(X < Y)
    assert ends(arith.union_sets([interval(X, X), interval(Y, Y)], analyzer)) == ("x", "y")


@pytest.mark.parametrize(
    ("expr", "domain", "expected"),
    [
        (X + Y, (0, 10), ("y", "y + 10")),
        (Y - X, (0, 10), ("y - 10", "y")),
        (X - X, (0, 10), ("0", "0")),
        (X * 3 - 1, (1, 10), ("2", "29")),
        (X * -2, (1, 10), ("-20", "-2")),
        (X * N, (2, 10), ("n * 2", "n * 10")),
        (X * Y, (0, 10), ("tir.min(y * 10, 0)", "tir.max(y * 10, 0)")),
        (tir.floordiv(X, 4), (-1, 10), ("-1", "2")),
        (tir.floordiv(X, -4), (0, 8), ("-2", "0")),
        (tir.truncdiv(X, 4), (-5, 10), ("-1", "2")),
        (tir.floordiv(X, N + 1), (0, 10), ("0", "10 // (n + 1)")),
        (tir.floordiv(X, N), (0, 10), ("0", "10")),
        (tir.floormod(X, 10), (13, 15), ("3", "5")),
        (tir.floormod(X, 10), (3, 11), ("0", "9")),
        (tir.floormod(X, N + 1), (-3, 11), ("0", "n")),
        (tir.truncmod(X, N + 1), (-3, 11), ("0 - n", "n")),
        (tir.truncmod(X, 10), (-3, 25), ("-3", "9")),
        (tir.floormod(X * 4 + 2, 16), (0, 100), ("2", "14")),
        (tir.min(X, Y), (0, 10), ("tir.min(y, 0)", "tir.min(y, 10)")),
        (tir.max(X, 3), (0, 10), ("3", "10")),
        (tir.min(X, Y), (0, None), ("tir.min(y, 0)", "y")),
        (X * 2, (None, 5), ("None", "10")),
        (X + 2147483647, (1, 5), ("None", "None")),
        (tir.Select(Y > 0, X, X + 20), (0, 10), ("0", "30")),
        (tir.if_then_else(Y > 0, X, X + 20), (0, 10), ("0", "30")),
        (tir.Let(Z, X * 2, Z + Y), (0, 10), ("y", "y + 20")),
        (tir.cast(X, "int64"), (0, 10), ("tir.int64(0)", "tir.int64(10)")),
        (tir.Ramp(X, tir.const(3), 4), (0, 10), ("0", "19")),
        (tir.Ramp(X, tir.const(-3), 4), (0, 10), ("-9", "10")),
        (tir.less(X, Y), (0, 10), ("False", "True")),
        (tir.less(X, 20), (0, 10), ("True", "True")),
        (tir.bitwise_and(X, 7), (0, 100), ("0", "7")),
    ],
)
def test_values_of_an_expression(
    expr: ir.PrimExpr,
    domain: tuple[int | None, int | None],
    expected: tuple[str, str],
) -> None:
    assert ends(arith.eval_set(expr, {X: interval(*domain)})) == expected


def test_domains_that_depend_on_each_other() -> None:
    domains = {X: interval(Y, Y + 3), Y: interval(0, N - 1)}
    assert ends(arith.eval_set(X * 2, domains)) == ("0", "n * 2 + 4")
    assert ends(arith.eval_set(X, {X: interval(Y, Y), Y: interval(X, X)})) == ("None", "None")
    assert ends(arith.eval_set(X + 1, {X: interval(X, X)})) == ("x + 1", "x + 1")


def test_an_empty_domain_leaves_no_value() -> None:
    assert arith.eval_set(X + Y, {X: arith.nothing()}).is_nothing()


def test_facts_count_and_the_analyzer_keeps_them() -> None:
    analyzer = arith.Analyzer()
    analyzer.bind(Y, ir.Range(tir.const(0), tir.const(2)))
    tile = {X: interval(Z * 8 + Y * 4, Z * 8 + Y * 4 + 3)}
    assert ends(arith.eval_set(tir.floormod(X, 8), tile, analyzer)) == ("y * 4", "y * 4 + 3")
    assert ends(arith.eval_set(tir.floormod(X, 8), tile)) != ("y * 4", "y * 4 + 3")
    assert not analyzer.can_prove(X >= 0)


def test_arithmetic_that_may_wrap_around_has_the_ends_of_its_type() -> None:
    byte = tir.Var("byte", "uint8")
    most, all_ = (interval(0, tir.const(value, "uint8")) for value in (254, 255))
    assert ends(arith.eval_set(byte + 1, {byte: most})) == ("tir.uint8(1)", "tir.uint8(255)")
    whole = arith.eval_set(byte + 1, {byte: all_})
    assert ends(whole) == ("tir.uint8(0)", "tir.uint8(255)")
    data = tir.decl_buffer((8,), "int32")[0]
    assert arith.eval_set(data + X, {X: interval(0, 3)}).is_everything()
    small = tir.floormod(data, 8) + X
    assert ends(arith.eval_set(small, {X: interval(0, 3)}))[1].endswith("% 8 + 3")


@pytest.mark.parametrize("block", range(8))
def test_a_set_has_every_value(block: int) -> None:
    compared = bounded = 0
    for seed in range(block * 100, block * 100 + 100):
        draw = random.Random(seed)
        expr = integer(draw, draw.randint(1, 5))
        relaxed = draw.sample(sorted(RANGES), draw.randint(1, 4))
        domains = {
            VARIABLES[name]: interval(
                tir.const(RANGES[name][0], "int64"), tir.const(RANGES[name][1] - 1, "int64")
            )
            for name in relaxed
        }
        found = arith.eval_set(expr, domains)
        bounded += found.min_value is not None
        for end, sign in ((found.min_value, 1), (found.max_value, -1)):
            if end is None:
                continue
            evaluate = evaluator(end, strict=True)
            for values, value in values_of(expr, draw):
                try:
                    bound = evaluate(values)
                except Undefined:
                    continue
                compared += 1
                assert (value - bound) * sign >= 0, (seed, values)
    assert compared > 300
    assert bounded > 50


def test_wrong_arguments_are_refused() -> None:
    long, half = tir.const(1, "int64"), tir.const(0.5)
    with pytest.raises(TypeError, match="`min_value` must be a scalar integer or boolean"):
        arith.single_point(half)
    with pytest.raises(TypeError, match="IntSet: the ends must have the same data type"):
        arith.IntSet(tir.const(1), long)
    with pytest.raises(TypeError, match="union_sets: the ends must have the same data type"):
        arith.union_sets([interval(0, 1), arith.single_point(long)])
    with pytest.raises(TypeError, match="eval_set: `expr` must be an integer or a boolean"):
        arith.eval_set(half, {})
    message = "the domain of `x` must have its data type `int32`, got `int64`"
    with pytest.raises(TypeError, match=re.escape(message)):
        arith.eval_set(X, {X: arith.single_point(long)})


def test_deep_and_shared_expressions() -> None:
    deep: ir.PrimExpr = X
    shared: ir.PrimExpr = X
    for step in range(100_000):
        deep = tir.floordiv(deep + Y, 3) if step % 2 else tir.Min(deep, tir.Var("z"))
    for _ in range(120):
        shared = tir.Min(shared + 1, Y - shared)
    assert arith.eval_set(deep, {X: interval(0, 7)}) is not None
    assert arith.eval_set(shared, {X: interval(0, 7)}) is not None
    assert structural_equal(arith.eval_set(X, {X: interval(0, 7)}), interval(0, 7))
