"""Every rewrite rule: it fires in each of its data types, and keeps the value where it does."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from uir import arith, ir, tir
from uir.arith import RewriteRule, apply_rewrite_rule, rewrite_rules

from ...support.interpreter import Address, Memory
from .evaluate import Undefined, evaluator, same
from .rule_text import build, holds, names

RULES = rewrite_rules()
DTYPES: Mapping[str, list[str]] = {
    "any": ["int8", "int32", "uint32", "int64"],
    "index": ["int32", "int64"],
    "bool": ["bool"],
    "float": ["float32", "float64"],
    "value": ["uint8", "int32", "float32", "float64"],
}
CASES = [(index, dtype) for index, rule in enumerate(RULES) for dtype in DTYPES[rule.domain]]
FLOATS = [0.0, -0.0, 1.0, -1.5, 1e-45, 5e-324, 3e38, float("inf"), float("-inf"), float("nan")]


def identify(case: tuple[int, str]) -> str:
    return f"{RULES[case[0]].pattern}-{case[1]}"


def ends(dtype: str) -> tuple[int, int]:
    """Return the least and the greatest integer that constants of a type have."""
    bits = min(int(dtype.lstrip("uint")), 64)
    if dtype.startswith("u"):
        return 0, min(2**bits, 2**63) - 1
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


def number(draw: random.Random, dtype: str) -> Any:
    """Return a number: mostly a small one, sometimes one at or near the ends of the type."""
    if dtype == "bool":
        return draw.random() < 0.5
    if dtype.startswith("float"):
        return draw.choice(FLOATS)
    low, high = ends(dtype)
    small = draw.randint(-9, 17) if draw.random() < 0.7 else draw.choice([2, 4, 8, 16, 12, 24])
    end = draw.choice([low, high]) + draw.randint(-2, 2)
    chosen = small if draw.random() < 0.6 else end
    return min(max(chosen, low), high)


@dataclass
class Leaf:
    """An expression that a variable of a rule stands for, with variables of its own."""

    expr: ir.PrimExpr
    variables: list[tir.Var]
    buffer: tir.Buffer | None = None


def known_leaf(draw: random.Random, dtype: str) -> Leaf:
    """Return an expression of which bounds and remainders are known."""
    x = tir.Var("x", dtype)
    remainder = tir.FloorMod(x, tir.const(8, dtype))
    known: list[ir.PrimExpr] = [
        remainder,
        tir.Mul(tir.FloorMod(x, tir.const(4, dtype)), tir.const(16, dtype)),
        tir.Max(x, tir.const(8, dtype)),
    ]
    if not dtype.startswith("u"):
        known.append(tir.Min(x, tir.const(-1, dtype)))
    return Leaf(draw.choice(known), [x])


def make_leaf(draw: random.Random, dtype: str) -> Leaf:
    """Return a variable, a load, a sum, or an expression of which something is known."""
    x, y = tir.Var("x", dtype), tir.Var("y", dtype)
    if dtype == "bool" or dtype.startswith("float") or draw.random() < 0.4:
        return Leaf(x, [x])
    buffer = tir.decl_buffer([1], dtype, "data")
    load = tir.BufferLoad(buffer, [tir.const(0)])
    makers: list[Callable[[], Leaf]] = [
        lambda: known_leaf(draw, dtype),
        lambda: Leaf(tir.Add(x, y), [x, y]),
        lambda: Leaf(tir.Mul(x, y), [x, y]),
        lambda: Leaf(load, [], buffer),
        lambda: Leaf(tir.Sub(load, x), [x], buffer),
    ]
    return draw.choice(makers)()


@dataclass
class Instance:
    """A rule's pattern with expressions for its variables, and constants."""

    expr: ir.PrimExpr
    leaves: list[Leaf]

    def values(self, draw: random.Random) -> dict[tir.Var, Any]:
        """Return values for the variables, and memory for the buffers."""
        found: dict[tir.Var, Any] = {}
        for leaf in self.leaves:
            for variable in leaf.variables:
                name, lanes = str(variable.dtype).partition("x")[0], variable.dtype.lanes
                drawn = [number(draw, name) for _ in range(lanes)]
                found[variable] = drawn if lanes > 1 else drawn[0]
            if leaf.buffer is not None:
                dtype = str(leaf.buffer.dtype)
                array = np.array([number(draw, dtype)], dtype)
                found[leaf.buffer.data] = Address(Memory.of_array(array), 0)
        return found


def meet(condition: str, constants: Mapping[str, int], draw: random.Random) -> dict[str, int]:
    """Return constants that are products and multiples where a condition asks for that."""
    wanted = dict(constants)
    for factor, other, product in re.findall(r"(c\d) \* (c\d) == (c\d)", condition):
        wanted[product] = wanted[factor] * wanted[other]
    for multiple, divisor in re.findall(r"fmod\((c\d), (c\d)\) == 0", condition):
        wanted[multiple] = wanted[divisor] * draw.choice([-1, 1, 1, 2, 3, 4])
    return wanted


