"""One form for sums, products, minima and maxima, in whichever order they are written."""

from __future__ import annotations

import random

import pytest

from uir import arith, ir, tir

X, Y, Z = (tir.Var(name) for name in "xyz")
OPERATIONS = [tir.Add, tir.Mul, tir.Min, tir.Max]


def exchanged(expr: ir.PrimExpr, draw: random.Random) -> ir.PrimExpr:
    """Return an expression with the operands of random commutative operations exchanged."""
    if not isinstance(expr, tir.BinaryOp):
        return expr
    a, b = exchanged(expr.a, draw), exchanged(expr.b, draw)
    if type(expr) in OPERATIONS and draw.random() < 0.5:
        a, b = b, a
    return type(expr)(a, b)


def tree(draw: random.Random, depth: int) -> ir.PrimExpr:
    """Return a random expression of commutative operations, differences and quotients."""
    if depth == 0:
        return draw.choice([X, Y, Z, tir.const(draw.randint(0, 5))])
    a, b = tree(draw, depth - 1), tree(draw, depth - 1)
    kind = draw.random()
    if kind < 0.1:
        return tir.floordiv(a, draw.randint(1, 5))
    return tir.Sub(a, b) if kind < 0.25 else draw.choice(OPERATIONS)(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (X * Y, Y * X),
        (X * Y * Z, Z * (Y * X)),
        (tir.min(X, Y), tir.min(Y, X)),
        (tir.max(tir.max(X, Y), Z), tir.max(Z, tir.max(Y, X))),
        (X * Y + X * 10, (Y + 10) * X),
        (tir.min(X * Y, Z), tir.min(Z, Y * X)),
        (X // (Y * Z), X // (Z * Y)),
    ],
    ids=str,
)
def test_the_order_does_not_count(a: ir.PrimExpr, b: ir.PrimExpr) -> None:
    analyzer = arith.Analyzer()
    assert analyzer.can_prove_equal(a, b)
    assert str(analyzer.simplify(a - b)) == "0"
    assert analyzer.can_prove(tir.EQ(a, b))


def test_other_factors_are_not_the_same() -> None:
    analyzer = arith.Analyzer()
    for a, b in ((X * Y * Z, X * Y * Y), (tir.min(X, Y), tir.max(X, Y)), (X - Y, Y - X)):
        assert not analyzer.can_prove_equal(a, b)


def test_minima_of_floats_keep_their_order() -> None:
    a, b = tir.Var("a", "float32"), tir.Var("b", "float32")
    assert not arith.Analyzer().can_prove_equal(tir.Min(a, b), tir.Min(b, a))


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (Y * X, "x * y"),
        (Z * (Y * X), "x * y * z"),
        (tir.max(Z, tir.max(Y, X)), "tir.max(tir.max(x, y), z)"),
        (tir.max(tir.min(Z, 3), X), "tir.max(x, tir.min(z, 3))"),
        (Z + Y * X, "x * y + z"),
        (Z - Y + X * 4, "x * 4 + z - y"),
        (tir.EQ(Y, X), "x == y"),
        (tir.all(Y < 3, Y >= 0, X < Z), "x < z and 0 <= y and y < 3"),
        (tir.less(Z + Y, X), "y + z < x"),
    ],
    ids=str,
)
def test_operands_stand_in_the_order_in_which_they_were_met(
    expr: ir.PrimExpr, expected: str
) -> None:
    analyzer = arith.Analyzer()
    analyzer.simplify(X * Y * Z)
    assert str(analyzer.simplify(expr)) == expected


def test_what_may_be_guarded_keeps_its_place() -> None:
    analyzer = arith.Analyzer()
    analyzer.simplify(X * Y)
    guarded = tir.all(Y > 0, Z // Y < X)
    load = tir.BufferLoad(tir.decl_buffer([8], "int32", "A"), [Y])
    for expr in (guarded, tir.any(tir.less(Y, 0), tir.less(X, load))):
        assert str(analyzer.simplify(expr)) in (str(expr), "0 < y and z // y < x")


def test_new_variables_keep_the_order_of_the_text() -> None:
    for expr in (Y * X, Z + Y * X, tir.max(Y, tir.min(X, Z)), tir.all(X < Z, Y < Z)):
        assert arith.Analyzer().simplify(expr).same_as(expr)


@pytest.mark.parametrize("block", range(4))
def test_one_result_for_every_order(block: int) -> None:
    for seed in range(block * 40, block * 40 + 40):
        draw = random.Random(seed)
        expr = tree(draw, draw.randint(1, 4))
        # What is divided keeps the order in which it is written.
        if ir.post_order(expr, tir.FloorDiv):
            continue
        analyzer = arith.Analyzer()
        result = analyzer.simplify(expr)
        other = analyzer.simplify(exchanged(expr, draw))
        assert str(result) == str(other), (seed, str(expr))
        assert str(analyzer.simplify(result)) == str(result), (seed, str(expr))


@pytest.mark.parametrize("block", range(4))
def test_simplifying_ends_alike_for_any_order(block: int) -> None:
    for seed in range(block * 60, block * 60 + 60):
        draw = random.Random(seed)
        expr = tree(draw, draw.randint(1, 4))
        analyzer = arith.Analyzer()
        assert analyzer.can_prove_equal(expr, exchanged(expr, draw)), (seed, str(expr))
