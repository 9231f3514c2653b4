"""Expressions take the places of variables, in buffers too."""

from __future__ import annotations

import pytest

from uir import tir
from uir.ir import GlobalVar, IntImm, IRModule, PrimExpr, structural_equal
from uir.transform import Substitute

N, M, H = tir.Var("n"), tir.Var("m"), tir.Var("h", "handle")


def main_of(module: IRModule) -> tir.PrimFunc:
    main = module.lookup("main")
    assert isinstance(main, tir.PrimFunc)
    return main


def substituted(func: tir.PrimFunc, **by: PrimExpr) -> tir.PrimFunc:
    replaced = {{"n": N, "m": M}[name]: expr for name, expr in by.items()}
    return main_of(Substitute(replaced)(IRModule({GlobalVar("main"): func})))


def body_of(body: tir.Stmt, **by: PrimExpr) -> tir.Stmt:
    return substituted(tir.PrimFunc([N, M], body), **by).body


def same(a: tir.Stmt, b: tir.Stmt) -> bool:
    return structural_equal(a, b, map_free_vars=True)


def test_uses_become_the_expression() -> None:
    i = tir.Var("i")
    body = tir.For(i, tir.const(0), N, tir.ForKind.SERIAL, tir.Evaluate(N * i + M))
    expected = tir.For(i, tir.const(0), M + 1, tir.ForKind.SERIAL, tir.Evaluate((M + 1) * i + M))
    assert same(body_of(body, n=M + 1), expected)


def test_a_replacement_is_not_replaced_again() -> None:
    assert same(body_of(tir.Evaluate(N - M), n=M, m=N), tir.Evaluate(M - N))


def test_buffers_follow_their_shapes() -> None:
    param, data = tir.decl_buffer([N, tir.const(2)], "int32", "A"), tir.Var("B", "handle")
    view = tir.Buffer(param.data, "int32", [N * 2], name="view")
    store = tir.BufferStore(view, tir.BufferLoad(param, [N - 1, tir.const(0)]), [N])
    func = tir.PrimFunc([H], tir.SeqStmt([tir.DeclBuffer(view), store]), buffer_map={H: param})
    result = substituted(func, n=tir.const(4))
    buffer = result.buffer_map[H]
    assert isinstance(buffer.shape[0], IntImm) and buffer.shape[0].value == 4
    assert isinstance(result.body, tir.SeqStmt)
    declared, stored = result.body.seq
    assert isinstance(declared, tir.DeclBuffer) and isinstance(stored, tir.BufferStore)
    assert declared.buffer.same_as(stored.buffer)
    load = stored.value
    assert isinstance(load, tir.BufferLoad) and load.buffer.same_as(buffer)
    assert data.name == "B"


def test_notes_about_a_variable_follow() -> None:
    note = tir.AttrStmt(N, "note", tir.const(1), tir.Evaluate(M))
    result = body_of(note, n=M)
    assert isinstance(result, tir.AttrStmt) and result.node.same_as(M)


def test_what_uses_none_of_the_variables_stays() -> None:
    module = IRModule({GlobalVar("main"): tir.PrimFunc([M], tir.Evaluate(M))})
    assert Substitute({N: M})(module).same_as(module)


def test_data_types_must_agree() -> None:
    module = IRModule({GlobalVar("main"): tir.PrimFunc([N], tir.Evaluate(N))})
    message = "the value for variable `n` must be of its data type, `int32`, got `int64`"
    with pytest.raises(TypeError, match=message):
        Substitute({N: tir.const(1, "int64")})(module)


def test_a_variable_that_is_bound_becomes_a_variable_only() -> None:
    body = tir.For(N, tir.const(0), tir.const(4), tir.ForKind.SERIAL, tir.Evaluate(N))
    module = IRModule({GlobalVar("main"): tir.PrimFunc([], body)})
    result = main_of(Substitute({N: M})(module)).body
    assert isinstance(result, tir.For) and result.loop_var.same_as(M)
    with pytest.raises(TypeError, match="loop_var"):
        Substitute({N: tir.const(1)})(module)
