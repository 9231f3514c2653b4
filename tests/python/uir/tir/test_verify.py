"""What `verify` finds wrong with tensor-level functions: all of it, and where."""

from __future__ import annotations

import pytest

from uir.ir import GlobalVar, IntImm, IRModule, Range, SourceName, Span, verify
from uir.tir import (
    Add,
    AllocBuffer,
    AttrStmt,
    Bind,
    Block,
    BlockRealize,
    Broadcast,
    Buffer,
    BufferLoad,
    BufferRegion,
    BufferStore,
    Call,
    CommReducer,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    IterVar,
    IterVarType,
    Let,
    MatchBufferRegion,
    PrimFunc,
    Reduce,
    SeqStmt,
    Stmt,
    Var,
    While,
    decl_buffer,
)

from ....differential.programs.functions import random_func, random_module
from ..support import I32, TRUE, X, Y

ZERO = IntImm("int32", 0)
TEN = IntImm("int32", 10)
J = Var("i")


def module_of(body: Stmt, *params: Var, **options: object) -> IRModule:
    return IRModule({GlobalVar("main"): PrimFunc(params, body, **options)})  # type: ignore[arg-type]


def problems(body: Stmt, *params: Var, **options: object) -> list[str]:
    """Return what is wrong with a function of this body."""
    return [str(problem.message) for problem in verify(module_of(body, *params, **options))]


def loop(body: Stmt, variable: Var = J, kind: ForKind = ForKind.SERIAL) -> For:
    return For(variable, ZERO, TEN, kind, body)


def local(name: str = "A") -> Buffer:
    return decl_buffer([TEN], "int32", name)


def store(buffer: Buffer, index: Var | IntImm = ZERO) -> BufferStore:
    return BufferStore(buffer, I32, [index])


@pytest.mark.parametrize("seed", range(30))
def test_random_programs_are_well_formed(seed: int) -> None:
    assert list(verify(IRModule({GlobalVar("main"): random_func(seed)}))) == []
    assert list(verify(random_module(seed))) == []


def test_variables_that_are_not_bound() -> None:
    body = SeqStmt([Evaluate(X), Evaluate(Y), Evaluate(J)])
    expected = ["variable `x` is not bound", "variable `i` is not bound"]
    assert problems(body, Y) == expected


def test_variables_end_with_their_scope() -> None:
    outside = "variable `x` is used outside of its scope"
    assert problems(SeqStmt([Evaluate(Let(X, I32, X)), Evaluate(X)])) == [outside]
    assert problems(SeqStmt([loop(Evaluate(X), X), Evaluate(X)])) == [outside]
    inner = SeqStmt([Bind(X, I32), Evaluate(X)])
    assert problems(SeqStmt([IfThenElse(TRUE, inner), Evaluate(X)])) == [outside]
    assert problems(SeqStmt([While(TRUE, inner), Evaluate(X)])) == [outside]
    assert problems(SeqStmt([Bind(X, I32), Evaluate(X)])) == []


def test_variables_are_bound_once() -> None:
    twice = "`x` is bound twice"
    assert problems(SeqStmt([loop(Evaluate(X), X), loop(Evaluate(X), X)])) == [twice]
    assert problems(Evaluate(Let(X, I32, Let(X, I32, X)))) == [twice]
    assert problems(loop(Evaluate(X), X), X) == [twice]


def test_expressions_beside_each_other_may_bind_one_variable() -> None:
    shared = Let(X, I32, X + 1)
    assert problems(Evaluate(shared + shared)) == []
    assert problems(SeqStmt([Evaluate(shared), Evaluate(Let(X, TEN, X))])) == []
    assert problems(Evaluate(Let(X, TEN, shared))) == ["`x` is bound twice"]
    assert problems(loop(Evaluate(shared), X)) == ["`x` is bound twice"]


def test_a_variable_belongs_to_one_function() -> None:
    one, two = PrimFunc([X], Evaluate(X)), PrimFunc([X], Evaluate(X))
    module = IRModule({GlobalVar("one"): one, GlobalVar("two"): two})
    assert [str(problem.message) for problem in verify(module)] == ["`x` is bound twice"]


def test_buffers_are_used_where_they_are_declared() -> None:
    a = local()
    assert problems(SeqStmt([AllocBuffer(a), store(a)])) == []
    assert problems(store(a)) == ["buffer `A` is not declared"]
    inner = IfThenElse(TRUE, SeqStmt([AllocBuffer(a), store(a)]))
    outside = "buffer `A` is used outside of its allocation"
    assert problems(SeqStmt([inner, store(a), Evaluate(BufferLoad(a, [ZERO]))])) == [outside] * 2


def test_buffers_are_declared_in_memory_that_is_there() -> None:
    a, b = local(), local("B")
    view = Buffer(a.data, "int32", [X], name="view")
    assert problems(SeqStmt([AllocBuffer(a), DeclBuffer(view), store(view)]), X) == []
    assert problems(SeqStmt([DeclBuffer(b), store(b)])) == ["variable `B` is not bound"]
    assert problems(SeqStmt([AllocBuffer(a), DeclBuffer(view)])) == ["variable `x` is not bound"]


def test_parameters_bind_what_their_buffers_are_made_of() -> None:
    handle = Var("handle", "handle")
    buffer = Buffer(Var("data", "handle"), "int32", [X], [Y], J, name="A")
    options = {"buffer_map": {handle: buffer}}
    assert problems(SeqStmt([store(buffer), Evaluate(X + Y + J)]), handle, **options) == []


