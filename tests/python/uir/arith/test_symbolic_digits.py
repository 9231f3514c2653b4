"""Digits of one value by divisors that are not constant, put together again."""

from __future__ import annotations

import itertools
import random

import pytest

from uir import arith, ir, tir
from uir.ir import structural_equal

from .evaluate import Undefined, evaluator

X, Y, Z = (tir.Var(name) for name in "xyz")
N, M = tir.SizeVar("n"), tir.SizeVar("m")


def shuffled_sum(terms: list[ir.PrimExpr], draw: random.Random) -> ir.PrimExpr:
    """Return the sum of terms in a random order."""
    first, *rest = draw.sample(terms, len(terms))
    return sum(rest, start=first)


@pytest.mark.parametrize(
    ("terms", "whole"),
    [
        ([X // (N * N) * (N * N), X % (N * N) // N * N, X % N], X),
        ([X // (N * M) * (N * M), X % (N * M) // M * M, X % M], X),
        ([X // (M * N) * N * M, X // M % N * M, X % M], X),
        ([X // (N * 4) * (N * 4), X % (N * 4) // 4 * 4, X % 4], X),
        ([X // (N * 4) * (N * 4), X // 4 % N * 4, X % 4], X),
        ([X // (N * 4) * (N * 4), X % (N * 4) // N * N, X % N, Y], X + Y),
        ([X // (N * M) * (N * 8), X // M % N * 8, Y], X // M * 8 + Y),
        ([(X + Y) % (Y * Z) // Z * (Z * 3), (X + Y) % Z * 3], (X + Y) % (Y * Z) * 3),
    ],
    ids=lambda case: " + ".join(map(str, case)) if isinstance(case, list) else str(case),
)
def test_digits_are_put_together_in_any_order(terms: list[ir.PrimExpr], whole: ir.PrimExpr) -> None:
    for seed in range(6):
        # The variables of the expected result are met in the same order.
        analyzer = arith.Analyzer()
        expected = analyzer.simplify(whole)
        result = analyzer.simplify(shuffled_sum(terms, random.Random(seed)))
        assert structural_equal(result, expected), str(result)


@pytest.mark.parametrize(
    "expr",
    [
        # Of a negative divisor the digits are others.
        X // (Y * Z) * Z + X // Y % Z,
        X % (N * 3) // M * M + X % M,
        X // (N * M) * N + X % (N * M) // N,
    ],
    ids=str,
)
def test_what_are_no_digits_of_one_value_stays(expr: ir.PrimExpr) -> None:
    assert isinstance(arith.Analyzer().simplify(expr), tir.Add)


def factor(draw: random.Random) -> ir.PrimExpr:
    return draw.choice([N, M, Y, tir.const(draw.choice([2, 3, -2]))])


def random_digits(draw: random.Random) -> ir.PrimExpr:
    """Return a sum of what may be digits of one value, with one part changed at times."""
    first, second = factor(draw), factor(draw)
    parts = [first, second, first, second, second]
    if draw.random() < 0.4:
        parts[draw.randrange(5)] = factor(draw)
    a, b, c, d, e = parts
    middle = X // d % c * e if draw.random() < 0.5 else X % (c * d) // d * e
    return shuffled_sum([X // (a * b) * (b * a), middle, X % e], draw)


def test_deep_products_take_linear_time() -> None:
    product = X % N
    for _ in range(2000):
        product = product * Y
    simplified = arith.Analyzer().simplify(product + Z)
    assert len(ir.post_order(simplified, tir.Mul)) == 2000


def test_random_digits_keep_their_values() -> None:
    for seed in range(300):
        draw = random.Random(seed)
        expr = random_digits(draw)
        before, after = evaluator(expr), evaluator(arith.Analyzer().simplify(expr))
        for x, y, n in itertools.product([-17, -1, 0, 5, 23], [-3, -1, 2], [1, 4]):
            values = {X: x, Y: y, N: n, M: draw.randint(1, 5)}
            try:
                expected = before(values)
            except Undefined:
                continue
            assert after(values) == expected, (seed, str(expr), values)
