"""Iterations are written out one after the other, where that is wanted."""

from __future__ import annotations

from typing import Any

import pytest

from uir import tir
from uir.ir import GlobalVar, IRModule, structural_equal, verify
from uir.tir import (
    AllocBuffer,
    AttrStmt,
    Bind,
    BufferStore,
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
from uir.transform import PassContext, UnrollLoop

N, J, K = Var("n"), Var("j"), Var("k")
A, H = decl_buffer([64], "int32", "A"), Var("h", "handle")


def module_of(body: Stmt) -> IRModule:
    return IRModule({GlobalVar("main"): PrimFunc([H, N], body, buffer_map={H: A})})


def unrolled(body: Stmt, **options: Any) -> Stmt:
    config = {f"UnrollLoop.{name}": value for name, value in options.items()}
    with PassContext(config=config):
        module = UnrollLoop()(module_of(body))
    assert [problem.message for problem in verify(module)] == []
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    return main.body


def stays(body: Stmt, **options: Any) -> bool:
    return unrolled(body, **options).same_as(body)


def becomes(body: Stmt, *expected: Stmt, **options: Any) -> bool:
    after = expected[0] if len(expected) == 1 else SeqStmt(expected)
    return structural_equal(unrolled(body, **options), after, map_free_vars=True)


def store(value: Any) -> Stmt:
    return BufferStore(A, value, [const(0)])


def loop(extent: int, body: Stmt, kind: ForKind = ForKind.SERIAL, variable: Var = J) -> For:
    return For(variable, const(0), const(extent), kind, body)


def marked(extent: int, body: Stmt, variable: Var = J) -> For:
    return loop(extent, body, ForKind.UNROLLED, variable)


def test_marked_loops_are_written_out() -> None:
    iterations = [store(tir.Add(const(i), N)) for i in range(3)]
    assert becomes(marked(3, store(tir.Add(J, N))), *iterations)
    assert stays(loop(3, store(J)))


def test_first_value_and_step() -> None:
    body = For(J, const(5), const(5), ForKind.UNROLLED, store(J), step=const(2))
    assert becomes(body, store(const(5)), store(const(7)), store(const(9)))
    symbolic = For(J, N, const(2), ForKind.UNROLLED, store(J))
    assert becomes(symbolic, store(N), store(N + 1))


def test_no_iteration_leaves_nothing() -> None:
    result = unrolled(marked(0, store(J)))
    assert isinstance(result, SeqStmt) and len(result.seq) == 0


def test_each_iteration_binds_variables_of_its_own() -> None:
    x = Var("x")
    local = decl_buffer([4], "int32", "local")
    body = SeqStmt([AllocBuffer(local), Bind(x, J + N), BufferStore(local, x, [J])])
    result = unrolled(marked(2, body))
    assert isinstance(result, SeqStmt) and len(result.seq) == 6


def test_sequences_stay_flat() -> None:
    body = SeqStmt([store(N), marked(2, store(K), K), store(N)])
    result = unrolled(body)
    assert isinstance(result, SeqStmt) and len(result.seq) == 4


def test_extents_must_be_constant() -> None:
    body = For(J, const(0), N, ForKind.UNROLLED, store(J))
    message = "loop `j` is to be unrolled and must have a constant extent"
    with pytest.raises(ValueError, match=message):
        unrolled(body)


def test_serial_loops_of_few_steps() -> None:
    body = loop(4, SeqStmt([store(J), Evaluate(J)]))
    assert stays(body, auto_max_step=7)
    result = unrolled(body, auto_max_step=8)
    assert isinstance(result, SeqStmt) and len(result.seq) == 8


def test_serial_loops_around_loops_that_stay() -> None:
    body = loop(2, loop(64, store(K), variable=K))
    assert stays(body, auto_max_step=8)


def test_serial_loops_of_small_extent() -> None:
    body = loop(2, SeqStmt([store(J)] * 50))
    assert stays(body, auto_max_extent=1)
    result = unrolled(body, auto_max_extent=2)
    assert isinstance(result, SeqStmt) and len(result.seq) == 100


def test_depth_of_serial_loops() -> None:
    inner = loop(2, store(J + K), variable=K)
    assert not stays(loop(2, inner), auto_max_step=64, auto_max_depth=0)
    result = unrolled(loop(2, inner), auto_max_step=64, auto_max_depth=0)
    assert isinstance(result, For) and isinstance(result.body, SeqStmt)
    result = unrolled(loop(2, inner), auto_max_step=64, auto_max_depth=1)
    assert isinstance(result, SeqStmt) and len(result.seq) == 4


def test_more_steps_than_can_be_counted_are_many() -> None:
    def long_loop(body: Stmt) -> For:
        zero, extent = const(0, "int64"), const(1 << 62, "int64")
        return For(Var("i", "int64"), zero, extent, ForKind.SERIAL, body)

    options = {"auto_max_step": 8, "explicit_unroll": False}
    assert stays(long_loop(SeqStmt([store(N)] * 4)), **options)
    inner = For(J, const(0), const(1 << 30), ForKind.UNROLLED, store(N))
    outer = For(K, const(0), const(1 << 30), ForKind.UNROLLED, inner)
    assert stays(loop(16, outer, variable=Var("i")), **options)


def test_loops_may_only_be_marked() -> None:
    result = unrolled(loop(2, store(J)), auto_max_step=8, explicit_unroll=False)
    assert isinstance(result, For) and result.kind == ForKind.UNROLLED
    assert stays(marked(2, store(J)), explicit_unroll=False)


def test_parallel_and_vectorized_loops_stay() -> None:
    for kind in (ForKind.PARALLEL, ForKind.VECTORIZED):
        assert stays(loop(2, store(J), kind), auto_max_step=64, auto_max_extent=8)


def test_notes_set_options_for_a_statement() -> None:
    note = AttrStmt(None, "pragma_auto_unroll_max_step", const(8), loop(2, store(J)))
    assert becomes(note, store(const(0)), store(const(1)))
    only = AttrStmt(None, "pragma_unroll_explicit", const(0), note)
    result = unrolled(only)
    assert isinstance(result, For) and result.kind == ForKind.UNROLLED


def test_options_are_checked() -> None:
    with pytest.raises(TypeError, match=r"UnrollLoop\.auto_max_step"):
        PassContext(config={"UnrollLoop.auto_max_step": "many"})


@pytest.mark.parametrize("explicit", [True, False])
def test_loops_of_one_iteration_go_at_any_depth(explicit: bool) -> None:
    inner = For(K, const(0), N, ForKind.SERIAL, store(J + K))
    body = loop(1, inner, ForKind.PARALLEL)
    expected = For(K, const(0), N, ForKind.SERIAL, store(tir.Add(const(0), K)))
    assert becomes(body, expected, auto_max_extent=1, explicit_unroll=explicit)
    assert stays(loop(2, inner), auto_max_extent=1)
    assert stays(body, auto_max_extent=2)


def local_loop(scope: str) -> Stmt:
    """Return a loop over a loop that the index of a buffer of some scope uses."""
    local = decl_buffer([64], "int32", "L", scope=scope)
    inner = For(K, const(0), N, ForKind.SERIAL, BufferStore(local, K, [J * 2]))
    return SeqStmt([AllocBuffer(local), loop(2, inner)])


@pytest.mark.parametrize("scope", ["local", "warp"])
def test_indices_of_registers_are_unrolled(scope: str) -> None:
    body = unrolled(local_loop(scope), unroll_local_access=True)
    assert isinstance(body, SeqStmt)
    assert [type(stmt) for stmt in body.seq] == [AllocBuffer, For, For]
    marked = unrolled(local_loop(scope), unroll_local_access=True, explicit_unroll=False)
    assert isinstance(marked, SeqStmt)
    assert isinstance(marked.seq[1], For)
    assert marked.seq[1].kind == ForKind.UNROLLED


def test_other_indices_are_not() -> None:
    assert stays(local_loop("global"), unroll_local_access=True)
    assert stays(local_loop("local"))


@pytest.mark.parametrize(
    ("extents", "serial"),
    [([2_000_000_000], [2_000_000_000]), ([1000] * 4, [1000] * 3), ([1 << 16, 2], [2])],
)
def test_a_loop_of_too_many_steps_becomes_serial(extents: list[int], serial: list[int]) -> None:
    body: Stmt = BufferStore(A, const(1), [const(0)])
    for extent in extents:
        body = loop(extent, body, ForKind.UNROLLED, Var("i"))
    after, loops = unrolled(body), []
    while isinstance(after, For):
        loops.append((after.extent, after.kind))
        after = after.body
    assert [(extent.value, kind) for extent, kind in loops] == [
        (extent, ForKind.SERIAL) for extent in serial
    ]
