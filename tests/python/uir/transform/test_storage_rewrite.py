"""Allocations whose uses follow each other share memory."""

from __future__ import annotations

from itertools import pairwise

from uir import tir
from uir.ir import GlobalVar, IntImm, IRModule, PrimExpr, StringImm, verify
from uir.tir import (
    AllocBuffer,
    Bind,
    Buffer,
    BufferLoad,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    PrimFunc,
    SeqStmt,
    Stmt,
    Var,
    call_intrin,
    const,
    decl_buffer,
)
from uir.transform import StorageRewrite

from ...support.interpreter import run
from ...support.programs import arguments, same_results

OUT, H, N = decl_buffer([16], "float32", "out"), Var("h", "handle"), Var("n")
ONE = const(1.0)


def local(name: str, extent: PrimExpr | int = 16, dtype: str = "float32") -> Buffer:
    return decl_buffer([extent], dtype, name)


def each(
    target: Buffer, value: object = None, shift: int = 0, kind: ForKind = ForKind.SERIAL
) -> Stmt:
    """Return a loop that writes each element: a constant, or what is made of another buffer's."""
    i = Var("i")
    element: PrimExpr = const(1, target.dtype)
    if isinstance(value, Buffer):
        index = tir.floormod(i + shift, 16) if shift else i
        element = tir.cast(BufferLoad(value, [index]) * 2, target.dtype)
    return For(i, const(0), target.shape[0], kind, BufferStore(target, element, [i]))


def module_of(*stmts: Stmt) -> IRModule:
    return IRModule({GlobalVar("main"): PrimFunc([H, N], SeqStmt(stmts), buffer_map={H: OUT})})


def rewritten(*stmts: Stmt) -> Stmt:
    """Return what becomes of a body, after a check that it means the same."""
    before = module_of(*stmts)
    after = StorageRewrite()(before)
    assert [problem.message for problem in verify(after)] == []
    old, new = before.lookup("main"), after.lookup("main")
    assert isinstance(old, PrimFunc) and isinstance(new, PrimFunc)
    one, other = arguments(old, 1), arguments(old, 1)
    run(old, *one)
    run(new, *other)
    assert same_results(one, other)
    return new.body


def allocated(body: Stmt) -> list[tuple[str, int]]:
    """Return the names and extents of what a sequence allocates in its beginning."""
    assert isinstance(body, SeqStmt)
    buffers = [stmt.buffer for stmt in body.seq if isinstance(stmt, AllocBuffer)]
    return [(str(b.name), e.value) for b in buffers for e in b.shape if isinstance(e, IntImm)]


def stays(*stmts: Stmt) -> bool:
    module = module_of(*stmts)
    return StorageRewrite()(module).same_as(module)


def test_uses_that_follow_each_other_share_memory() -> None:
    a, b = local("a"), local("b")
    body = rewritten(
        AllocBuffer(a), AllocBuffer(b), each(a), each(OUT, a), each(b), each(OUT, b, shift=1)
    )
    assert allocated(body) == [("a", 16)]
    assert isinstance(body, SeqStmt)
    (declared,) = [stmt.buffer for stmt in body.seq if isinstance(stmt, DeclBuffer)]
    assert declared.name == "b"


def test_uses_at_the_same_time_do_not() -> None:
    a, b = local("a"), local("b")
    allocations = AllocBuffer(a), AllocBuffer(b)
    assert stays(*allocations, each(a), each(b, a, shift=1), each(OUT, b))
    assert stays(*allocations, each(a), each(b), each(OUT, a), each(OUT, b))


def test_an_elementwise_statement_works_in_place() -> None:
    a, b = local("a"), local("b")
    allocations = AllocBuffer(a), AllocBuffer(b)
    assert allocated(rewritten(*allocations, each(a), each(b, a), each(OUT, b))) == [("a", 16)]
    i, k = Var("i"), Var("k")
    store = BufferStore(b, BufferLoad(a, [i]) * 2, [i])
    inner = For(k, const(0), const(2), ForKind.SERIAL, store)
    twice = For(i, const(0), const(16), ForKind.SERIAL, inner)
    assert stays(*allocations, each(a), twice, each(OUT, b))


def test_the_largest_determines_the_size() -> None:
    a, b = local("a", 4), local("b", 16)
    body = rewritten(AllocBuffer(a), AllocBuffer(b), each(a), each(b), each(OUT, b))
    assert allocated(body) == [("a", 16)]


def test_data_types_may_differ() -> None:
    a, b = local("a", 16), local("b", 16, "int8")
    body = rewritten(AllocBuffer(a), AllocBuffer(b), each(a), each(OUT, a), each(b), each(OUT, b))
    assert allocated(body) == [("a", 16)]


