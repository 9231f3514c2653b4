"""Random expressions of each integer type keep their values at its ends; simplifying is final."""

from __future__ import annotations

import random

import pytest

from uir import arith, ir, tir

from ....differential.programs.borders import ends
from .evaluate import Undefined, Values, evaluator

DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"]
OPERATIONS = [
    tir.Add, tir.Sub, tir.Mul, tir.Min, tir.Max, tir.FloorDiv, tir.FloorMod, tir.Div, tir.Mod,
]  # fmt: skip
BITS = [tir.bitwise_and, tir.bitwise_or, tir.bitwise_xor]
COMPARISONS = [tir.LT, tir.LE, tir.GT, tir.GE, tir.EQ, tir.NE]


class Draw(random.Random):
    """Draws expressions of one type over three variables."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.dtype = self.choice(DTYPES)
        self.low, self.high = ends(self.dtype)
        self.variables = [tir.Var(name, self.dtype) for name in "xyz"]

    def number(self) -> int:
        """Return an end of the type, a number next to one, or a small one."""
        near = [self.low, self.low + 1, self.high, self.high - 1, self.high // 2]
        small = self.randint(max(self.low, -9), 9)
        return self.choice([*near, 0, 1, 2, max(self.low, -1)]) if self.random() < 0.4 else small

    def value(self, depth: int) -> ir.PrimExpr:
        """Return a random expression."""
        if depth == 0 or self.random() < 0.1:
            constant = tir.const(self.number(), self.dtype)
            return self.choice(self.variables) if self.random() < 0.7 else constant
        kind = self.random()
        a, b = self.value(depth - 1), self.value(depth - 1)
        if kind < 0.08:
            return tir.Select(self.condition(depth - 1), a, b)
        if kind < 0.14:
            return self.choice(BITS)(a, b)
        if kind < 0.2:
            other = self.choice(DTYPES)
            return tir.Cast(self.dtype, tir.Cast(other, a))
        return self.choice(OPERATIONS)(a, b)

    def condition(self, depth: int) -> ir.PrimExpr:
        """Return a random condition."""
        if depth > 0 and self.random() < 0.3:
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return tir.Not(a) if self.random() < 0.2 else self.choice([tir.And, tir.Or])(a, b)
        return self.choice(COMPARISONS)(self.value(depth), self.value(depth))

    def points(self) -> list[Values]:
        """Return values of the variables."""
        return [{variable: self.number() for variable in self.variables} for _ in range(10)]


def check(seed: int) -> None:
    """Compare the values of an expression before and after all ways to simplify it."""
    draw = Draw(seed)
    depth = draw.randint(1, 4)
    expr = draw.value(depth) if draw.random() < 0.6 else draw.condition(depth)
    before, points = evaluator(expr, strict=True), draw.points()
    analyzer = arith.Analyzer()
    for means in (analyzer.simplify, analyzer.canonical_simplify):
        after = evaluator(means(expr))
        for values in points:
            try:
                expected = before(values)
            except Undefined:
                continue
            assert after(values) == expected, (seed, str(expr), values)


def is_final(seed: int) -> bool:
    """Tell whether simplifying a result again returns it."""
    draw = Draw(seed)
    analyzer = arith.Analyzer()
    once = analyzer.simplify(draw.value(3))
    return str(analyzer.simplify(once)) == str(once)


@pytest.mark.parametrize("block", range(2))
def test_values_stay_at_the_ends_of_each_type(block: int) -> None:
    for seed in range(block * 600, block * 600 + 600):
        check(seed)


@pytest.mark.deep
@pytest.mark.parametrize("block", range(50))
def test_values_of_100000_expressions_stay(block: int) -> None:
    for seed in range(block * 2000, block * 2000 + 2000):
        check(seed)


def test_nearly_all_results_are_final() -> None:
    assert sum(not is_final(seed) for seed in range(600)) <= 2
