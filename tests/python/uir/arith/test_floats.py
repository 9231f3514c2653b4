"""Floating-point numbers keep every bit: NaN, -0.0, infinities and subnormal numbers too."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest

from uir import arith, ir, tir
from uir.arith import rewrite_rules

from .evaluate import evaluate, evaluator, same
from .rule_text import build, names

DTYPES = ["float32", "float64"]
NUMBERS: dict[str, list[float]] = {
    "float32": [0.0, -0.0, 1.0, -1.0, 0.1, 1.5, 1e-45, -1e-38, 3.4e38, 16777217.0],
    "float64": [0.0, -0.0, 1.0, -1.0, 0.1, 1.5, 5e-324, -2e-308, 1.7e308, 9007199254740993.0],
}
SPECIAL = [float("inf"), float("-inf"), float("nan")]
INTEGERS_ONLY = ("fdiv", "fmod", "tmod")
PATTERNS = sorted(
    {r.pattern for r in rewrite_rules() if not any(w in r.pattern for w in INTEGERS_ONLY)}
)
BINARY = [tir.Add, tir.Sub, tir.Mul, tir.Div, tir.Min, tir.Max]
COMPARISONS = [tir.LT, tir.LE, tir.GT, tir.GE, tir.EQ, tir.NE]
FOLDING: list[Callable[[ir.PrimExpr, ir.PrimExpr], ir.PrimExpr]] = [
    tir.add, tir.sub, tir.mul, tir.div, tir.min, tir.max,
    tir.less, tir.less_equal, tir.greater, tir.greater_equal, tir.equal, tir.not_equal,
]  # fmt: skip


def value_for(variable: tir.Var, draw: random.Random) -> Any:
    name = str(variable.dtype).partition("x")[0]
    if name == "bool":
        return draw.random() < 0.5
    lanes = [draw.choice(NUMBERS[name] + SPECIAL) for _ in range(variable.dtype.lanes)]
    return lanes if len(lanes) > 1 else lanes[0]


def assert_same_values(before: ir.PrimExpr, after: ir.PrimExpr, draw: random.Random) -> None:
    variables = [*{v.name: v for v in ir.post_order(before, tir.Var)}.values()]
    run_before, run_after = evaluator(before), evaluator(after)
    for _ in range(12):
        values = {variable: value_for(variable, draw) for variable in variables}
        assert same(run_after(values), run_before(values)), (before, after, values)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("means", ["simplify", "rewrite_simplify", "canonical_simplify"])
def test_no_rule_of_integers_changes_floats(dtype: str, means: str) -> None:
    draw = random.Random(dtype)
    for pattern in PATTERNS:
        for _ in range(4):
            leaves: dict[str, ir.PrimExpr | int] = {"n": 4}
            for name in names(pattern):
                if name.startswith("c"):
                    leaves[name] = tir.const(draw.choice(NUMBERS[dtype]), dtype)
                elif name != "n":
                    is_choice = pattern.startswith("select(bcast")
                    lanes = "x4" if is_choice and not name.startswith("b") else ""
                    kind = "bool" if name.startswith("b") else dtype + lanes
                    leaves[name] = tir.Var(name, kind)
            expr = build(pattern, leaves, lambda value: tir.const(float(value), dtype))
            after = getattr(arith.Analyzer(), means)(expr)
            assert_same_values(expr, after, draw)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", [*BINARY, *COMPARISONS])
def test_constants_on_either_side_keep_their_place(dtype: str, kind: type[tir.BinaryOp]) -> None:
    draw, x = random.Random(0), tir.Var("x", dtype)
    for number in NUMBERS[dtype]:
        constant = tir.const(number, dtype)
        for expr in (kind(constant, x), kind(x, constant)):
            assert_same_values(expr, arith.Analyzer().simplify(expr), draw)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("fold", FOLDING)
def test_making_an_operation_keeps_its_value(
    dtype: str, fold: Callable[[ir.PrimExpr, ir.PrimExpr], ir.PrimExpr]
) -> None:
    draw, x, y = random.Random(0), tir.Var("x", dtype), tir.Var("y", dtype)
    node = type(fold(x, y))
    for number in NUMBERS[dtype]:
        constant = tir.const(number, dtype)
        assert_same_values(node(constant, x), fold(constant, x), draw)
        assert_same_values(node(x, constant), fold(x, constant), draw)
    assert_same_values(node(x, x), fold(x, x), draw)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("fold", "node"), [*zip(FOLDING, [*BINARY, *COMPARISONS], strict=True)])
def test_constants_fold_with_the_rounding_of_their_type(
    dtype: str, fold: Callable[[ir.PrimExpr, ir.PrimExpr], ir.PrimExpr], node: type[tir.BinaryOp]
) -> None:
    folded = 0
    for a, b in itertools.product(NUMBERS[dtype], repeat=2):
        operands = tir.const(a, dtype), tir.const(b, dtype)
        expr = node(*operands)
        for after in (fold(*operands), arith.Analyzer().simplify(expr)):
            assert same(evaluate(after, {}), evaluate(expr, {})), expr
            folded += isinstance(after, (ir.FloatImm, ir.IntImm))
    assert folded > 50


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("node", [*BINARY, *COMPARISONS])
def test_narrow_constants_keep_their_rounding(dtype: str, node: type[tir.BinaryOp]) -> None:
    for a, b in itertools.product([0.1, 0.10000001, -0.0, 1.0, 1000.5], repeat=2):
        expr = node(tir.const(a, dtype), tir.const(b, dtype))
        assert same(evaluate(arith.Analyzer().simplify(expr), {}), evaluate(expr, {})), expr


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_integers_are_rounded_once(dtype: str) -> None:
    # Rounded to float64 first, this one would lie in the middle of two numbers of float32.
    for value in (2**53 + 2**29 + 1, -(2**53) - 2**29 - 1, 2**24 + 1, 2**63 - 1, -(2**63), 2049):
        expr = tir.Cast(dtype, tir.const(value, "int64"))
        folded = tir.cast(tir.const(value, "int64"), dtype)
        assert same(evaluate(folded, {}), evaluate(expr, {})), value


@pytest.mark.parametrize("number", [0.0, -0.0])
def test_zeros_of_other_signs_are_not_the_same(number: float) -> None:
    b = tir.Var("b", "bool")
    choice = tir.Select(b, tir.const(number), tir.const(-number))
    assert_same_values(choice, arith.Analyzer().simplify(choice), random.Random(0))
