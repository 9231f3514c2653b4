"""The steps of an explanation lead from the expression to its simplified form."""

from __future__ import annotations

import random
import re

import pytest

from uir import arith, ir, tir
from uir.ir import structural_equal

from .evaluate import evaluator, same
from .test_simplify import boolean, bound_analyzer, integer, values_of

L, J, K, N = tir.Var("i"), tir.Var("j"), tir.Var("k"), tir.SizeVar("n")


def tile_analyzer() -> arith.Analyzer:
    """Return an analyzer that knows the loops of a tile."""
    analyzer = arith.Analyzer()
    analyzer.bind(L, ir.Range(tir.const(0), N))
    analyzer.bind(J, ir.Range(tir.const(0), tir.const(4)))
    return analyzer


def parts(expr: ir.PrimExpr) -> list[ir.PrimExpr]:
    """Return what an expression of `integer` or `boolean` consists of."""
    if isinstance(expr, tir.Select):
        return [expr.condition, expr.true_value, expr.false_value]
    if isinstance(expr, tir.Not):
        return [expr.a]
    return [expr.a, expr.b]


def at(expr: ir.PrimExpr, path: list[int]) -> ir.PrimExpr:
    """Return the sub-expression at the end of a path."""
    for place in path:
        expr = parts(expr)[place]
    return expr


def replaced(expr: ir.PrimExpr, path: list[int], after: ir.PrimExpr) -> ir.PrimExpr:
    """Return an expression with another one at the end of a path."""
    if not path:
        return after
    operands = parts(expr)
    operands[path[0]] = replaced(operands[path[0]], path[1:], after)
    return type(expr)(*operands)


def replay(expr: ir.PrimExpr, explanation: arith.Explanation) -> ir.PrimExpr:
    """Return the result of all steps, one after the other."""
    for step in explanation.steps:
        path = [int(place) for place in step.path]
        assert structural_equal(at(expr, path), step.before), str(explanation)
        expr = replaced(expr, path, step.after)
        assert structural_equal(expr, step.result), str(explanation)
    return expr


@pytest.mark.parametrize("make", [integer, boolean])
def test_steps_replay_and_keep_the_value(make) -> None:
    draw = random.Random(19)
    num_steps = 0
    for _ in range(50):
        expr = make(draw, 4)
        explanation = bound_analyzer().explain(expr)
        simplified = bound_analyzer().simplify(expr)
        assert structural_equal(replay(expr, explanation), explanation.result), str(explanation)
        assert structural_equal(explanation.result, simplified), str(explanation)
        values = values_of(expr, draw)[:6]
        for step in explanation.steps:
            run = evaluator(step.result)
            for point, value in values:
                assert same(run(point), value), f"{point}: {explanation}"
        num_steps += len(explanation.steps)
    assert num_steps > 100


def test_text_names_rules_facts_and_methods() -> None:
    index = (L * 4 + J) // 4
    expected = """\
  (i * 4 + j) // 4 < n and i + j - j < n * 2 - n + 1
    (i * 4 + j) // 4 is i + j // 4"""
    text = str(tile_analyzer().explain(tir.all(index < N, L + J - J < N * 2 - N + 1)))
    assert text.startswith(expected), text
    assert "\n    j // 4 is 0\n    by `fdiv(x, y) -> 0 if x >= 0 and x < y`" in text
    assert " of rules/arithmetic.cc, since j >= 0, j <= 3\n" in text
    assert text.endswith("\n= True")


def methods(explanation: arith.Explanation) -> list[arith.StepMethod]:
    """Return what made each step."""
    return [step.method for step in explanation.steps]


def test_every_engine_takes_part() -> None:
    method = arith.StepMethod
    analyzer = tile_analyzer()
    analyzer.assume(tir.equal(tir.floormod(N, 8), 0))
    by_sum = analyzer.explain(L + J + K - J - L + 2)
    assert methods(by_sum) == [method.SUM], str(by_sum)
    by_remainder = analyzer.explain((N + J * 8) % 8)
    assert structural_equal(by_remainder.result, tir.const(0))
    assert {str(fact) for step in by_remainder.steps for fact in step.facts} == {"n % 8 == 0"}
    by_comparison = analyzer.explain(tir.less(L * 4 + J, K * 4))
    assert methods(by_comparison) == [method.COMPARISON], str(by_comparison)
    assert [str(fact) for fact in by_comparison.steps[0].facts] == ["j >= 0", "j <= 3"]
    stated = tir.equal(tir.truncmod(K, L), J)
    with analyzer.constraint_scope(stated):
        by_fact = analyzer.explain(tir.any(stated, N < 9))
    assert methods(by_fact) == [method.FACT, method.RULE], str(by_fact)
    assert methods(analyzer.explain(tir.GT(K, J))) == [method.EVALUATION]
    by_chain = analyzer.explain(tir.all(J < 3, L < 5, J < 2))
    assert method.REGROUPING in methods(by_chain), str(by_chain)
    assert structural_equal(by_chain.result, analyzer.simplify(tir.all(J < 2, L < 5)))
    bound = arith.Analyzer()
    bound.bind(L, tir.const(3))
    assert methods(bound.explain(L + 0 * N))[0] == method.FACT


def test_each_fact_of_a_step_is_needed() -> None:
    step = tile_analyzer().explain(tir.floordiv(J, 4)).steps[0]
    assert [str(fact) for fact in step.facts] == ["j >= 0", "j <= 3"]
    for left_out in range(3):
        analyzer = arith.Analyzer()
        for place, fact in enumerate(step.facts):
            if place != left_out:
                analyzer.assume(fact)
        result = analyzer.simplify(step.before)
        assert structural_equal(result, step.after) == (left_out == 2)


def test_what_is_simple_has_no_steps() -> None:
    explanation = tile_analyzer().explain(L * 4 + J)
    assert not explanation.steps
    assert str(explanation) == "  i * 4 + j"


def test_a_shared_part_is_explained_once() -> None:
    part = (L * 4 + J) // 4
    explanation = tile_analyzer().explain(tir.Mul(part, tir.min(part, N)))
    assert methods(explanation).count(arith.StepMethod.REPETITION) == 1
    assert structural_equal(explanation.result, tile_analyzer().simplify(L * tir.min(L, N)))


def test_a_rule_of_a_step_is_one_of_the_list() -> None:
    steps = tile_analyzer().explain((L + J) * N - N * L).steps
    by_rule = [step for step in steps if step.method == arith.StepMethod.RULE]
    assert by_rule
    for step in by_rule:
        rule = arith.rewrite_rules()[step.index]
        assert step.rule.startswith(f"{rule.pattern} -> {rule.result}")
        assert re.fullmatch(r"rules/\w+\.cc, row [1-9]\d*", step.source)
        assert arith.apply_rewrite_rule(step.index, step.before) is not None
