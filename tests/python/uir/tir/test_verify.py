"""What `verify` finds wrong with tensor-level functions: all of it, and where."""

from __future__ import annotations

import pytest

from uir import tir
from uir.ir import GlobalVar, IntImm, IRModule, Range, SourceName, Span, verify

from ....differential.programs.functions import random_func, random_module
from ..support import I32, TRUE, X, Y

ZERO = IntImm("int32", 0)
TEN = IntImm("int32", 10)
J = tir.Var("i")


def module_of(body: tir.Stmt, *params: tir.Var, **options: object) -> IRModule:
    return IRModule({GlobalVar("main"): tir.PrimFunc(params, body, **options)})  # type: ignore[arg-type]


def problems(body: tir.Stmt, *params: tir.Var, **options: object) -> list[str]:
    """Return what is wrong with a function of this body."""
    return [str(problem.message) for problem in verify(module_of(body, *params, **options))]


def loop(body: tir.Stmt, variable: tir.Var = J, kind: tir.ForKind = tir.ForKind.SERIAL) -> tir.For:
    return tir.For(variable, ZERO, TEN, kind, body)


def local(name: str = "A") -> tir.Buffer:
    return tir.decl_buffer([TEN], "int32", name)


def store(buffer: tir.Buffer, index: tir.Var | IntImm = ZERO) -> tir.BufferStore:
    return tir.BufferStore(buffer, I32, [index])


@pytest.mark.parametrize("seed", range(30))
def test_random_programs_are_well_formed(seed: int) -> None:
    assert list(verify(IRModule({GlobalVar("main"): random_func(seed)}))) == []
    assert list(verify(random_module(seed))) == []


def test_variables_that_are_not_bound() -> None:
    body = tir.SeqStmt([tir.Evaluate(X), tir.Evaluate(Y), tir.Evaluate(J)])
    expected = ["variable `x` is not bound", "variable `i` is not bound"]
    assert problems(body, Y) == expected


def test_variables_end_with_their_scope() -> None:
    outside = "variable `x` is used outside of its scope"
    assert problems(tir.SeqStmt([tir.Evaluate(tir.Let(X, I32, X)), tir.Evaluate(X)])) == [outside]
    assert problems(tir.SeqStmt([loop(tir.Evaluate(X), X), tir.Evaluate(X)])) == [outside]
    inner = tir.SeqStmt([tir.Bind(X, I32), tir.Evaluate(X)])
    assert problems(tir.SeqStmt([tir.IfThenElse(TRUE, inner), tir.Evaluate(X)])) == [outside]
    assert problems(tir.SeqStmt([tir.While(TRUE, inner), tir.Evaluate(X)])) == [outside]
    assert problems(tir.SeqStmt([tir.Bind(X, I32), tir.Evaluate(X)])) == []


def test_variables_are_bound_once() -> None:
    twice = "`x` is bound twice"
    assert problems(tir.SeqStmt([loop(tir.Evaluate(X), X), loop(tir.Evaluate(X), X)])) == [twice]
    assert problems(tir.Evaluate(tir.Let(X, I32, tir.Let(X, I32, X)))) == [twice]
    assert problems(loop(tir.Evaluate(X), X), X) == [twice]


def test_expressions_beside_each_other_may_bind_one_variable() -> None:
    shared = tir.Let(X, I32, X + 1)
    assert problems(tir.Evaluate(shared + shared)) == []
    assert problems(tir.SeqStmt([tir.Evaluate(shared), tir.Evaluate(tir.Let(X, TEN, X))])) == []
    assert problems(tir.Evaluate(tir.Let(X, TEN, shared))) == ["`x` is bound twice"]
    assert problems(loop(tir.Evaluate(shared), X)) == ["`x` is bound twice"]


def test_a_variable_belongs_to_one_function() -> None:
    one, two = tir.PrimFunc([X], tir.Evaluate(X)), tir.PrimFunc([X], tir.Evaluate(X))
    module = IRModule({GlobalVar("one"): one, GlobalVar("two"): two})
    assert [str(problem.message) for problem in verify(module)] == ["`x` is bound twice"]


