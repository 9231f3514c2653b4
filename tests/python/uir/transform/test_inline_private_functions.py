"""The bodies of private functions stand where these were called."""

from __future__ import annotations

from typing import Any

import numpy as np

from uir.ir import DictAttrs, GlobalVar, IntImm, IRModule, PrimExpr, verify
from uir.tir import (
    AllocBuffer,
    Bind,
    Buffer,
    BufferLoad,
    BufferStore,
    Call,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    Let,
    PrimFunc,
    SeqStmt,
    Stmt,
    Var,
    call_intrin,
    const,
    decl_buffer,
)
from uir.transform import InlinePrivateFunctions

from ...support.interpreter import run

MAIN, F, G = GlobalVar("main"), GlobalVar("f"), GlobalVar("g")
X, Y = Var("x"), Var("y")
PUBLIC = DictAttrs({"global_symbol": "main"})


def buffer(name: str, extent: PrimExpr | int = 4) -> Buffer:
    return decl_buffer([extent], "int32", name)


OUT, H = buffer("out"), Var("h", "handle")


def main(*stmts: Stmt) -> PrimFunc:
    return PrimFunc([H], SeqStmt(stmts), buffer_map={H: OUT}, attrs=PUBLIC)


def call(var: GlobalVar, *args: PrimExpr, dtype: str = "void") -> Call:
    return Call(dtype, var, args)


def returning(value: PrimExpr, *params: Var) -> PrimFunc:
    return PrimFunc(params, Evaluate(call_intrin("void", "tir.ret", [value])))


def writing(*shape: PrimExpr | int) -> PrimFunc:
    """Return a function that writes its number, doubled, to the first element of its buffer."""
    part, handle = buffer("part", *shape), Var("part_handle", "handle")
    body = SeqStmt([Bind(Y, X * 2), BufferStore(part, Y, [const(0)])])
    return PrimFunc([handle, X], body, buffer_map={handle: part})


def inlined(module: IRModule) -> PrimFunc:
    after = InlinePrivateFunctions()(module)
    assert [problem.message for problem in verify(after)] == []
    func = after.lookup("main")
    assert isinstance(func, PrimFunc)
    array, expected = np.zeros(4, np.int32), np.zeros(4, np.int32)
    before = module.lookup("main")
    assert isinstance(before, PrimFunc)
    run(before, expected, module=module)
    run(func, array, module=after)
    assert array.tolist() == expected.tolist()
    return func


def stmts(func: PrimFunc) -> list[Any]:
    return list(func.body.seq) if isinstance(func.body, SeqStmt) else [func.body]


def test_a_call_that_is_a_statement() -> None:
    module = IRModule({MAIN: main(Evaluate(call(F, OUT.data, const(3)))), F: writing()})
    func = inlined(module)
    assert [type(stmt) for stmt in stmts(func)] == [DeclBuffer, Bind, BufferStore]
    assert stmts(func)[0].buffer.data.same_as(OUT.data)


def test_functions_whose_calls_are_gone_are_removed() -> None:
    module = IRModule(
        {MAIN: main(Evaluate(call(F, OUT.data, const(3)))), F: writing(), G: writing()}
    )
    after = InlinePrivateFunctions()(module)
    assert [str(var.name_hint) for var in after.functions] == ["main", "g"]


def test_arguments_are_computed_once() -> None:
    load = BufferLoad(OUT, [const(1)])
    module = IRModule({MAIN: main(Evaluate(call(F, OUT.data, load))), F: writing()})
    func = inlined(module)
    assert [type(stmt) for stmt in stmts(func)] == [Bind, DeclBuffer, Bind, BufferStore]
    value = BufferStore(OUT, call(G, load + 1, dtype="int32"), [const(0)])
    func = inlined(IRModule({MAIN: main(value), G: returning(X * X, X)}))
    assert isinstance(stmts(func)[0].value, Let)


