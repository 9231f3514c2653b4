"""Expressions take the places of variables, in buffers too."""

from __future__ import annotations

import pytest

from uir.ir import GlobalVar, IntImm, IRModule, PrimExpr, structural_equal
from uir.tir import (
    AttrStmt,
    Buffer,
    BufferLoad,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    PrimFunc,
    SeqStmt,
    Stmt,
    Var,
    const,
    decl_buffer,
)
from uir.transform import Substitute

N, M, H = Var("n"), Var("m"), Var("h", "handle")


def main_of(module: IRModule) -> PrimFunc:
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    return main


def substituted(func: PrimFunc, **by: PrimExpr) -> PrimFunc:
    replaced = {{"n": N, "m": M}[name]: expr for name, expr in by.items()}
    return main_of(Substitute(replaced)(IRModule({GlobalVar("main"): func})))


def body_of(body: Stmt, **by: PrimExpr) -> Stmt:
    return substituted(PrimFunc([N, M], body), **by).body


def same(a: Stmt, b: Stmt) -> bool:
    return structural_equal(a, b, map_free_vars=True)


def test_uses_become_the_expression() -> None:
    i = Var("i")
    body = For(i, const(0), N, ForKind.SERIAL, Evaluate(N * i + M))
    expected = For(i, const(0), M + 1, ForKind.SERIAL, Evaluate((M + 1) * i + M))
    assert same(body_of(body, n=M + 1), expected)


def test_a_replacement_is_not_replaced_again() -> None:
    assert same(body_of(Evaluate(N - M), n=M, m=N), Evaluate(M - N))


def test_buffers_follow_their_shapes() -> None:
    param, data = decl_buffer([N, const(2)], "int32", "A"), Var("B", "handle")
    view = Buffer(param.data, "int32", [N * 2], name="view")
    store = BufferStore(view, BufferLoad(param, [N - 1, const(0)]), [N])
    func = PrimFunc([H], SeqStmt([DeclBuffer(view), store]), buffer_map={H: param})
    result = substituted(func, n=const(4))
    buffer = result.buffer_map[H]
    assert isinstance(buffer.shape[0], IntImm) and buffer.shape[0].value == 4
    assert isinstance(result.body, SeqStmt)
    declared, stored = result.body.seq
    assert isinstance(declared, DeclBuffer) and isinstance(stored, BufferStore)
    assert declared.buffer.same_as(stored.buffer)
    load = stored.value
    assert isinstance(load, BufferLoad) and load.buffer.same_as(buffer)
    assert data.name == "B"


def test_notes_about_a_variable_follow() -> None:
    note = AttrStmt(N, "note", const(1), Evaluate(M))
    result = body_of(note, n=M)
    assert isinstance(result, AttrStmt) and result.node.same_as(M)


def test_what_uses_none_of_the_variables_stays() -> None:
    module = IRModule({GlobalVar("main"): PrimFunc([M], Evaluate(M))})
    assert Substitute({N: M})(module).same_as(module)


def test_data_types_must_agree() -> None:
    module = IRModule({GlobalVar("main"): PrimFunc([N], Evaluate(N))})
    message = "the value for variable `n` must be of its data type, `int32`, got `int64`"
    with pytest.raises(TypeError, match=message):
        Substitute({N: const(1, "int64")})(module)


def test_a_variable_that_is_bound_becomes_a_variable_only() -> None:
    body = For(N, const(0), const(4), ForKind.SERIAL, Evaluate(N))
    module = IRModule({GlobalVar("main"): PrimFunc([], body)})
    result = main_of(Substitute({N: M})(module)).body
    assert isinstance(result, For) and result.loop_var.same_as(M)
    with pytest.raises(TypeError, match="loop_var"):
        Substitute({N: const(1)})(module)
