"""Passes, the verifier and the printer on a million nodes, and on expressions 100,000 deep."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from uir import script, tir, transform
from uir.ir import DictAttrs, GlobalVar, IRModule, PrimExpr, verify

from .test_every_pass import ARGUMENTS, uirs_passes

DEPTH = 100_000
A, H, N = tir.decl_buffer([16, 16], "int32", "A"), tir.Var("h", "handle"), tir.Var("n")


def module_of(body: tir.Stmt) -> IRModule:
    attrs = DictAttrs({"global_symbol": "main"})
    func = tir.PrimFunc([H, N], body, buffer_map={H: A}, attrs=attrs)
    return IRModule({GlobalVar("main"): func})


def deep_expression() -> IRModule:
    expr: PrimExpr = N
    for i in range(DEPTH):
        expr = tir.Add(expr, N) if i % 2 else tir.Add(tir.const(i % 7), expr)
    return module_of(tir.BufferStore(A, expr, [tir.const(0), tir.const(1)]))


def deep_statement() -> IRModule:
    body: tir.Stmt = tir.BufferStore(A, N, [tir.const(0), tir.const(1)])
    for i in range(DEPTH // 4):
        condition = tir.IfThenElse(i < N, body)
        body = tir.For(tir.Var("i"), tir.const(0), tir.const(2), tir.ForKind.SERIAL, condition)
    return module_of(body)


def shared_expression() -> IRModule:
    """Return a function whose expression has 200 nodes, and 2**200 paths to its leaves."""
    loops: list[tir.Stmt] = []
    for kind in (tir.ForKind.UNROLLED, tir.ForKind.VECTORIZED):
        variable = tir.Var("i")
        expr: PrimExpr = tir.Add(N, variable)
        for _ in range(200):
            expr = tir.Add(expr, expr)
        store = tir.BufferStore(A, expr, [tir.const(0), variable])
        loops.append(tir.For(variable, tir.const(0), tir.const(4), kind, store))
    return module_of(tir.SeqStmt(loops))


def wide_function() -> IRModule:
    """Return a function of some million nodes, in loops of a few statements each."""
    loops: list[tir.Stmt] = []
    for i in range(12_000):
        first, second = tir.Var("i"), tir.Var("j")
        load = tir.BufferLoad(
            A, [first, tir.FloorMod(tir.Add(tir.Mul(second, N), first), tir.const(16))]
        )
        expr: PrimExpr = tir.Add(load, tir.const(i))
        for _ in range(16):
            expr = tir.Add(tir.Mul(expr, second), tir.Add(first, N))
        store = tir.BufferStore(A, expr, [second, first])
        inner = tir.For(second, tir.const(0), tir.const(16), tir.ForKind.SERIAL, store)
        loops.append(tir.For(first, tir.const(0), tir.const(16), tir.ForKind.SERIAL, inner))
    return module_of(tir.SeqStmt([*loops, tir.Evaluate(tir.const(0))]))


MODULES = {
    "expression": deep_expression,
    "statement": deep_statement,
    "shared": shared_expression,
    "function": wide_function,
}


@pytest.fixture(scope="module", params=MODULES, ids=lambda name: name)
def module(request: pytest.FixtureRequest) -> IRModule:
    return MODULES[request.param]()


@pytest.mark.parametrize("name", uirs_passes())
def test_passes_do_not_overflow(module: IRModule, name: str) -> None:
    after = transform.make_pass(name, *ARGUMENTS.get(name, []))(module)
    assert list(verify(after)) == []


@pytest.mark.parametrize("make", [deep_expression, wide_function])
def test_the_printer_does_not_overflow(make: Callable[[], IRModule]) -> None:
    assert script.print(make()).count("A[") >= 1
