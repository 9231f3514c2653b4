"""Expressions of any depth, and shared ones in linear time."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from uir import arith, ir, tir

DEPTH = 100_000
X, Y = tir.Var("x"), tir.Var("y")

CHAINS: dict[str, Callable[[ir.PrimExpr, int], ir.PrimExpr]] = {
    "sum": lambda expr, i: tir.Add(expr, tir.Var("z")),
    "difference": lambda expr, i: tir.Sub(tir.const(i), expr),
    "product": lambda expr, i: tir.Mul(expr, X),
    "quotient": lambda expr, i: tir.FloorDiv(tir.Add(expr, Y), tir.const(3)),
    "remainder": lambda expr, i: tir.FloorMod(tir.Add(expr, tir.const(i)), tir.const(i + 7)),
    "minimum": lambda expr, i: tir.Min(tir.Max(expr, tir.Var("z")), Y),
    "choice": lambda expr, i: tir.Select(tir.LT(X, tir.const(i)), expr, Y),
    "choices": lambda expr, i: tir.Select(tir.LT(X, expr), Y, tir.const(i)),
    "call": lambda expr, i: tir.call_intrin("int32", "tir.abs", [expr]),
}


@pytest.mark.parametrize("name", CHAINS)
def test_deep_expressions_do_not_overflow(name: str) -> None:
    expr: ir.PrimExpr = X
    for i in range(DEPTH):
        expr = CHAINS[name](expr, i)
    assert arith.Analyzer().simplify(expr) is not None
    bound = arith.Analyzer().const_int_bound(expr)
    assert bound.min_value <= bound.max_value
    assert arith.Analyzer().modular_set(expr).coeff >= 0


SHARED: dict[str, Callable[[ir.PrimExpr], ir.PrimExpr]] = {
    "sum": lambda expr: tir.Add(expr, tir.FloorDiv(expr, tir.const(3))),
    "product": lambda expr: tir.Mul(expr, tir.Add(expr, Y)),
    "choice": lambda expr: tir.Select(tir.LT(expr, Y), expr, tir.Add(expr, tir.const(1))),
    "minimum": lambda expr: tir.Min(expr, tir.Sub(Y, expr)),
    "call": lambda expr: tir.call_intrin("int32", "tir.shift_left", [expr, expr]),
}


@pytest.mark.parametrize("name", SHARED)
def test_shared_expressions_take_linear_time(name: str) -> None:
    expr: ir.PrimExpr = X
    for _ in range(120):
        expr = SHARED[name](expr)
    start = time.perf_counter()
    assert arith.Analyzer().simplify(expr) is not None
    bound = arith.Analyzer().const_int_bound(expr)
    assert bound.min_value <= bound.max_value
    # Each level twice would take longer than the universe has lasted.
    assert time.perf_counter() - start < 20
