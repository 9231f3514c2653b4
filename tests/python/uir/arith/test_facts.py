"""What conditions say: inequalities, chains of them, and quotients with remainders."""

from __future__ import annotations

import contextlib

import pytest

from uir import arith, ir, tir
from uir.ir import structural_equal

X, Y, Z, N = tir.Var("x"), tir.Var("y"), tir.Var("z"), tir.SizeVar("n")
M = tir.SizeVar("m")
U, V = tir.Var("u", "uint32"), tir.Var("v", "uint32")
EQ, NE, LT, LE = tir.equal, tir.not_equal, tir.less, tir.less_equal


def proved(claim: ir.PrimExpr, *facts: ir.PrimExpr) -> bool:
    """Tell whether an analyzer proves a claim from facts."""
    analyzer = arith.Analyzer()
    with contextlib.ExitStack() as scopes:
        for fact in facts:
            scopes.enter_context(analyzer.constraint_scope(fact))
        return analyzer.can_prove(claim)


@pytest.mark.parametrize(
    ("claim", "facts"),
    [
        (NE(X, 5), [NE(X, 5)]),
        (NE(X - 5, 0), [NE(X, 5)]),
        (NE(X, Z), [EQ(X, Y), NE(Y, Z)]),
        (LT(X, Y), [LE(X, Y), NE(X, Y)]),
        (LE(3, X), [LE(2, X), NE(X, 2)]),
        (LT(X, 2), [NE(X, 2), LE(X, 2)]),
        (LT(X, Z), [LT(X, Y), LE(Y, Z)]),
        (EQ(X, 28), [EQ(X // 8, 3), EQ(X % 8, 4)]),
        (EQ(X % 4, 3), [EQ(tir.truncmod(X, 4), -1)]),
        (LT(X, tir.min(Y, Z)), [LT(X, Y), LT(X, Z)]),
        (LT(tir.const(1, "uint32"), U), [LE(tir.const(2, "uint32"), U)]),
        (LT(X, N), [LT(X, tir.min(N, M))]),
        (LE(Y, Z), [LE(tir.max(X, Y), Z)]),
        (LE(tir.min(X, Z), tir.min(Y, Z)), [LE(X, Y)]),
        (LT(X + Y, N * 2), [LT(X, N), LT(Y, N)]),
        (LT(X // N, M), [LT(X, M * N), LT(0, N)]),
        (LE(X // N, M), [LT(X, M * N + N), LT(0, N)]),
        (LT(X * M + Y, N * M), [LT(X, N), LT(Y, M)]),
        (LE(N, N * Y), [LT(0, Y), LT(Y, 9)]),
        (LT(X * Y, N * M), [LE(0, X), LT(X, N), LE(0, Y), LT(Y, M)]),
        (LE(Y * X, N * M), [LE(0, X), LE(X, N), LE(0, Y), LT(Y, M)]),
        (LT(X * X, N * N), [LE(0, X), LT(X, N)]),
        (LT(X * Y + Z, N * M + 8), [LE(0, X), LT(X, N), LE(0, Y), LE(Y, M), LT(Z, 8)]),
        (LE(X * Y * 3 + M, N * M * 3), [LE(0, X), LT(X, N), LE(0, Y), LE(Y, M)]),
        (LE(X, (X + Y - 1) // Y * Y), [LT(0, Y)]),
        (LT((X + Y - 1) // Y * Y, X + Y), [LT(0, Y)]),
        (LT(X // 2, X), [LT(0, X)]),
        (NE(X * 8 + N % 8, Z * 8 + M % 8), [NE(X, Z)]),
        (LT(tir.cast(X, "int64"), tir.cast(Y, "int64")), [LT(X, Y)]),
        (LT(X, 10), [tir.any(tir.all(LT(X, 5), LT(Y, 3)), LT(X + Y, 9) & LT(X, 9))]),
    ],
    ids=str,
)
def test_it_follows(claim: ir.PrimExpr, facts: list[ir.PrimExpr]) -> None:
    assert proved(claim, *facts)
    assert not proved(tir.logical_not(claim), *facts)
    assert not proved(claim)


@pytest.mark.parametrize(
    ("claim", "facts"),
    [
        (LT(X, Y), [LE(X, Y), NE(X, Z)]),
        (LE(4, X), [LE(2, X), NE(X, 3)]),
        (NE(X, Z), [NE(X, Y), NE(Y, Z)]),
        (EQ(X, 28), [EQ(X // 8, 3), EQ(X % 4, 0)]),
        (LT(X, N), [LT(X, tir.max(N, M))]),
        (LT(X // Y, M), [LT(X, M * Y)]),
        (LT(X * Z + Y, N * Z), [LT(X, N), LT(Y, Z)]),
        (LT(X * Y, N * M), [LT(X, N), LT(Y, M)]),
        (LT(X * Y, N * M), [LE(0, X), LE(X, N), LE(0, Y), LE(Y, M)]),
        (LT(X * Y, Z * M), [LE(0, Y), LT(X, Z), LT(Y, M)]),
        (LE(X, (X + Y - 2) // Y * Y), [LT(0, Y)]),
        (LE(X, (X + Y - 1) // Y * Z), [LT(0, Y)]),
        (NE(X * 8 + N % 9, Z * 8 + M % 8), [NE(X, Z)]),
        (LT(X, 10), [tir.any(LT(X, 5), LT(Y, 3))]),
    ],
    ids=str,
)
def test_it_does_not_follow(claim: ir.PrimExpr, facts: list[ir.PrimExpr]) -> None:
    assert not proved(claim, *facts)


def test_facts_end_with_their_scope() -> None:
    analyzer = arith.Analyzer()
    with analyzer.constraint_scope(NE(X, Y)):
        assert analyzer.can_prove(NE(X, Y))
    assert not analyzer.can_prove(NE(X, Y))


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (tir.min(tir.min(tir.min(X, Y), Z), Y), tir.min(tir.min(X, Y), Z)),
        (tir.max(tir.max(tir.max(X, 5), Y), 3), tir.max(tir.max(X, Y), 5)),
        (tir.all(LT(X, N), LT(Y, N), LT(X, N)), tir.all(LT(X, N), LT(Y, N))),
        (tir.all(LT(X, 5), LT(Y, N), LT(X, 3)), tir.all(LT(X, 3), LT(Y, N))),
        (tir.all(LE(X, 1), LT(Y, N), LE(2, X)), tir.const(False)),
        (tir.any(LT(X, Y), EQ(Z, 0), LE(Y, X)), tir.const(True)),
    ],
    ids=str,
)
def test_an_operand_meets_each_of_a_chain(expr: ir.PrimExpr, expected: ir.PrimExpr) -> None:
    result = arith.Analyzer().simplify(expr)
    assert structural_equal(result, expected), str(result)


def test_a_guard_stays_before_what_it_guards() -> None:
    load = tir.BufferLoad(tir.decl_buffer([8], "int32", "A"), [X])
    expr = tir.all(LT(load, 3), LT(X, N), LT(load, 5))
    assert str(arith.Analyzer().simplify(expr)).index("x < n") < len(str(expr))
    guarded = tir.all(LT(Y, 5), LT(X, N), LT(Y, load))
    assert structural_equal(arith.Analyzer().simplify(guarded), guarded)