def test_blocks_bind_iterations_and_buffers() -> None:
    a, part = (
        local(),
        Buffer(Var("part", "handle"), "int32", [I32], [Y], Var("offset"), name="part"),
    )
    region = BufferRegion(a, [Range(X, I32)])
    axis = IterVar(X, Range(ZERO, TEN), IterVarType.DATA_PAR)
    match = MatchBufferRegion(part, region)
    block = Block([axis], [region], [], "b", store(part), match_buffers=[match], alloc_buffers=[a])
    assert problems(BlockRealize([ZERO], TRUE, block)) == []
    block = Block([axis], [region], [], "b", Evaluate(X))
    expected = ["buffer `A` is not declared"]
    assert problems(BlockRealize([ZERO], TRUE, block)) == expected


def test_reductions_bind_their_variables() -> None:
    combiner = CommReducer([X], [Y], [X + Y], [ZERO])
    axis = IterVar(J, Range(ZERO, TEN), IterVarType.COMM_REDUCE)
    assert problems(Evaluate(Reduce(combiner, [axis], [J], TRUE))) == []
    after = Add(Reduce(combiner, [axis], [J], TRUE), J)
    assert problems(Evaluate(after)) == ["variable `i` is used outside of its scope"]


def test_notes_that_launch_threads_bind_them() -> None:
    thread = IterVar(X, None, IterVarType.THREAD_INDEX, "threadIdx.x")
    launch = AttrStmt(thread, "thread_extent", TEN, Evaluate(X))
    assert problems(SeqStmt([launch, AttrStmt(thread, "thread_extent", TEN, Evaluate(X))])) == []
    assert problems(AttrStmt(thread, "note", TEN, Evaluate(X))) == ["variable `x` is not bound"]


def test_calls_of_functions() -> None:
    callee = GlobalVar("callee")
    other = PrimFunc([Var("a"), Var("h", "handle")], Evaluate(ZERO))

    def calling(*args: IntImm | Var, var: GlobalVar = callee) -> list[str]:
        main = PrimFunc([], Evaluate(Call("void", var, args)))
        module = IRModule({GlobalVar("main"): main, callee: other})
        return [str(problem.message) for problem in verify(module)]

    missing = (
        "there is no function `callee` in the module; the one of that name has another variable"
    )
    assert calling(var=GlobalVar("callee")) == [missing]
    assert calling(var=GlobalVar("x")) == ["there is no function `x` in the module"]
    assert calling(ZERO) == ["function `callee` takes 2 arguments, got 1"]
    assert calling(ZERO, ZERO) == ["parameter `h` of `callee` is `handle`, got `int32`"]


def thread(tag: str, iter_type: IterVarType = IterVarType.THREAD_INDEX) -> IterVar:
    return IterVar(Var(tag or "none"), None, iter_type, tag)


def test_kinds_of_loops() -> None:
    symbolic = For(J, ZERO, X, ForKind.VECTORIZED, Evaluate(J))
    assert problems(symbolic, X) == [
        'vectorized loop `i` must have a constant extent, got Var(dtype=int32, name="x")'
    ]

    def bound(axis: IterVar, body: Stmt, variable: Var = J) -> For:
        return For(variable, ZERO, TEN, ForKind.THREAD_BINDING, body, axis)

    assert problems(bound(thread("threadIdx.x"), Evaluate(J))) == []
    tag = "`thread_binding` of loop `i` must name a thread, such as `threadIdx.x`"
    kind = "`thread_binding` of loop `i` must be of `IterVarType.THREAD_INDEX`"
    assert problems(bound(thread("", IterVarType.DATA_PAR), Evaluate(J))) == [tag, kind]
    nested = bound(thread("threadIdx.x"), bound(thread("threadIdx.x"), Evaluate(X), X))
    outer = "loop `x` is bound to `threadIdx.x`, to which a loop around it is bound"
    assert problems(nested) == [outer]


def test_problems_say_where() -> None:
    span = Span(SourceName("a.py"), 3, 5, 3, 9)
    first = Evaluate(Var("a", span=span))
    second = loop(SeqStmt([Evaluate(ZERO), Bind(X, Var("b"))]))
    module = module_of(SeqStmt([first, second]))
    one, two = verify(module)
    assert one.node is not None and one.node.same_as(first.value)
    assert one.root is not None and one.root.same_as(module.lookup("main"))
    assert [str(note.message) for note in one.notes] == ['at `functions["main"].body.seq[0].value`']
    assert isinstance(one.node, Var) and one.node.span is not None and one.node.span.line == 3
    path = 'at `functions["main"].body.seq[1].body.seq[1].value`'
    assert [str(note.message) for note in two.notes] == [path]


def test_a_problem_names_the_other_place_too() -> None:
    first, second = loop(Evaluate(X), X), loop(Evaluate(X), X)
    (problem,) = verify(module_of(SeqStmt([first, second])))
    assert problem.node is not None and problem.node.same_as(second)
    assert problem.notes[0].node is not None and problem.notes[0].node.same_as(first)
    assert problem.notes[0].message == "`x` is bound here first"


def test_vectors_are_stored_with_their_lanes() -> None:
    a = local()
    wide = BufferStore(a, Broadcast(I32, 4), [Broadcast(ZERO, 4)])
    assert problems(SeqStmt([AllocBuffer(a), wide])) == []


def test_shared_expressions_take_time_linear_in_their_number() -> None:
    expr: Var | Add = X
    for _ in range(200):
        expr = Add(expr, expr)
    assert problems(Evaluate(expr), X) == []


def test_deep_expressions_do_not_overflow() -> None:
    expr: Var | Add = Y
    for _ in range(100_000):
        expr = Add(expr, X)
    (problem,) = verify(module_of(Evaluate(expr), X))
    assert problem.message == "variable `y` is not bound"
    assert len(problem.notes[0].message) < 300
