"""Quotients, remainders and differences of products of variables."""

from __future__ import annotations

import random

import pytest

from uir import arith, ir, tir
from uir.ir import structural_equal

from .evaluate import Undefined, evaluator

X, Y, Z, W = (tir.Var(name) for name in "xyzw")
VARIABLES = [X, Y, Z, W]
DIVISIONS = [tir.FloorDiv, tir.FloorMod, tir.Div, tir.Mod]


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (X * 32 * X % X, tir.const(0)),
        (Z * X * 32 * X * Y % (X * Z), tir.const(0)),
        ((X * Y * 32) // (Y * 8), X * 4),
        (X * (Y * 2) * 3 // (Y * 3 * Z), X * 2 // Z),
        (tir.truncdiv(X * 2 * X * Z, X * X * X * 4), tir.truncdiv(Z, X * 2)),
        (X * Y * 6 % (Y * 4), X % 2 * Y * 2),
        ((X + 1) * 64 % ((X + 1) * 32), tir.const(0)),
        ((X + Y) * 64 // ((X + Y) * 32), tir.const(2)),
        ((X + 1) * (X + 1) - X * X - X * 2, tir.const(1)),
        ((X + Y) * (X - Y) + Y * Y, X * X),
    ],
    ids=str,
)
def test_products_are_divided_and_multiplied_out(expr: ir.PrimExpr, expected: ir.PrimExpr) -> None:
    result = arith.Analyzer().simplify(expr)
    assert structural_equal(result, expected), str(result)


def test_what_is_below_the_divisor_drops_out() -> None:
    n, m = tir.SizeVar("n"), tir.SizeVar("m")
    analyzer = arith.Analyzer()
    with analyzer.constraint_scope(tir.all(m > 0, Z >= 0, m > Z)):
        whole = X * (n * m) + Y * m + Z
        assert str(analyzer.simplify(whole // m)) == "x * n + y"
        assert str(analyzer.simplify(whole % m)) == "z"
    with analyzer.constraint_scope(tir.all(Y >= 0, n > Y, Z >= 0, m > Z)):
        assert str(analyzer.simplify(whole // (n * m))) == "x"
        assert str(analyzer.simplify(whole % (n * m) // m)) == "y"


def test_what_is_not_shorter_stays() -> None:
    for expr in ((X + 1) * (Y + 2), (X + 1) * (Y + 2) - Z, X * Y // Z, (X * Y + Z) % (Y * W)):
        assert arith.Analyzer().simplify(expr).same_as(expr)


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("division", DIVISIONS)
def test_the_least_factor_by_minus_one_does_not_overflow(bits: int, division: type) -> None:
    x, y = tir.Var("x", f"int{bits}"), tir.Var("y", f"int{bits}")
    least, minus_one = (tir.const(value, f"int{bits}") for value in (-(2 ** (bits - 1)), -1))
    for a, b in ((x * y, y), (x, x * y), (x + y, x + y)):
        expr = division(a * least, b * minus_one)
        assert arith.Analyzer().simplify(expr).dtype == x.dtype
    analyzer = arith.Analyzer()
    analyzer.assume(x * minus_one + y >= 0)
    assert not analyzer.can_prove(x * least >= 0)


@pytest.mark.parametrize("division", [tir.FloorDiv, tir.Div])
def test_the_least_number_by_minus_one_wraps_around(division: type) -> None:
    least = tir.Min(X, division(tir.const(-(2**31)), tir.const(-1)))
    result = arith.Analyzer().simplify(least)
    assert structural_equal(result, least), str(result)


def test_facts_about_a_dividend_bound_its_quotients() -> None:
    analyzer = arith.Analyzer()
    analyzer.assume(tir.all(X >= 0, X < Y * 6, Z >= 0, Z < 4))
    for proved in (X // 6 < Y, (X * 4 + Z) // 24 < Y, X // 3 < Y * 2, X // 6 * 2 < Y * 2):
        assert analyzer.can_prove(proved), str(proved)
    for open_question in (X // 6 < Y - 1, X // 5 < Y, (X * 4 + Z + 1) // 24 < Y):
        assert not analyzer.can_prove(open_question), str(open_question)


def test_parts_of_vectors_and_of_products_are_sums() -> None:
    analyzer = arith.Analyzer()
    analyzer.assume(tir.all(X >= 0, X < 6, Y >= 0, Y < 8))
    lanes = tir.Ramp((X * 8 + Y) * 4, tir.const(1), 4) % tir.Broadcast(tir.const(16), 4)
    assert structural_equal(analyzer.simplify(lanes), tir.Ramp(Y % 4 * 4, tir.const(1), 4))
    assert structural_equal(analyzer.simplify((X * 8 + Y) // 8 * Z), X * Z)


def test_proofs_split_quotients_and_multiply_out() -> None:
    n = tir.SizeVar("n")
    analyzer = arith.Analyzer()
    assert analyzer.can_prove(n // 8 <= n)
    assert analyzer.can_prove_less((n + 31) // 32 * 32, n + 32)
    assert analyzer.can_prove_equal((X + 1) * (X + 1), X * X + 2 * X + 1)
    assert not analyzer.can_prove(X // 8 <= X)
    with analyzer.constraint_scope(tir.all(X >= 0, Y >= X)):
        assert analyzer.can_prove(X // 2 <= Y)


def product(draw: random.Random, most: int) -> ir.PrimExpr:
    """Return a random product of variables and a number."""
    result = tir.const(draw.choice([1, 1, 2, 3, 4, 6, -1, -2]))
    for _ in range(draw.randint(1, most)):
        factor = draw.choice(VARIABLES)
        result = result * (factor + draw.choice([0, 0, 1, -1]) if draw.random() < 0.2 else factor)
    return result


def whole(draw: random.Random) -> ir.PrimExpr:
    """Return a random sum of products."""
    result = product(draw, 3)
    for _ in range(draw.randint(0, 2)):
        result = draw.choice([tir.Add, tir.Sub])(result, product(draw, 3))
    return result + draw.choice([0, 0, 1, 5])


def number(draw: random.Random) -> int:
    """Return a small number, or one near the ends of the type."""
    if draw.random() < 0.8:
        return draw.randint(-6, 6)
    return draw.choice([2**31 - 1, -(2**31), 2**30, 46341]) + draw.choice([0, 0, 1, -1])


@pytest.mark.parametrize("block", range(4))
def test_random_products_keep_their_values(block: int) -> None:
    for seed in range(block * 150, block * 150 + 150):
        draw = random.Random(seed)
        divided = draw.choice(DIVISIONS)(whole(draw), product(draw, 2))
        for expr in (divided, whole(draw), tir.LE(whole(draw), whole(draw))):
            simplified = arith.Analyzer().simplify(expr)
            before, after = evaluator(expr, strict=True), evaluator(simplified, strict=True)
            for _ in range(15):
                values = {name: min(max(number(draw), -(2**31)), 2**31 - 1) for name in VARIABLES}
                try:
                    expected = before(values)
                except Undefined:
                    continue
                assert after(values) == expected, (seed, str(expr), str(simplified), values)
