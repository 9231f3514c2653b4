"""Random expressions have the same value before and after every simplification."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from uir import arith, ir, tir

from ....differential.programs.borders import ends
from .evaluate import Undefined, evaluator

RANGES: Mapping[str, tuple[int, int]] = {"i": (0, 8), "j": (-4, 7), "k": (3, 30), "n": (1, 100)}
VARIABLES = {name: tir.Var(name, "int64") for name in RANGES}

ARITHMETIC: list[Callable[[ir.PrimExpr, ir.PrimExpr], ir.PrimExpr]] = [
    tir.Add, tir.Add, tir.Sub, tir.Sub, tir.Mul, tir.Min, tir.Max,
]  # fmt: skip
DIVISIONS = [tir.FloorDiv, tir.FloorMod, tir.Div, tir.Mod]
COMPARISONS = [tir.LT, tir.LE, tir.GT, tir.GE, tir.EQ, tir.NE]


def integer(draw: random.Random, depth: int) -> ir.PrimExpr:
    """Return a random integer expression."""
    if depth == 0 or draw.random() < 0.15:
        if draw.random() < 0.6:
            return VARIABLES[draw.choice(list(VARIABLES))]
        return tir.const(draw.choice([0, 1, 2, 3, 4, 8, 16, 5, -1, -3, 100]), "int64")
    kind = draw.random()
    if kind < 0.25:
        divisor = tir.const(draw.choice([2, 4, 8, 16, 3, 1, 7, -2, -4]), "int64")
        return draw.choice(DIVISIONS)(integer(draw, depth - 1), divisor)
    if kind < 0.3:
        return draw.choice(DIVISIONS)(integer(draw, depth - 1), integer(draw, depth - 1))
    if kind < 0.4:
        condition = boolean(draw, depth - 1)
        return tir.Select(condition, integer(draw, depth - 1), integer(draw, depth - 1))
    if kind < 0.5:
        factor = tir.const(draw.choice([2, 4, 8, -1, 3]), "int64")
        return tir.Mul(integer(draw, depth - 1), factor)
    return draw.choice(ARITHMETIC)(integer(draw, depth - 1), integer(draw, depth - 1))


def boolean(draw: random.Random, depth: int) -> ir.PrimExpr:
    """Return a random condition."""
    if depth > 0 and draw.random() < 0.4:
        if draw.random() < 0.3:
            return tir.Not(boolean(draw, depth - 1))
        operation = draw.choice([tir.And, tir.Or])
        return operation(boolean(draw, depth - 1), boolean(draw, depth - 1))
    return draw.choice(COMPARISONS)(integer(draw, depth), integer(draw, depth))


def bound_analyzer() -> arith.Analyzer:
    """Return an analyzer that knows the ranges of the variables."""
    analyzer = arith.Analyzer()
    for name, (low, high) in RANGES.items():
        low_imm, extent = tir.const(low, "int64"), tir.const(high - low, "int64")
        analyzer.bind(VARIABLES[name], ir.Range(low_imm, extent))
    return analyzer


Values = dict[tir.Var, int]


def values_of(expr: ir.PrimExpr, draw: random.Random) -> list[tuple[Values, Any]]:
    """Return values of the variables, and of the expression where it has one."""
    found = []
    evaluate = evaluator(expr, strict=True)
    for _ in range(12):
        values = {
            VARIABLES[name]: draw.randint(low, high - 1) for name, (low, high) in RANGES.items()
        }
        try:
            found.append((values, evaluate(values)))
        except Undefined:
            continue
    return found


@cache
def sample(seed: int) -> tuple[ir.PrimExpr, list[list[tuple[Values, Any]]]]:
    """Return a random expression, and two lists of its values."""
    draw = random.Random(seed)
    expr = (integer if draw.random() < 0.6 else boolean)(draw, draw.randint(1, 6))
    return expr, [values_of(expr, draw), values_of(expr, draw)]


@pytest.mark.parametrize("means", ["simplify", "rewrite_simplify", "canonical_simplify"])
@pytest.mark.parametrize("block", range(10))
def test_simplifying_keeps_the_value(means: str, block: int) -> None:
    for seed in range(block * 60, block * 60 + 60):
        expr, samples = sample(seed)
        for analyzer, found in zip((arith.Analyzer(), bound_analyzer()), samples, strict=True):
            evaluate = evaluator(getattr(analyzer, means)(expr))
            for values, value in found:
                assert evaluate(values) == value, (seed, values)


@pytest.mark.parametrize("block", range(6))
def test_bounds_and_remainders_hold_for_all_values(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        draw = random.Random(seed)
        expr = integer(draw, draw.randint(1, 5))
        analyzer = bound_analyzer()
        bound, remainder = analyzer.const_int_bound(expr), analyzer.modular_set(expr)
        for values, value in values_of(expr, draw):
            assert isinstance(value, int)
            assert bound.min_value <= value <= bound.max_value, (seed, values)
            distance = value - remainder.base
            assert distance == 0 if remainder.coeff == 0 else distance % remainder.coeff == 0


@pytest.mark.parametrize("block", range(6))
def test_what_is_proved_under_a_constraint_holds_where_it_holds(block: int) -> None:
    proved = 0
    for seed in range(block * 100, block * 100 + 100):
        draw = random.Random(seed)
        constraint, claim = boolean(draw, 2), boolean(draw, 2)
        analyzer = bound_analyzer()
        with analyzer.constraint_scope(constraint):
            is_proved = analyzer.can_prove(claim)
        proved += is_proved
        for values, value in values_of(tir.And(constraint, tir.Not(claim)), draw):
            assert not (is_proved and value), (seed, values)
    assert proved > 5


def test_simplifying_twice_changes_little() -> None:
    changed = 0
    for seed in range(200):
        expr = integer(random.Random(seed), 4)
        once = arith.Analyzer().simplify(expr)
        changed += not arith.Analyzer().simplify(once).same_as(once)
    assert changed <= 20


@pytest.mark.parametrize("dtype", ["int8", "uint8", "uint32", "int16"])
def test_narrow_and_unsigned_arithmetic_wraps_around(dtype: str) -> None:
    low, high = ends(dtype)
    x, y = tir.Var("x", dtype), tir.Var("y", dtype)
    for seed in range(400):
        draw = random.Random(seed)

        def make(depth: int, draw: random.Random = draw) -> ir.PrimExpr:
            if depth == 0:
                constant = tir.const(draw.randint(max(low, -5), 5), dtype)
                return draw.choice([x, y, constant])
            operations = [tir.Add, tir.Sub, tir.Mul, tir.Min, tir.Max, tir.FloorDiv, tir.Mod]
            return draw.choice(operations)(make(depth - 1), make(depth - 1))

        expr = draw.choice(COMPARISONS)(make(2), make(2)) if draw.random() < 0.5 else make(3)
        before, after = evaluator(expr), evaluator(arith.Analyzer().simplify(expr))
        for _ in range(10):
            values = {variable: draw.choice([low, high, 0, 1, 3]) for variable in (x, y)}
            try:
                value = before(values)
            except Undefined:
                continue
            assert after(values) == value, (seed, values)