def test_every_call_has_variables_of_its_own() -> None:
    calls = [Evaluate(call(F, OUT.data, const(i))) for i in (3, 4)]
    func = inlined(IRModule({MAIN: main(*calls), F: writing()}))
    assert len(stmts(func)) == 6
    shared = Let(Y, X + 1, Y * Y)
    twice = call(G, const(1), dtype="int32") + call(G, const(2), dtype="int32")
    inlined(IRModule({MAIN: main(BufferStore(OUT, twice, [const(0)])), G: returning(shared, X)}))


def test_an_address_that_is_computed_is_bound() -> None:
    address = call_intrin("handle", "tir.address_of", [BufferLoad(OUT, [const(2)])])
    func = inlined(IRModule({MAIN: main(Evaluate(call(F, address, const(3)))), F: writing(2)}))
    assert isinstance(stmts(func)[0], Bind) and stmts(func)[0].var.dtype == "handle"


def test_shapes_follow_arguments() -> None:
    inlined(IRModule({MAIN: main(Evaluate(call(F, OUT.data, const(3)))), F: writing(X)}))
    symbolic = IRModule({MAIN: main(Evaluate(call(F, OUT.data, const(3)))), F: writing(Var("n"))})
    assert InlinePrivateFunctions()(symbolic).same_as(symbolic)


def test_calls_inside_of_inlined_functions_are_inlined() -> None:
    inner = call(G, X, dtype="int32")
    f = returning(inner + 1, X)
    value = BufferStore(OUT, call(F, const(3), dtype="int32"), [const(0)])
    module = IRModule({MAIN: main(value), F: f, G: returning(X * 2, X)})
    after = InlinePrivateFunctions()(module)
    assert [str(var.name_hint) for var in after.functions] == ["main"]
    inlined(module)


def test_recursive_functions_stay() -> None:
    loop = PrimFunc([X], Evaluate(call(F, X)))
    module = IRModule({MAIN: main(Evaluate(call(F, const(1)))), F: loop})
    assert InlinePrivateFunctions()(module).same_as(module)
    one, other = PrimFunc([X], Evaluate(call(G, X))), PrimFunc([X], Evaluate(call(F, X)))
    module = IRModule({MAIN: main(Evaluate(call(F, const(1)))), F: one, G: other})
    assert InlinePrivateFunctions()(module).same_as(module)


def test_public_functions_stay() -> None:
    public = PrimFunc([X], Evaluate(X), attrs=DictAttrs({"global_symbol": "f"}))
    module = IRModule({MAIN: main(Evaluate(call(F, const(1)))), F: public})
    assert InlinePrivateFunctions()(module).same_as(module)


def test_functions_that_leave_early_stay() -> None:
    leave = Evaluate(call_intrin("void", "tir.ret", [IntImm("int32", 0)]))
    early = PrimFunc([X], SeqStmt([leave, Evaluate(X)]))
    module = IRModule({MAIN: main(Evaluate(call(F, const(1)))), F: early})
    assert InlinePrivateFunctions()(module).same_as(module)


def test_calls_in_loops_allocate_in_each_iteration() -> None:
    local = buffer("local")
    body = SeqStmt([AllocBuffer(local), BufferStore(local, X, [const(0)])])
    i = Var("i")
    loop = For(i, const(0), const(2), ForKind.SERIAL, Evaluate(call(F, i)))
    func = inlined(IRModule({MAIN: main(loop), F: PrimFunc([X], body)}))
    assert isinstance(stmts(func)[0].body, SeqStmt)


def test_a_long_chain_of_calls() -> None:
    functions = {MAIN: main(Evaluate(call(F, const(0), dtype="int32")))}
    previous = F
    for i in range(3000):
        following = GlobalVar(f"f{i}")
        functions[previous] = returning(call(following, Y, dtype="int32"), Y)
        previous = following
    functions[previous] = returning(Y + 1, Y)
    after = InlinePrivateFunctions()(IRModule(functions))
    assert [str(var.name_hint) for var in after.functions] == ["main"]
