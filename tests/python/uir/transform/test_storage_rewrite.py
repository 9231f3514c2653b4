"""Allocations whose uses follow each other share memory."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from uir import tir
from uir.ir import GlobalVar, IntImm, IRModule, PrimExpr, Range, StringImm, post_order, verify
from uir.tir import (
    AllocBuffer,
    AssertStmt,
    Bind,
    Block,
    BlockRealize,
    Buffer,
    BufferLoad,
    BufferRegion,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    IterVar,
    IterVarType,
    MatchBufferRegion,
    PrimFunc,
    SeqStmt,
    Stmt,
    Var,
    call_intrin,
    const,
    decl_buffer,
)
from uir.transform import StorageRewrite

from ....differential.programs.functions import arguments, same_results
from ...support.interpreter import run

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


def test_vectors_in_registers_stay() -> None:
    """An array of vectors that is used at constant places is kept in registers, as itself."""
    first = tir.Broadcast(ONE, 4)
    for scope, stay in (("local", True), ("global", False)):
        a, b = (decl_buffer([2], "float32x4", name, scope=scope) for name in "ab")
        uses = [BufferStore(buffer, first, [const(0)]) for buffer in (a, b)]
        assert stays(AllocBuffer(a), AllocBuffer(b), *uses) == stay


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


def test_small_ones_stay() -> None:
    a, b = local("a", 1), local("b", 1)
    assert stays(AllocBuffer(a), AllocBuffer(b), each(a), each(b))


def sizes(body: Stmt) -> list[str]:
    """Return the names and extents of what a sequence allocates."""
    assert isinstance(body, SeqStmt)
    buffers = [stmt.buffer for stmt in body.seq if isinstance(stmt, AllocBuffer)]
    return [f"{b.name}: {', '.join(map(str, b.shape))}" for b in buffers]


def test_symbolic_sizes_share_memory() -> None:
    a, b, c = local("a", N + 1), local("b", N + 1), local("c", N * 2 + 1)
    one = AllocBuffer(a), each(a), AllocBuffer(b), each(b)
    assert sizes(rewritten(*one)) == ["a: n + 1"]
    other = AllocBuffer(a), each(a), AllocBuffer(c), each(c)
    assert sizes(rewritten(*other)) == ["a: tir.max(n + 1, n * 2 + 1)"]
    together = AllocBuffer(a), each(a), AllocBuffer(c), each(c), AllocBuffer(b), each(b)
    assert sizes(rewritten(*together)) == ["a: tir.max(n + 1, n * 2 + 1)"]
    small = local("s", N + 1, "int8")
    assert stays(AllocBuffer(a), each(a), AllocBuffer(small), each(small))
    rows = decl_buffer([N + 1, const(2)], "float32", "rows")
    zero = BufferStore(rows, ONE, [const(0), const(1)])
    assert sizes(rewritten(AllocBuffer(rows), zero, AllocBuffer(a), each(a))) == [
        "rows: tir.max((n + 1) * 2, n + 1)"
    ]


def test_memory_of_the_same_symbolic_size_comes_first() -> None:
    a, c, b = local("a", N + 1), local("c", N * 2 + 1), local("b", N * 2 + 1)
    both = each(a), each(c), each(a), each(c)
    body = rewritten(AllocBuffer(a), AllocBuffer(c), *both, AllocBuffer(b), each(b))
    assert sorted(sizes(body)) == ["a: n + 1", "c: n * 2 + 1"]


def test_symbolic_sizes_that_are_not_known_before_stay() -> None:
    bound, i = Var("bound"), Var("i")
    a, b = local("a", bound), local("b", bound)
    assert stays(Bind(bound, N + 1), AllocBuffer(a), each(a), AllocBuffer(b), each(b))
    a, b = local("a", N + 1), local("b", N + 1)
    both = AllocBuffer(a), each(a), AllocBuffer(b), each(b)
    assert stays(AssertStmt(StringImm("ValueError"), N > -1, []), *both)
    assert stays(For(i, const(0), const(2), ForKind.SERIAL, IfThenElse(N > 2, SeqStmt(both))))
    a, b = local("a", 16 // (N + 1)), local("b", 16 // (N + 1))
    assert stays(AllocBuffer(a), each(a), AllocBuffer(b), each(b))


def realized(body: list[Stmt], **options: Any) -> Stmt:
    """Return a loop that realizes a block with an axis `v`."""
    i, v = Var("i"), Var("v")
    axis = IterVar(v, Range(const(0), const(2)), IterVarType.DATA_PAR)
    block = Block([axis], [], [], "block", SeqStmt(body), **options)
    realize = BlockRealize([i], IntImm("bool", 1), block)
    return For(i, const(0), const(2), ForKind.SERIAL, realize)


def block_of(body: Stmt) -> Block:
    (block,) = post_order(body, Block)
    return block


def test_allocations_in_a_block_share_memory() -> None:
    a, b, c = local("a"), local("b"), local("c", 4)
    uses = [each(a), each(OUT, a), each(b), each(OUT, b), each(c), each(OUT, b)]
    block = block_of(rewritten(realized(uses, alloc_buffers=[a, b, c])))
    assert [str(x.name) for x in block.alloc_buffers] == ["c"]
    assert allocated(block.body) == [("a", 16)]
    uses = [AllocBuffer(a), *uses[:2], AllocBuffer(b), *uses[2:4]]
    assert allocated(block_of(rewritten(realized(uses))).body) == [("a", 16)]


def test_symbolic_allocations_in_a_block_share_memory() -> None:
    i, v = Var("i"), Var("v")
    axis = IterVar(v, Range(const(0), const(2)), IterVarType.DATA_PAR)
    a, b = local("a", N + v + 1), local("b", N + v + 1)
    block = Block([axis], [], [], "block", SeqStmt([each(a), each(b)]), alloc_buffers=[a, b])
    realize = BlockRealize([i], IntImm("bool", 1), block)
    body = rewritten(For(i, const(0), const(2), ForKind.SERIAL, realize))
    assert sizes(block_of(body).body) == ["a: n + v + 1"]


def test_buffers_that_a_block_uses_in_its_head_stay() -> None:
    a, b = local("a"), local("b")
    uses = [each(a), each(OUT, a), each(b), each(OUT, b)]
    whole = BufferRegion(a, [Range(const(0), const(16))])
    assert stays(realized(uses, alloc_buffers=[a, b], init=each(a)))
    stays_with_reads = realized(uses, alloc_buffers=[a, b])
    assert isinstance(stays_with_reads, For)
    realize = stays_with_reads.body
    assert isinstance(realize, BlockRealize)
    old = realize.block
    block = Block(old.iter_vars, [whole], [], "block", old.body, old.alloc_buffers)
    other = BlockRealize(realize.iter_values, realize.predicate, block)
    i = stays_with_reads.loop_var
    assert stays(For(i, const(0), const(2), ForKind.SERIAL, other))


def test_a_region_that_a_block_matches_is_a_use() -> None:
    a, b = local("a"), local("b")
    part = Buffer(Var("part", "handle"), "float32", [const(16)], name="part")
    match = MatchBufferRegion(part, BufferRegion(a, [Range(const(0), const(16))]))
    block = Block([], [], [], "block", each(OUT, part), match_buffers=[match])
    read = BlockRealize([], IntImm("bool", 1), block)
    uses = each(a), each(b), read, each(OUT, b)
    assert stays(AllocBuffer(a), AllocBuffer(b), *uses)


def test_an_extent_in_memory_is_a_use() -> None:
    a, b = local("a", 2, "int32"), local("b", 2, "int32")
    extent = BufferLoad(a, [const(0)])
    rows = decl_buffer([extent], "float32", "rows")
    store = BufferStore(rows, ONE, [const(0)])
    assert stays(
        AllocBuffer(a), AllocBuffer(b), each(a), each(b), AllocBuffer(rows), store, each(b)
    )


def test_many_allocations_take_little_memory() -> None:
    buffers = [local(f"b{i}") for i in range(50)]
    stmts: list[Stmt] = [AllocBuffer(buffer) for buffer in buffers]
    stmts.append(each(buffers[0]))
    for source, target in pairwise(buffers):
        stmts.append(each(target, source, shift=1))
    body = rewritten(*stmts, each(OUT, buffers[-1]))
    assert len(allocated(body)) == 2
