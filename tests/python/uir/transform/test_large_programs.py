"""Passes, the verifier and the printer on a million nodes, and on expressions 100,000 deep."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from uir import script, transform
from uir.ir import DictAttrs, GlobalVar, IRModule, PrimExpr, verify
from uir.tir import (
    Add,
    BufferLoad,
    BufferStore,
    Evaluate,
    FloorMod,
    For,
    ForKind,
    IfThenElse,
    Mul,
    PrimFunc,
    SeqStmt,
    Stmt,
    Var,
    const,
    decl_buffer,
)

from .test_every_pass import ARGUMENTS, uirs_passes

DEPTH = 100_000
A, H, N = decl_buffer([16, 16], "int32", "A"), Var("h", "handle"), Var("n")


def module_of(body: Stmt) -> IRModule:
    attrs = DictAttrs({"global_symbol": "main"})
    func = PrimFunc([H, N], body, buffer_map={H: A}, attrs=attrs)
    return IRModule({GlobalVar("main"): func})


def deep_expression() -> IRModule:
    expr: PrimExpr = N
    for i in range(DEPTH):
        expr = Add(expr, N) if i % 2 else Add(const(i % 7), expr)
    return module_of(BufferStore(A, expr, [const(0), const(1)]))


def deep_statement() -> IRModule:
    body: Stmt = BufferStore(A, N, [const(0), const(1)])
    for i in range(DEPTH // 4):
        condition = IfThenElse(i < N, body)
        body = For(Var("i"), const(0), const(2), ForKind.SERIAL, condition)
    return module_of(body)


def shared_expression() -> IRModule:
    """Return a function whose expression has 200 nodes, and 2**200 paths to its leaves."""
    loops: list[Stmt] = []
    for kind in (ForKind.UNROLLED, ForKind.VECTORIZED):
        variable = Var("i")
        expr: PrimExpr = Add(N, variable)
        for _ in range(200):
            expr = Add(expr, expr)
        store = BufferStore(A, expr, [const(0), variable])
        loops.append(For(variable, const(0), const(4), kind, store))
    return module_of(SeqStmt(loops))


def wide_function() -> IRModule:
    """Return a function of some million nodes, in loops of a few statements each."""
    loops: list[Stmt] = []
    for i in range(12_000):
        first, second = Var("i"), Var("j")
        load = BufferLoad(A, [first, FloorMod(Add(Mul(second, N), first), const(16))])
        expr: PrimExpr = Add(load, const(i))
        for _ in range(16):
            expr = Add(Mul(expr, second), Add(first, N))
        store = BufferStore(A, expr, [second, first])
        inner = For(second, const(0), const(16), ForKind.SERIAL, store)
        loops.append(For(first, const(0), const(16), ForKind.SERIAL, inner))
    return module_of(SeqStmt([*loops, Evaluate(const(0))]))


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