def test_buffers_are_used_where_they_are_declared() -> None:
    a = local()
    assert problems(tir.SeqStmt([tir.AllocBuffer(a), store(a)])) == []
    assert problems(store(a)) == ["buffer `A` is not declared"]
    inner = tir.IfThenElse(TRUE, tir.SeqStmt([tir.AllocBuffer(a), store(a)]))
    outside = "buffer `A` is used outside of its allocation"
    assert (
        problems(tir.SeqStmt([inner, store(a), tir.Evaluate(tir.BufferLoad(a, [ZERO]))]))
        == [outside] * 2
    )


def test_buffers_are_declared_in_memory_that_is_there() -> None:
    a, b = local(), local("B")
    view = tir.Buffer(a.data, "int32", [X], name="view")
    assert problems(tir.SeqStmt([tir.AllocBuffer(a), tir.DeclBuffer(view), store(view)]), X) == []
    assert problems(tir.SeqStmt([tir.DeclBuffer(b), store(b)])) == ["variable `B` is not bound"]
    assert problems(tir.SeqStmt([tir.AllocBuffer(a), tir.DeclBuffer(view)])) == [
        "variable `x` is not bound"
    ]


def test_parameters_bind_what_their_buffers_are_made_of() -> None:
    handle = tir.Var("handle", "handle")
    buffer = tir.Buffer(tir.Var("data", "handle"), "int32", [X], [Y], J, name="A")
    options = {"buffer_map": {handle: buffer}}
    assert problems(tir.SeqStmt([store(buffer), tir.Evaluate(X + Y + J)]), handle, **options) == []


def test_blocks_bind_iterations_and_buffers() -> None:
    a, part = (
        local(),
        tir.Buffer(tir.Var("part", "handle"), "int32", [I32], [Y], tir.Var("offset"), name="part"),
    )
    region = tir.BufferRegion(a, [Range(X, I32)])
    axis = tir.IterVar(X, Range(ZERO, TEN), tir.IterVarType.DATA_PAR)
    match = tir.MatchBufferRegion(part, region)
    block = tir.Block(
        [axis], [region], [], "b", store(part), match_buffers=[match], alloc_buffers=[a]
    )
    assert problems(tir.BlockRealize([ZERO], TRUE, block)) == []
    block = tir.Block([axis], [region], [], "b", tir.Evaluate(X))
    expected = ["buffer `A` is not declared"]
    assert problems(tir.BlockRealize([ZERO], TRUE, block)) == expected


def test_reductions_bind_their_variables() -> None:
    combiner = tir.CommReducer([X], [Y], [X + Y], [ZERO])
    axis = tir.IterVar(J, Range(ZERO, TEN), tir.IterVarType.COMM_REDUCE)
    assert problems(tir.Evaluate(tir.Reduce(combiner, [axis], [J], TRUE))) == []
    after = tir.Add(tir.Reduce(combiner, [axis], [J], TRUE), J)
    assert problems(tir.Evaluate(after)) == ["variable `i` is used outside of its scope"]


def test_notes_that_launch_threads_bind_them() -> None:
    thread = tir.IterVar(X, None, tir.IterVarType.THREAD_INDEX, "threadIdx.x")
    launch = tir.AttrStmt(thread, "thread_extent", TEN, tir.Evaluate(X))
    assert (
        problems(tir.SeqStmt([launch, tir.AttrStmt(thread, "thread_extent", TEN, tir.Evaluate(X))]))
        == []
    )
    assert problems(tir.AttrStmt(thread, "note", TEN, tir.Evaluate(X))) == [
        "variable `x` is not bound"
    ]


