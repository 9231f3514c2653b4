"""Every rewrite rule: both sides have one value on random numbers that meet its condition."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import pytest

from uir import arith, ir, tir
from uir.arith import RewriteRule, apply_rewrite_rule, rewrite_rules

from .rule_text import (
    Builder,
    Evaluator,
    ExprEvaluator,
    Numbers,
    Scalar,
    Undefined,
    constant_parts,
    is_same,
    names,
)

RULES = rewrite_rules()
WRAPPING = [Numbers(bits, signed) for bits in (8, 32, 64) for signed in (True, False)]
INDEX = [Numbers(32, is_checked=True), Numbers(64, is_checked=True)]
PLAIN = Numbers(None)
SPECIAL_FLOATS = [0.0, -0.0, 1.0, -1.5, 1e-45, 3e38, float("inf"), float("-inf"), float("nan")]


def numbers_of(rule: RewriteRule) -> list[Numbers]:
    """Return the kinds of numbers that a rule holds for."""
    return {"any": WRAPPING, "index": INDEX, "value": [*WRAPPING, PLAIN]}.get(rule.domain, [PLAIN])


def number(draw: random.Random, numbers: Numbers) -> int:
    """Return a number: mostly a small one, sometimes one at or near the ends of the type."""
    kind = draw.random()
    if kind < 0.6:
        value = draw.randint(-9, 17)
    elif kind < 0.8:
        value = draw.choice([1, 2, 4, 8, 16, 32, 64, 3, 6, 12, 24, 100])
    elif kind < 0.9:
        value = draw.choice([numbers.least, numbers.greatest]) + draw.randint(-2, 2)
    else:
        value = draw.randint(numbers.least, numbers.greatest)
    return min(max(value, numbers.least), numbers.greatest)


def sample(rule: RewriteRule, numbers: Numbers, draw: random.Random) -> dict[str, Scalar]:
    """Return values for all variables of a rule."""
    is_float = rule.domain == "float" or (numbers is PLAIN and rule.domain == "value")
    values: dict[str, Scalar] = {}
    for name in names(rule.pattern, rule.result, rule.condition):
        if name == "n":
            values[name] = draw.randint(2, 5)
        elif name.startswith("b"):
            values[name] = draw.random() < 0.5
        elif name.startswith("c") or not is_float:
            values[name] = number(draw, numbers)
        else:
            values[name] = draw.choice(SPECIAL_FLOATS)
    return values


def samples(
    rule: RewriteRule, numbers: Numbers, count: int, tries: int = 20000
) -> Iterator[Mapping[str, Scalar]]:
    """Yield values for which the pattern has a value and the condition holds."""
    draw = random.Random(f"{rule} {numbers}")
    for _ in range(tries):
        values = sample(rule, numbers, draw)
        try:
            # Where constants of the result do not fit their type, the rule is not applied.
            for text in (rule.pattern, *constant_parts(rule.result)):
                Evaluator(values, numbers).run(text)
            holds = not rule.condition or Evaluator(values, PLAIN).run(rule.condition)
        except Undefined:
            continue
        if holds:
            yield values
            count -= 1
        if count == 0:
            return


def identify(rule: RewriteRule) -> str:
    return f"{rule.domain}: {rule.pattern}"


@pytest.mark.parametrize("rule", RULES, ids=identify)
def test_both_sides_have_one_value(rule: RewriteRule) -> None:
    for numbers in numbers_of(rule):
        found = 0
        for values in samples(rule, numbers, 60):
            pattern = Evaluator(values, numbers).run(rule.pattern)
            free = PLAIN if numbers.is_checked else numbers
            assert is_same(pattern, Evaluator(values, free).run(rule.result)), (values, numbers)
            found += 1
        assert found >= 10, (rule, numbers)


def dtype_of(rule: RewriteRule) -> str:
    return {"float": "float32", "bool": "bool"}.get(rule.domain, "int32")


def expression(rule: RewriteRule, values: Mapping[str, Scalar]) -> ir.PrimExpr:
    """Return the pattern as an expression, with the constants and lanes of the values."""
    dtype = dtype_of(rule)
    # Beside a condition that is a vector the choices are vectors.
    is_choice = rule.pattern.startswith("select(bcast")
    leaves: dict[str, ir.PrimExpr] = {}
    for name, value in values.items():
        if name.startswith("c"):
            leaves[name] = tir.const(value, dtype)
        elif name.startswith("b"):
            leaves[name] = tir.Var(name, "bool")
        else:
            leaves[name] = tir.Var(name, f"{dtype}x{values['n']}" if is_choice else dtype)
    return Builder(leaves, dtype, int(values.get("n", 0))).run(rule.pattern)


@pytest.mark.parametrize("index", range(len(RULES)), ids=lambda i: identify(RULES[i]))
def test_the_analyzer_applies_the_rule_as_it_is_written(index: int) -> None:
    rule = RULES[index]
    numbers = PLAIN if dtype_of(rule) != "int32" else Numbers(32, is_checked=True)
    asks_variables = any(name in "xyzw" for name in names(rule.condition))
    applied = 0
    for values in samples(rule, numbers, 40):
        expr = expression(rule, values)
        result = apply_rewrite_rule(index, expr)
        if result is not None:
            before = Evaluator(values, numbers).run(rule.pattern)
            assert is_same(before, ExprEvaluator(values, PLAIN).run(result)), (values, result)
            applied += 1
    assert applied >= 10 or asks_variables


@pytest.mark.parametrize("index", range(len(RULES)), ids=lambda i: identify(RULES[i]))
def test_a_condition_that_does_not_hold_keeps_the_rule_from_being_applied(index: int) -> None:
    rule = RULES[index]
    if not rule.condition:
        assert rule.condition == ""
        return
    numbers = Numbers(32, is_checked=True)
    draw = random.Random(index)
    for _ in range(300):
        values = sample(rule, numbers, draw)
        try:
            if Evaluator(values, PLAIN).run(rule.condition):
                continue
        except Undefined:
            continue
        assert apply_rewrite_rule(index, expression(rule, values)) is None, values


def test_conditions_on_variables_are_proved_from_what_is_known() -> None:
    x, y = tir.Var("x"), tir.Var("y")
    analyzer = arith.Analyzer()
    assert analyzer.rewrite_simplify(tir.FloorMod(x, y)).same_as(tir.FloorMod(x, y)) is False
    with analyzer.constraint_scope(tir.And(tir.LE(tir.const(0), x), tir.LT(x, y))):
        assert analyzer.rewrite_simplify(tir.FloorMod(x, y)).same_as(x)
        assert analyzer.rewrite_simplify(tir.Min(x, y)).same_as(x)


def test_no_rule_is_there_twice() -> None:
    keys = [(rule.domain, rule.pattern, rule.condition) for rule in RULES]
    assert len(set(keys)) == len(keys)
    assert len(keys) > 200