def settle(rule: RewriteRule, dtype: str, stand_for: dict[str, Any], draw: random.Random) -> None:
    """Put constants in the place of a rule's, mostly such as its condition asks for."""
    drawn = {name: value for name, value in stand_for.items() if name.startswith("c")}
    wanted = meet(rule.condition, drawn, draw)
    low, high = ends(dtype) if drawn else (0, 0)
    is_wanted = wanted != drawn and draw.random() < 0.8
    fits = all(low <= value <= high for value in wanted.values())
    for name, value in (wanted if is_wanted and fits else drawn).items():
        stand_for[name] = tir.const(value, dtype)


def instance(rule: RewriteRule, dtype: str, draw: random.Random) -> Instance:
    """Return a random instance of a rule's pattern."""
    lanes = draw.choice([2, 4])
    leaves: dict[str, Leaf] = {}
    stand_for: dict[str, ir.PrimExpr | int] = {"n": lanes}
    # Beside a condition that is a vector the choices are vectors.
    is_choice = rule.pattern.startswith("select(bcast")
    for name in names(rule.pattern):
        if name == "n":
            continue
        if name.startswith("c"):
            stand_for[name] = number(draw, dtype)
            continue
        if is_choice and not name.startswith("b"):
            variable = tir.Var(name, f"{dtype}x{lanes}")
            leaves[name] = Leaf(variable, [variable])
        else:
            is_asked = name in names(rule.condition) and draw.random() < 0.8
            make = known_leaf if is_asked else make_leaf
            leaves[name] = make(draw, "bool" if name.startswith("b") else dtype)
        stand_for[name] = leaves[name].expr
    settle(rule, dtype, stand_for, draw)
    expr = build(rule.pattern, stand_for, lambda value: tir.const(value, dtype))
    return Instance(expr, list(leaves.values()))


def is_data(expr: ir.PrimExpr) -> bool:
    return bool(ir.post_order(expr, tir.BufferLoad))


def check(before: Instance, after: ir.PrimExpr, draw: random.Random) -> int:
    """Compare values before and after; return how many of them there are."""
    checked = 0
    # A sum from which data cancels is one of indices from then on.
    strict = is_data(after) or not is_data(before.expr)
    # What the passes that follow take for granted holds after the rule too.
    evaluate, evaluate_after = evaluator(before.expr, strict=True), evaluator(after, strict=strict)
    for _ in range(8):
        values = before.values(draw)
        try:
            expected = evaluate(values)
        except Undefined:
            continue
        assert same(evaluate_after(values), expected), (before.expr, after, values)
        checked += 1
    return checked


@pytest.mark.parametrize("case", CASES, ids=identify)
def test_the_rule_fires_and_keeps_the_value(case: tuple[int, str]) -> None:
    index, dtype = case
    draw = random.Random(f"{RULES[index]} {dtype}")
    fired = checked = 0
    for _ in range(1500):
        before = instance(RULES[index], dtype, draw)
        after = apply_rewrite_rule(index, before.expr)
        if after is None:
            continue
        fired += 1
        checked += check(before, after, draw)
        if fired >= 5 and checked >= 15:
            return
    pytest.fail(f"fired {fired} times, with {checked} values")


EITHER_WAY = {f"{name}(x, y)" for name in ("min", "max")}
"""Of two constants one is the smaller: a rule holds for them in one order or the other."""

CONDITIONAL = [
    index for index, rule in enumerate(RULES) if rule.condition and rule.pattern not in EITHER_WAY
]


@pytest.mark.parametrize(
    "index", CONDITIONAL, ids=lambda i: "{0.pattern}: {0.condition}".format(RULES[i])
)
def test_the_rule_does_not_fire_where_its_condition_fails(index: int) -> None:
    rule = RULES[index]
    draw = random.Random(index)
    refused = 0
    while refused < 20:
        values = {name: number(draw, "int32") for name in names(rule.pattern, rule.condition)}
        values["n"] = 4
        if holds(rule.condition, values):
            continue
        # Variables are constants here, as all is known of those.
        leaves = {name: tir.const(value) for name, value in values.items()}
        expr = build(rule.pattern, {**leaves, "n": 4}, tir.const)
        assert apply_rewrite_rule(index, expr) is None, (expr, values)
        refused += 1


def test_conditions_on_variables_are_proved_from_what_is_known() -> None:
    x, y = tir.Var("x"), tir.Var("y")
    analyzer = arith.Analyzer()
    remainder = tir.FloorMod(x, y)
    for unknown in (remainder, tir.Min(x, y), tir.Max(x, y)):
        assert analyzer.rewrite_simplify(unknown).same_as(unknown)
    with analyzer.constraint_scope(tir.And(tir.LE(tir.const(0), x), tir.LT(x, y))):
        assert analyzer.rewrite_simplify(remainder).same_as(x)
        assert analyzer.rewrite_simplify(tir.Min(x, y)).same_as(x)


def test_no_rule_is_there_twice() -> None:
    keys = [(rule.domain, rule.pattern, rule.condition) for rule in RULES]
    assert len(set(keys)) == len(keys)
    assert len(keys) > 200