def test_calls_of_functions() -> None:
    callee = GlobalVar("callee")
    other = tir.PrimFunc([tir.Var("a"), tir.Var("h", "handle")], tir.Evaluate(ZERO))

    def calling(*args: IntImm | tir.Var, var: GlobalVar = callee) -> list[str]:
        main = tir.PrimFunc([], tir.Evaluate(tir.Call("void", var, args)))
        module = IRModule({GlobalVar("main"): main, callee: other})
        return [str(problem.message) for problem in verify(module)]

    missing = (
        "there is no function `callee` in the module; the one of that name has another variable"
    )
    assert calling(var=GlobalVar("callee")) == [missing]
    assert calling(var=GlobalVar("x")) == ["there is no function `x` in the module"]
    assert calling(ZERO) == ["function `callee` takes 2 arguments, got 1"]
    assert calling(ZERO, ZERO) == ["parameter `h` of `callee` is `handle`, got `int32`"]


def thread(tag: str, iter_type: tir.IterVarType = tir.IterVarType.THREAD_INDEX) -> tir.IterVar:
    return tir.IterVar(tir.Var(tag or "none"), None, iter_type, tag)


def test_kinds_of_loops() -> None:
    symbolic = tir.For(J, ZERO, X, tir.ForKind.VECTORIZED, tir.Evaluate(J))
    assert problems(symbolic, X) == [
        'vectorized loop `i` must have a constant extent, got Var(dtype=int32, name="x")'
    ]

    def bound(axis: tir.IterVar, body: tir.Stmt, variable: tir.Var = J) -> tir.For:
        return tir.For(variable, ZERO, TEN, tir.ForKind.THREAD_BINDING, body, axis)

    assert problems(bound(thread("threadIdx.x"), tir.Evaluate(J))) == []
    tag = "`thread_binding` of loop `i` must name a thread, such as `threadIdx.x`"
    kind = "`thread_binding` of loop `i` must be of `IterVarType.THREAD_INDEX`"
    assert problems(bound(thread("", tir.IterVarType.DATA_PAR), tir.Evaluate(J))) == [tag, kind]
    nested = bound(thread("threadIdx.x"), bound(thread("threadIdx.x"), tir.Evaluate(X), X))
    outer = "loop `x` is bound to `threadIdx.x`, to which a loop around it is bound"
    assert problems(nested) == [outer]


def test_problems_say_where() -> None:
    span = Span(SourceName("a.py"), 3, 5, 3, 9)
    first = tir.Evaluate(tir.Var("a", span=span))
    second = loop(tir.SeqStmt([tir.Evaluate(ZERO), tir.Bind(X, tir.Var("b"))]))
    module = module_of(tir.SeqStmt([first, second]))
    one, two = verify(module)
    assert one.node is not None and one.node.same_as(first.value)
    assert one.root is not None and one.root.same_as(module.lookup("main"))
    assert [str(note.message) for note in one.notes] == ['at `functions["main"].body.seq[0].value`']
    assert isinstance(one.node, tir.Var) and one.node.span is not None and one.node.span.line == 3
    path = 'at `functions["main"].body.seq[1].body.seq[1].value`'
    assert [str(note.message) for note in two.notes] == [path]


def test_a_problem_names_the_other_place_too() -> None:
    first, second = loop(tir.Evaluate(X), X), loop(tir.Evaluate(X), X)
    (problem,) = verify(module_of(tir.SeqStmt([first, second])))
    assert problem.node is not None and problem.node.same_as(second)
    assert problem.notes[0].node is not None and problem.notes[0].node.same_as(first)
    assert problem.notes[0].message == "`x` is bound here first"


def test_vectors_are_stored_with_their_lanes() -> None:
    a = local()
    wide = tir.BufferStore(a, tir.Broadcast(I32, 4), [tir.Broadcast(ZERO, 4)])
    assert problems(tir.SeqStmt([tir.AllocBuffer(a), wide])) == []


def test_shared_expressions_take_time_linear_in_their_number() -> None:
    expr: tir.Var | tir.Add = X
    for _ in range(200):
        expr = tir.Add(expr, expr)
    assert problems(tir.Evaluate(expr), X) == []


def test_deep_expressions_do_not_overflow() -> None:
    expr: tir.Var | tir.Add = Y
    for _ in range(100_000):
        expr = tir.Add(expr, X)
    (problem,) = verify(module_of(tir.Evaluate(expr), X))
    assert problem.message == "variable `y` is not bound"
    assert len(problem.notes[0].message) < 300
