"""What an analyzer is told, what it answers, and what it refuses."""

from __future__ import annotations

import re

import pytest

from uir import arith, ir, tir
from uir.ir import structural_equal

X, Y, N = tir.Var("x"), tir.Var("y"), tir.SizeVar("n")


def rng(low: int, extent: int | ir.PrimExpr) -> ir.Range:
    return ir.Range(tir.const(low), tir.const(extent) if isinstance(extent, int) else extent)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (X * 4 + Y - Y, X * 4),
        (tir.floordiv(X, 4) * 4 + tir.floormod(X, 4), X),
        (tir.truncdiv(X, 4) * 4 + tir.truncmod(X, 4), X),
        (tir.floordiv(X * 8 + Y * 4, 4), X * 2 + Y),
        (tir.floormod(X * 8 + Y, 4), tir.floormod(Y, 4)),
        (tir.floordiv(tir.floordiv(X, 4), 3), tir.floordiv(X, 12)),
        (tir.min(X, X + 1), X),
        (tir.max(X * 2, Y * 2), tir.max(X, Y) * 2),
        ((X + Y) + (N + Y) - X - Y * 2, N),
        (tir.less(X + 1, Y + 1), tir.less(X, Y)),
        (tir.less_equal(X * 2, 7), tir.less_equal(X, 3)),
        (tir.equal(X * 4 + 2, Y * 4), tir.const(False)),
        (tir.logical_not(tir.less(X, Y)), tir.less_equal(Y, X)),
    ],
)
def test_simplify(expr: ir.PrimExpr, expected: ir.PrimExpr) -> None:
    result = arith.Analyzer().simplify(expr)
    assert structural_equal(result, expected), str(result)


def test_what_is_simple_is_returned_itself() -> None:
    for expr in (X, X + 1, X - 1, X * 4 + Y, tir.less(X, Y), tir.floordiv(X + 3, 4)):
        assert arith.Analyzer().simplify(expr).same_as(expr)


def test_canonical_form_is_one_for_equal_sums() -> None:
    one = arith.Analyzer().canonical_simplify(tir.mul(X + Y, 3) - X)
    assert structural_equal(one, X * 2 + Y * 3)


def test_a_range_bounds_its_variable() -> None:
    analyzer = arith.Analyzer()
    analyzer.bind(X, rng(0, 4))
    analyzer.bind(Y, rng(0, N))
    bound = analyzer.const_int_bound(X * 3 + 1)
    assert (bound.min_value, bound.max_value) == (1, 10)
    assert analyzer.simplify(tir.floordiv(Y * 4 + X, 4)).same_as(Y)
    assert analyzer.can_prove(Y < N)
    assert analyzer.can_prove(Y * 4 + X < N * 4)
    assert not analyzer.can_prove(Y < N - 1)


def test_a_value_is_put_in_the_place_of_its_variable() -> None:
    analyzer = arith.Analyzer()
    analyzer.bind(X, Y + 1)
    assert structural_equal(analyzer.simplify(X * 2 - Y * 2), tir.const(2))


def test_remainders_are_found() -> None:
    analyzer = arith.Analyzer()
    analyzer.bind_modular(X, 8, 3)
    found = analyzer.modular_set(X * 2 + 1)
    assert (found.coeff, found.base) == (16, 7)
    assert structural_equal(analyzer.simplify(tir.floormod(X, 4)), tir.const(3))
    assert not analyzer.can_prove_equal(X, Y)


def test_constraints_hold_in_their_scope_and_are_forgotten() -> None:
    analyzer = arith.Analyzer()
    with analyzer.constraint_scope(tir.And(X >= 4, X < Y)):
        assert analyzer.can_prove(Y > 4)
        assert analyzer.can_prove_less(X, Y)
        assert analyzer.can_prove_less_equal(tir.const(4), X)
        with analyzer.constraint_scope(tir.equal(tir.floormod(X, 4), 0)):
            assert analyzer.can_prove(tir.equal(tir.floormod(X, 2), 0))
        assert not analyzer.can_prove(tir.equal(tir.floormod(X, 2), 0))
    assert not analyzer.can_prove(X >= 4)


def test_a_constraint_ends_with_an_error() -> None:
    analyzer = arith.Analyzer()
    with pytest.raises(RuntimeError, match="inside"), analyzer.constraint_scope(X >= 4):
        raise RuntimeError("inside")
    assert not analyzer.can_prove(X >= 4)
    with pytest.raises(ValueError, match="no constraint has been entered"):
        analyzer.exit_constraint()


def test_a_variable_is_known_after_a_scope_of_many_others() -> None:
    analyzer = arith.Analyzer()
    analyzer.bind(X, rng(0, 4))
    with analyzer.constraint_scope(X >= 1):
        for i in range(200):
            analyzer.bind(tir.Var(f"v{i}", "int32"), rng(0, 4))
    analyzer.bind(Y, rng(0, 4))
    assert analyzer.can_prove(X + Y < 7)


def test_sizes_are_not_negative() -> None:
    assert arith.Analyzer().can_prove(N >= 0)
    assert not arith.Analyzer().can_prove(X >= 0)


def test_an_arm_of_a_choice_is_not_given_a_divisor_that_may_be_zero() -> None:
    arm = tir.floordiv(Y, tir.max(X, 1))
    expr = tir.Select(X >= 1, arm, tir.const(0))
    result = arith.Analyzer().simplify(expr)
    assert isinstance(result, tir.Select)
    assert structural_equal(result.true_value, arm)
    lazy = tir.call_intrin("int32", "tir.if_then_else", [X >= 1, arm, tir.const(0)])
    taken = arith.Analyzer().simplify(lazy)
    assert isinstance(taken, tir.Call)
    assert structural_equal(taken.args[1], tir.floordiv(Y, X))


def test_unsigned_and_narrow_arithmetic_is_not_taken_not_to_overflow() -> None:
    small = tir.Var("s", "uint8")
    assert not arith.Analyzer().can_prove(small < small + 1)
    assert arith.Analyzer().can_prove(X < X + 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: a.bind(X, ir.Range(tir.const(0, "int64"), tir.const(4, "int64"))), "data type"),
        (lambda a: a.can_prove(X), "`condition` must be a scalar boolean, got `int32`"),
        (lambda a: a.const_int_bound(tir.const(1.5)), "`expr` must be an integer or a boolean"),
        (lambda a: a.can_prove_equal(X, tir.const(1, "int64")), "must have the same data type"),
    ],
)
def test_wrong_arguments_are_refused(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(TypeError, match=re.escape(message)):
        call(arith.Analyzer())


def test_a_modulus_is_positive() -> None:
    with pytest.raises(ValueError, match=re.escape("`coeff` must be positive, got 0")):
        arith.Analyzer().bind_modular(X, 0, 0)


def test_a_comparison_of_objects_is_no_condition() -> None:
    x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
    with pytest.raises(TypeError, match=r"not `bool`: .* write `x\.equal\(y\)`"):
        arith.Analyzer().can_prove(x == y)
    assert arith.Analyzer().can_prove((x + y).equal(y + x))
