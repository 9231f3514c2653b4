"""Statements that stand in exponentially many places: passes, the verifier and the printer."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from uir import lower, script, te, transform
from uir.ir import GlobalVar, IRModule, PrimExpr, save_json, verify
from uir.tir import (
    AllocBuffer,
    BufferLoad,
    BufferStore,
    For,
    ForKind,
    IfThenElse,
    PrimFunc,
    SeqStmt,
    Stmt,
    Var,
    const,
    decl_buffer,
)

from .test_every_pass import ARGUMENTS, uirs_passes

LEVELS = 60
A, H, N = decl_buffer([16, 16], "int32", "A"), Var("h", "handle"), Var("n")
RENAMES = (
    "ConvertSSA",
    "InlinePrivateFunctions",
    "LoopPartition",
    "HoistExpression",
    "HoistIfThenElse",
    "MultiversionFunctions",
)
"""The passes that may give the bindings of each place variables of their own."""


def module_of(body: Stmt) -> IRModule:
    return IRModule({GlobalVar("main"): PrimFunc([H, N], body, buffer_map={H: A})})


def doubled(wrap: Callable[[int, Stmt], Stmt]) -> IRModule:
    """Return a function of some statements, in which a store stands in 2**60 places."""
    body: Stmt = BufferStore(A, N + 1 - N, [const(0), const(1)])
    for level in range(LEVELS):
        body = wrap(level, SeqStmt([body, body]))
    return module_of(body)


def branch(level: int, body: Stmt) -> Stmt:
    return IfThenElse(BufferLoad(A, [const(0), const(0)]) < const(level), body)


def loop(level: int, body: Stmt) -> Stmt:
    return For(Var(f"i{level}"), const(0), const(4), ForKind.SERIAL, body)


@pytest.mark.parametrize("name", uirs_passes())
def test_passes_take_linear_time(name: str) -> None:
    after = transform.make_pass(name, *ARGUMENTS.get(name, []))(doubled(branch))
    assert list(verify(after)) == []
    assert len(save_json(after)) < 200_000


@pytest.mark.parametrize("name", [name for name in uirs_passes() if name not in RENAMES])
def test_passes_take_linear_time_for_statements_that_bind(name: str) -> None:
    run = transform.make_pass(name, *ARGUMENTS.get(name, []))
    if name == "VerifyWellFormed":
        with pytest.raises(ValueError, match="`i58` is bound twice"):
            run(doubled(loop))
    else:
        assert len(save_json(run(doubled(loop)))) < 200_000


def test_the_places_of_a_statement_know_different_facts() -> None:
    store = BufferStore(A, N, [const(0), const(1)])
    shared = IfThenElse(N < 4, store)
    module = module_of(SeqStmt([IfThenElse(N < 2, shared), IfThenElse(N > 8, shared), shared]))
    text = script.print(transform.Simplify()(module))
    assert text.count("if n < 4:") == 1 and text.count("if n < 2:") == 1
    assert "if 8 < n:\n            pass" in text


def test_the_printer_takes_linear_time() -> None:
    module = doubled(branch)
    assert len(script.print(module)) < 200_000


def test_memory_lives_until_the_last_place_of_a_statement() -> None:
    one, other = (decl_buffer([16], "int32", name) for name in ("one", "other"))
    fill = BufferStore(one, N, [const(0)])
    read = BufferStore(A, BufferLoad(one, [const(0)]), [const(0), const(1)])
    between = SeqStmt(
        [
            BufferStore(other, N, [const(0)]),
            BufferStore(A, BufferLoad(other, [const(0)]), [const(0), const(2)]),
        ]
    )
    body = SeqStmt([AllocBuffer(one), AllocBuffer(other), fill, read, *between.seq, read])
    module = module_of(body)
    assert transform.StorageRewrite()(module).same_as(module)


def under_other_facts(levels: int) -> IRModule:
    """Return a function in which a store stands in 2**levels places, each with other facts."""
    body: Stmt = BufferStore(A, N + 1 - N, [const(0), const(1)])
    for level in range(levels):
        choices = (IfThenElse(const(2 * level + odd) > N, body) for odd in range(2))
        body = SeqStmt(list(choices))
    return module_of(body)


def in_many_places(length: int) -> IRModule:
    """Return a function of as many places as loops that stand in each of them."""
    guarded = [IfThenElse(const(level) > N, BufferStore(A, N, [N, N])) for level in range(length)]
    shared = SeqStmt([loop(level, choice) for level, choice in enumerate(guarded)])
    return module_of(SeqStmt([branch(level, shared) for level in range(length)]))


def deep_nest(length: int) -> IRModule:
    body: Stmt = BufferStore(A, N, [const(0), const(1)])
    for level in range(length):
        body = SeqStmt([BufferStore(A, N, [const(1), const(1)]), branch(level, body)])
    return module_of(body)


def seconds(run: Callable[[IRModule], object], module: IRModule) -> float:
    begin = time.process_time()
    run(module)
    return time.process_time() - begin


@pytest.mark.parametrize(
    ("run", "make", "length"),
    [
        (transform.Simplify(), under_other_facts, 15),
        (transform.Simplify(), in_many_places, 125),
        (script.print, deep_nest, 1_000),
    ],
)
def test_eight_times_the_statements_take_about_eight_times_as_long(
    run: Callable[[IRModule], object], make: Callable[[int], IRModule], length: int
) -> None:
    short = min(seconds(run, make(length)) for _ in range(3))
    # Quadratic time would be 64 times as long.
    assert seconds(run, make(8 * length)) < 40 * max(short, 0.001)


def test_what_stands_in_places_with_other_facts_is_simplified_in_each_of_some() -> None:
    text = script.print(transform.Simplify()(under_other_facts(4)))
    assert "n + 1 - n" not in text and text.count("A[0, 1] = 1") >= 4


def test_the_pipeline_takes_a_shared_expression() -> None:
    """An expression with 2^60 paths; what visits each of them does not end."""
    x = te.placeholder((64,), "float32", "x")

    def doubled(i: Var) -> PrimExpr:
        value: PrimExpr = x[i]
        for _ in range(60):
            value = value + value
        return value

    func = te.create_prim_func([x, te.compute((64,), doubled, "y")])
    assert len(lower(func).functions) == 1
