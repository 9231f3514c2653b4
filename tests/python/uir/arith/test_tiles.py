"""Indices of tiles: quotients, remainders and comparisons of sums that are digits of a number."""

from __future__ import annotations

import random

import pytest

from uir import arith, ir, tir
from uir.ir import structural_equal

from .evaluate import evaluator

M, J, K, N = tir.Var("i"), tir.Var("j"), tir.Var("k"), tir.SizeVar("n")
EXTENTS = {J: 32, K: 4}


def tile_analyzer() -> arith.Analyzer:
    """Return an analyzer that knows the extents of a tile."""
    analyzer = arith.Analyzer()
    for variable, extent in EXTENTS.items():
        analyzer.bind(variable, ir.Range(tir.const(0), tir.const(extent)))
    return analyzer


WHOLE = M * 128 + J * 4 + K


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        ((M * 32 + J) // 64, M // 2),
        ((M * 32 + J) % 64, M % 2 * 32 + J),
        (WHOLE // 512, M // 4),
        (WHOLE % 512, M % 4 * 128 + J * 4 + K),
        (WHOLE % 512 // 4, M % 4 * 32 + J),
        (WHOLE // 64, M * 2 + J // 16),
        (WHOLE // 128 * 128 + WHOLE % 128 // 4 * 4 + WHOLE % 4, WHOLE),
        ((M * 3 + J) // 12 * 12 + (M * 3 + J) % 12 // 4 * 4 + (M * 3 + J) % 4, M * 3 + J),
        ((M - M % 9) // 9, M // 9),
        ((M - M % 9) % 9, tir.const(0)),
        (M - (M + J) // 5 * 5, (M + J) % 5 - J),
        ((M * 2 + N * 3) // 2, M + N + N // 2),
        ((M * 2 + N * 3) % 2, N % 2),
        (M // 3 * 6 - M * 2, M % 3 * -2),
        (tir.less(M * 32 + J, N * 32), tir.less(M, N)),
        (tir.less_equal(N * 32, M * 32 + J), tir.less_equal(N, M)),
        (tir.less(M * 32 + J, 256), tir.less(M, 8)),
    ],
    ids=str,
)
def test_digits_are_taken_of_the_terms(expr: ir.PrimExpr, expected: ir.PrimExpr) -> None:
    result = tile_analyzer().simplify(expr)
    assert structural_equal(result, expected), str(result)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        ((M * 8 + 39) // 16, M // 2 + 2),
        ((M * 10 + N) % 2, N % 2),
        (M // 4 * 4 < M, tir.less(0, M % 4)),
        ((M + 3) // 4 * 4 < M + N, tir.less(3 - (M + 3) % 4, N)),
        ((N + 31) // 32 * 32 >= N, tir.const(1, "bool")),
        (M * -2 <= 3, tir.less_equal(-1, M)),
        (tir.truncmod(J * 10 + K * 2 + 3, 2), tir.const(1)),
        (M // 2 + M % 2, M - M // 2),
    ],
    ids=str,
)
def test_rules_alone_round_and_compare_multiples(expr: ir.PrimExpr, expected: ir.PrimExpr) -> None:
    result = tile_analyzer().rewrite_simplify(expr)
    assert structural_equal(result, expected), str(result)


def test_what_may_carry_over_stays() -> None:
    for expr in ((M * 32 + J + K) // 64, (M * 31 + J) // 62, (M * 16 + J) % 64):
        assert "j" in str(tile_analyzer().simplify(expr))


@pytest.mark.parametrize("block", range(4))
def test_random_digits_keep_their_values(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        draw = random.Random(seed)
        places = [draw.choice([1, 2, 3, 4, 8, 12, 32, 96]) for _ in range(4)]
        whole = M * places[0] + J * places[1] + K * places[2] + draw.randint(-9, 9)
        first, second = (draw.choice([2, 3, 4, 8, 16, 24, 64]) for _ in range(2))
        divide = draw.choice([tir.floordiv, tir.floormod, tir.truncdiv, tir.truncmod])
        again = draw.choice([tir.floordiv, tir.floormod, tir.truncdiv, tir.truncmod])
        quotient = again(divide(whole, first), second)
        compare = draw.choice([tir.LT, tir.LE, tir.EQ, tir.GE])
        for expr in (quotient, whole - divide(whole, first) * first, compare(whole, N * first)):
            before, after = evaluator(expr), evaluator(tile_analyzer().simplify(expr))
            for _ in range(20):
                values = {J: draw.randrange(32), K: draw.randrange(4)}
                values |= {M: draw.randint(-20, 20), N: draw.randint(0, 40)}
                assert before(values) == after(values), (seed, str(expr), values)
