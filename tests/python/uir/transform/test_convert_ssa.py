"""Each binding gets a variable of its own, where it has none."""

from __future__ import annotations

import pytest

from uir.ir import GlobalVar, IntImm, IRModule, Range, structural_equal, verify
from uir.tir import (
    AllocBuffer,
    AttrStmt,
    Bind,
    Block,
    BlockRealize,
    Buffer,
    BufferLoad,
    BufferStore,
    CommReducer,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    IterVar,
    IterVarType,
    Let,
    PrimFunc,
    Reduce,
    SeqStmt,
    Stmt,
    Var,
    const,
    decl_buffer,
)
from uir.transform import ConvertSSA

X, Y, N = Var("x"), Var("y"), Var("n")
TRUE = IntImm("bool", 1)


def module_of(body: Stmt) -> IRModule:
    return IRModule({GlobalVar("main"): PrimFunc([N], body)})


def loop(body: Stmt, variable: Var = X) -> For:
    return For(variable, const(0), const(3), ForKind.SERIAL, body)


def local(data: Var | None = None) -> Buffer:
    return Buffer(data or Var("A", "handle"), "int32", [const(4)], name="A")


A = local()
VIEW = Buffer(A.data, "int32", [N], name="view")
STORE = BufferStore(A, const(1), [const(0)])
AXIS = IterVar(X, Range(const(0), const(3)), IterVarType.DATA_PAR)
SUM = CommReducer([X], [Y], [X + Y], [const(0)])
REDUCED = IterVar(Var("k"), Range(const(0), const(3)), IterVarType.COMM_REDUCE)


@pytest.mark.parametrize(
    "body",
    [
        SeqStmt([loop(Evaluate(X)), loop(Evaluate(X))]),
        loop(SeqStmt([Evaluate(X), loop(Evaluate(X)), Evaluate(X)])),
        For(X, const(0), N, ForKind.SERIAL, For(X, const(0), X, ForKind.SERIAL, Evaluate(X))),
        Evaluate(Let(X, const(1), Let(X, X + 1, X)) + Let(X, const(2), X)),
        SeqStmt([Evaluate(Let(X, const(1), X)), Bind(X, N), Evaluate(X)]),
        SeqStmt([Bind(X, const(1)), Bind(X, X + 1), Evaluate(X)]),
        IfThenElse(TRUE, SeqStmt([Bind(X, N), Evaluate(X)]), SeqStmt([Bind(X, N), Evaluate(X)])),
        SeqStmt([loop(SeqStmt([AllocBuffer(A), STORE])), loop(SeqStmt([AllocBuffer(A), STORE]))]),
        SeqStmt(
            [
                AllocBuffer(A),
                IfThenElse(TRUE, SeqStmt([DeclBuffer(VIEW), Evaluate(BufferLoad(VIEW, [N]))])),
                IfThenElse(TRUE, SeqStmt([DeclBuffer(VIEW), Evaluate(BufferLoad(VIEW, [N]))])),
            ]
        ),
        SeqStmt([BlockRealize([N], TRUE, Block([AXIS], [], [], "b", Evaluate(X)))] * 2),
        Evaluate(Reduce(SUM, [REDUCED], [Reduce(SUM, [REDUCED], [N], TRUE)], TRUE)),
    ],
    ids=lambda body: type(body).__name__,
)
def test_everything_is_bound_once(body: Stmt) -> None:
    module = module_of(body)
    assert len(verify(module)) > 0
    converted = ConvertSSA()(module)
    assert [problem.message for problem in verify(converted)] == []
    assert ConvertSSA()(converted).same_as(converted)


def test_uses_follow_their_binding() -> None:
    inner = SeqStmt([Evaluate(X), loop(Evaluate(X + 1)), Evaluate(X + 2)])
    x, y = Var("a"), Var("b")
    expected = loop(SeqStmt([Evaluate(x), loop(Evaluate(y + 1), y), Evaluate(x + 2)]), x)
    assert structural_equal(ConvertSSA()(module_of(loop(inner))), module_of(expected))


def test_extents_are_outside_of_the_loop() -> None:
    inner = For(X, const(0), X, ForKind.SERIAL, Evaluate(X))
    x, y = Var("a"), Var("b")
    expected = loop(For(y, const(0), x, ForKind.SERIAL, Evaluate(y)), x)
    assert structural_equal(ConvertSSA()(module_of(loop(inner))), module_of(expected))


def test_names_are_kept() -> None:
    converted = ConvertSSA()(module_of(SeqStmt([loop(Evaluate(X)), loop(Evaluate(X))])))
    main = converted.lookup("main")
    assert isinstance(main, PrimFunc) and isinstance(main.body, SeqStmt)
    first, second = main.body.seq
    assert isinstance(first, For) and isinstance(second, For)
    assert first.loop_var.same_as(X) and not second.loop_var.same_as(X)
    assert second.loop_var.name == "x"


def test_functions_share_no_variable() -> None:
    handle, buffer = Var("h", "handle"), decl_buffer([X], "int32", "A")
    func = PrimFunc([handle], Evaluate(BufferLoad(buffer, [X - 1])), buffer_map={handle: buffer})
    module = IRModule({GlobalVar("one"): func, GlobalVar("two"): func})
    converted = ConvertSSA()(module)
    assert len(verify(module)) > 0 and len(verify(converted)) == 0
    assert converted.lookup("one").same_as(func)
    assert structural_equal(converted.lookup("two"), func)


def test_modules_that_bind_everything_once_stay() -> None:
    module = module_of(SeqStmt([AllocBuffer(A), loop(STORE)]))
    assert ConvertSSA()(module).same_as(module)


def test_threads_may_be_launched_again() -> None:
    thread = IterVar(X, None, IterVarType.THREAD_INDEX, "threadIdx.x")
    launch = AttrStmt(thread, "thread_extent", const(4), Evaluate(X))
    module = module_of(SeqStmt([launch, AttrStmt(thread, "thread_extent", const(4), Evaluate(X))]))
    assert ConvertSSA()(module).same_as(module)


def test_shared_expressions_stay_shared() -> None:
    expr = Let(X, N, X + 1)
    for _ in range(200):
        expr = Let(Var("z"), expr, expr)
    module = module_of(Evaluate(expr))
    assert ConvertSSA()(module).same_as(module)