def test_scopes_of_storage_are_kept_apart() -> None:
    a, b = local("a"), decl_buffer([16], "float32", "b", scope="shared")
    assert stays(AllocBuffer(a), AllocBuffer(b), each(a), each(OUT, a), each(b), each(OUT, b))


def test_allocations_move_out_of_loops() -> None:
    a, i = local("a"), Var("i")
    inner = SeqStmt([AllocBuffer(a), each(a), each(OUT, a)])
    body = rewritten(For(i, const(0), const(2), ForKind.SERIAL, inner))
    assert allocated(body) == [("a", 16)]
    assert isinstance(body, SeqStmt) and isinstance(body.seq[1], For)
    assert isinstance(body.seq[1].body, SeqStmt) and len(body.seq[1].body.seq) == 2


def test_a_statement_that_is_left_alone_is_no_sequence() -> None:
    a, i = local("a"), Var("i")
    inner = SeqStmt([AllocBuffer(a), IfThenElse(N > 0, SeqStmt([each(a), each(OUT, a)]))])
    body = rewritten(For(i, const(0), const(2), ForKind.SERIAL, inner))
    assert isinstance(body, SeqStmt) and isinstance(body.seq[1], For)
    assert isinstance(body.seq[1].body, IfThenElse)


def test_a_value_that_outlives_an_iteration_keeps_its_memory() -> None:
    a, b, i = local("a"), local("b"), Var("i")
    inner = SeqStmt([AllocBuffer(b), each(OUT, a), each(b), each(OUT, b)])
    body = rewritten(AllocBuffer(a), each(a), For(i, const(0), const(2), ForKind.SERIAL, inner))
    assert allocated(body) == [("b", 16), ("a", 16)] or allocated(body) == [("a", 16), ("b", 16)]


def test_each_iteration_of_a_parallel_loop_has_memory_of_its_own() -> None:
    a, i = local("a"), Var("i")
    inner = SeqStmt([AllocBuffer(a), each(a), each(OUT, a)])
    assert stays(For(i, const(0), const(2), ForKind.PARALLEL, inner))
    nested = IfThenElse(N > 0, inner)
    loop = rewritten(For(i, const(0), const(2), ForKind.PARALLEL, nested))
    assert isinstance(loop, For)
    assert allocated(loop.body) == [("a", 16)]


def test_views_follow_the_memory() -> None:
    a, b = local("a"), local("b")
    view = Buffer(b.data, "float32", [const(4), const(4)], name="view")
    store = BufferStore(view, ONE, [const(1), const(2)])
    body = rewritten(
        AllocBuffer(a),
        AllocBuffer(b),
        each(a),
        each(OUT, a),
        each(b),
        IfThenElse(N >= 0, SeqStmt([DeclBuffer(view), store])),
        each(OUT, b),
    )
    assert allocated(body) == [("a", 16)]


def test_an_address_that_is_kept_pins_its_memory() -> None:
    a, b, kept = local("a"), local("b"), Var("kept", "handle")
    assert stays(
        AllocBuffer(a),
        AllocBuffer(b),
        Bind(kept, a.data),
        each(a),
        each(OUT, a),
        each(b),
        each(OUT, b),
    )
    address = call_intrin("handle", "tir.address_of", [BufferLoad(a, [const(0)])])
    uses = each(a), each(OUT, a), each(b), each(OUT, b)
    assert stays(AllocBuffer(a), AllocBuffer(b), Bind(kept, address), *uses)


def test_an_address_that_is_passed_is_a_use() -> None:
    a, b = local("a"), local("b")
    call = Evaluate(call_intrin("int32", "tir.call_extern", [StringImm("f"), a.data]))
    assert stays(AllocBuffer(a), AllocBuffer(b), each(a), each(b), call, each(OUT, b))


def test_sizes_that_are_not_known_and_small_ones_stay() -> None:
    a, b = local("a", N), local("b", N)
    assert stays(AllocBuffer(a), AllocBuffer(b), each(a), each(b))
    a, b = local("a", 1), local("b", 1)
    assert stays(AllocBuffer(a), AllocBuffer(b), each(a), each(b))


def test_many_allocations_take_little_memory() -> None:
    buffers = [local(f"b{i}") for i in range(50)]
    stmts: list[Stmt] = [AllocBuffer(buffer) for buffer in buffers]
    stmts.append(each(buffers[0]))
    for source, target in pairwise(buffers):
        stmts.append(each(target, source, shift=1))
    body = rewritten(*stmts, each(OUT, buffers[-1]))
    assert len(allocated(body)) == 2
