"""What is proved from random facts holds for all values of the variables."""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Callable, Iterator

import pytest

from uir import arith, ir, tir

from .evaluate import Undefined, Values, evaluator

VARS = [tir.Var(name) for name in "xyz"]
COMPARISONS = [tir.LT, tir.LE, tir.GT, tir.GE, tir.EQ, tir.NE]


def value(draw: random.Random, depth: int) -> ir.PrimExpr:
    """Return a random sum, product, quotient, choice or conversion of variables."""
    if depth == 0:
        return draw.choice(VARS) if draw.random() < 0.75 else tir.const(draw.randint(-3, 4))
    a, b = value(draw, depth - 1), value(draw, draw.randint(0, depth - 1))
    kind = draw.random()
    if kind < 0.15:
        return tir.Mul(a, tir.const(draw.choice([2, 3, 4, 8, -1])))
    if kind < 0.25:
        return draw.choice([tir.FloorDiv, tir.FloorMod, tir.Div, tir.Mod])(a, b)
    if kind < 0.3:
        return draw.choice([tir.FloorDiv, tir.FloorMod])(a, tir.const(draw.choice([2, 3, 4])))
    return draw.choice([tir.Add, tir.Sub, tir.Mul, tir.Mul, tir.Min, tir.Max])(a, b)


def comparison(draw: random.Random) -> ir.PrimExpr:
    """Return a random comparison, in a larger type at times."""
    a, b = value(draw, draw.randint(0, 2)), value(draw, draw.randint(0, 2))
    if draw.random() < 0.1:
        a, b = tir.Cast("int64", a), tir.Cast("int64", b)
    return draw.choice(COMPARISONS)(a, b)


def fact(draw: random.Random) -> ir.PrimExpr:
    """Return a random fact, most often a comparison of variables or with a constant."""
    kind = draw.random()
    if kind < 0.15:
        return draw.choice([tir.Or, tir.And])(fact(draw), fact(draw))
    if kind < 0.6:
        other = draw.choice([*VARS, tir.const(draw.randint(-2, 3))])
        return draw.choice(COMPARISONS)(draw.choice(VARS), other)
    return comparison(draw)


def proved(facts: list[ir.PrimExpr], claim: ir.PrimExpr) -> bool:
    analyzer = arith.Analyzer()
    with contextlib.ExitStack() as scopes:
        for each in facts:
            scopes.enter_context(analyzer.constraint_scope(each))
        return analyzer.can_prove(claim)


def points() -> Iterator[Values]:
    """Yield values of the variables: all small ones, and some at the ends of the type."""
    for numbers in itertools.product(range(-3, 5), repeat=len(VARS)):
        yield dict(zip(VARS, numbers, strict=True))
    draw = random.Random(0)
    ends = [-(2**31), -(2**31) + 1, -(2**16), -1, 0, 1, 2**16, 2**31 - 2, 2**31 - 1]
    for _ in range(200):
        yield {variable: draw.choice(ends) for variable in VARS}


def holds(conditions: list[Callable[[Values], bool]], values: Values) -> bool:
    """Tell whether all conditions hold; one that has no value says that it is not computed."""
    try:
        return all(condition(values) for condition in conditions)
    except Undefined:
        return False


def check(seed: int) -> bool:
    """Compare a proof with all values; return whether there is a proof."""
    draw = random.Random(seed)
    facts, claim = [fact(draw) for _ in range(draw.randint(1, 3))], comparison(draw)
    if not proved(facts, claim):
        return False
    conditions = [evaluator(each, strict=True) for each in [*facts, tir.Not(claim)]]
    for values in points():
        assert not holds(conditions, values), (seed, list(map(str, facts)), str(claim), values)
    return True


def test_a_claim_that_was_refuted_is_proved_when_facts_come() -> None:
    i, n = tir.Var("i"), tir.SizeVar("n")
    analyzer = arith.Analyzer()
    analyzer.bind(i, ir.Range(tir.const(0), n))
    claim = i * 4 + 3 < n * 4 - 1
    for _ in range(2):
        assert not analyzer.can_prove(claim)
        with analyzer.constraint_scope(i + 1 < n):
            assert analyzer.can_prove(claim)
            assert not analyzer.can_prove(i < 5)
            with analyzer.constraint_scope(n <= 6):
                assert analyzer.can_prove(i < 5)
    analyzer.assume(i * 2 < n)
    analyzer.assume(n >= 3000)
    assert analyzer.can_prove(claim)


@pytest.mark.parametrize("block", range(2))
def test_what_is_proved_of_random_facts_holds(block: int) -> None:
    assert sum(map(check, range(block * 400, block * 400 + 400))) > 20


@pytest.mark.deep
@pytest.mark.parametrize("block", range(20))
def test_what_is_proved_of_many_random_facts_holds(block: int) -> None:
    for seed in range(1000 + block * 2000, 3000 + block * 2000):
        check(seed)
