"""Statements that stand in exponentially many places: passes, the verifier and the printer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from uir import script, transform
from uir.ir import GlobalVar, IRModule, save_json, verify
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
