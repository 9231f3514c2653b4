"""Iterations are written out one after the other, where that is wanted."""

from __future__ import annotations

from typing import Any

import pytest

from uir import tir
from uir.ir import GlobalVar, IRModule, structural_equal, verify
from uir.transform import PassContext, UnrollLoop

N, J, K = tir.Var("n"), tir.Var("j"), tir.Var("k")
A, H = tir.decl_buffer([64], "int32", "A"), tir.Var("h", "handle")


def module_of(body: tir.Stmt) -> IRModule:
    return IRModule({GlobalVar("main"): tir.PrimFunc([H, N], body, buffer_map={H: A})})


def unrolled(body: tir.Stmt, **options: Any) -> tir.Stmt:
    config = {f"UnrollLoop.{name}": value for name, value in options.items()}
    with PassContext(config=config):
        module = UnrollLoop()(module_of(body))
    assert [problem.message for problem in verify(module)] == []
    main = module.lookup("main")
    assert isinstance(main, tir.PrimFunc)
    return main.body


def stays(body: tir.Stmt, **options: Any) -> bool:
    return unrolled(body, **options).same_as(body)


def becomes(body: tir.Stmt, *expected: tir.Stmt, **options: Any) -> bool:
    after = expected[0] if len(expected) == 1 else tir.SeqStmt(expected)
    return structural_equal(unrolled(body, **options), after, map_free_vars=True)


def store(value: Any) -> tir.Stmt:
    return tir.BufferStore(A, value, [tir.const(0)])


def loop(
    extent: int, body: tir.Stmt, kind: tir.ForKind = tir.ForKind.SERIAL, variable: tir.Var = J
) -> tir.For:
    return tir.For(variable, tir.const(0), tir.const(extent), kind, body)


def marked(extent: int, body: tir.Stmt, variable: tir.Var = J) -> tir.For:
    return loop(extent, body, tir.ForKind.UNROLLED, variable)


def test_marked_loops_are_written_out() -> None:
    iterations = [store(tir.Add(tir.const(i), N)) for i in range(3)]
    assert becomes(marked(3, store(tir.Add(J, N))), *iterations)
    assert stays(loop(3, store(J)))


def test_first_value_and_step() -> None:
    body = tir.For(J, tir.const(5), tir.const(5), tir.ForKind.UNROLLED, store(J), step=tir.const(2))
    assert becomes(body, store(tir.const(5)), store(tir.const(7)), store(tir.const(9)))
    symbolic = tir.For(J, N, tir.const(2), tir.ForKind.UNROLLED, store(J))
    assert becomes(symbolic, store(N), store(N + 1))


def test_no_iteration_leaves_nothing() -> None:
    result = unrolled(marked(0, store(J)))
    assert isinstance(result, tir.SeqStmt) and len(result.seq) == 0


def test_each_iteration_binds_variables_of_its_own() -> None:
    x = tir.Var("x")
    local = tir.decl_buffer([4], "int32", "local")
    body = tir.SeqStmt([tir.AllocBuffer(local), tir.Bind(x, J + N), tir.BufferStore(local, x, [J])])
    result = unrolled(marked(2, body))
    assert isinstance(result, tir.SeqStmt) and len(result.seq) == 6


def test_sequences_stay_flat() -> None:
    body = tir.SeqStmt([store(N), marked(2, store(K), K), store(N)])
    result = unrolled(body)
    assert isinstance(result, tir.SeqStmt) and len(result.seq) == 4


def test_extents_must_be_constant() -> None:
    body = tir.For(J, tir.const(0), N, tir.ForKind.UNROLLED, store(J))
    message = "loop `j` is to be unrolled and must have a constant extent"
    with pytest.raises(ValueError, match=message):
        unrolled(body)


def test_serial_loops_of_few_steps() -> None:
    body = loop(4, tir.SeqStmt([store(J), tir.Evaluate(J)]))
    assert stays(body, auto_max_step=7)
    result = unrolled(body, auto_max_step=8)
    assert isinstance(result, tir.SeqStmt) and len(result.seq) == 8


def test_serial_loops_around_loops_that_stay() -> None:
    body = loop(2, loop(64, store(K), variable=K))
    assert stays(body, auto_max_step=8)


def test_serial_loops_of_small_extent() -> None:
    body = loop(2, tir.SeqStmt([store(J)] * 50))
    assert stays(body, auto_max_extent=1)
    result = unrolled(body, auto_max_extent=2)
    assert isinstance(result, tir.SeqStmt) and len(result.seq) == 100


def test_depth_of_serial_loops() -> None:
    inner = loop(2, store(J + K), variable=K)
    assert not stays(loop(2, inner), auto_max_step=64, auto_max_depth=0)
    result = unrolled(loop(2, inner), auto_max_step=64, auto_max_depth=0)
    assert isinstance(result, tir.For) and isinstance(result.body, tir.SeqStmt)
    result = unrolled(loop(2, inner), auto_max_step=64, auto_max_depth=1)
    assert isinstance(result, tir.SeqStmt) and len(result.seq) == 4


def test_more_steps_than_can_be_counted_are_many() -> None:
    def long_loop(body: tir.Stmt) -> tir.For:
        zero, extent = tir.const(0, "int64"), tir.const(1 << 62, "int64")
        return tir.For(tir.Var("i", "int64"), zero, extent, tir.ForKind.SERIAL, body)

    options = {"auto_max_step": 8, "explicit_unroll": False}
    assert stays(long_loop(tir.SeqStmt([store(N)] * 4)), **options)
    inner = tir.For(J, tir.const(0), tir.const(1 << 30), tir.ForKind.UNROLLED, store(N))
    outer = tir.For(K, tir.const(0), tir.const(1 << 30), tir.ForKind.UNROLLED, inner)
    assert stays(loop(16, outer, variable=tir.Var("i")), **options)


def test_loops_may_only_be_marked() -> None:
    result = unrolled(loop(2, store(J)), auto_max_step=8, explicit_unroll=False)
    assert isinstance(result, tir.For) and result.kind == tir.ForKind.UNROLLED
    assert stays(marked(2, store(J)), explicit_unroll=False)


def test_parallel_and_vectorized_loops_stay() -> None:
    for kind in (tir.ForKind.PARALLEL, tir.ForKind.VECTORIZED):
        assert stays(loop(2, store(J), kind), auto_max_step=64, auto_max_extent=8)


def test_notes_set_options_for_a_statement() -> None:
    note = tir.AttrStmt(None, "pragma_auto_unroll_max_step", tir.const(8), loop(2, store(J)))
    assert becomes(note, store(tir.const(0)), store(tir.const(1)))
    only = tir.AttrStmt(None, "pragma_unroll_explicit", tir.const(0), note)
    result = unrolled(only)
    assert isinstance(result, tir.For) and result.kind == tir.ForKind.UNROLLED


def test_options_are_checked() -> None:
    with pytest.raises(TypeError, match=r"UnrollLoop\.auto_max_step"):
        PassContext(config={"UnrollLoop.auto_max_step": "many"})


@pytest.mark.parametrize("explicit", [True, False])
def test_loops_of_one_iteration_go_at_any_depth(explicit: bool) -> None:
    inner = tir.For(K, tir.const(0), N, tir.ForKind.SERIAL, store(J + K))
    body = loop(1, inner, tir.ForKind.PARALLEL)
    expected = tir.For(K, tir.const(0), N, tir.ForKind.SERIAL, store(tir.Add(tir.const(0), K)))
    assert becomes(body, expected, auto_max_extent=1, explicit_unroll=explicit)
    assert stays(loop(2, inner), auto_max_extent=1)
    assert stays(body, auto_max_extent=2)


def local_loop(scope: str) -> tir.Stmt:
    """Return a loop over a loop that the index of a buffer of some scope uses."""
    local = tir.decl_buffer([64], "int32", "L", scope=scope)
    inner = tir.For(K, tir.const(0), N, tir.ForKind.SERIAL, tir.BufferStore(local, K, [J * 2]))
    return tir.SeqStmt([tir.AllocBuffer(local), loop(2, inner)])


@pytest.mark.parametrize("scope", ["local", "warp"])
def test_indices_of_registers_are_unrolled(scope: str) -> None:
    body = unrolled(local_loop(scope), unroll_local_access=True)
    assert isinstance(body, tir.SeqStmt)
    assert [type(stmt) for stmt in body.seq] == [tir.AllocBuffer, tir.For, tir.For]
    marked = unrolled(local_loop(scope), unroll_local_access=True, explicit_unroll=False)
    assert isinstance(marked, tir.SeqStmt)
    assert isinstance(marked.seq[1], tir.For)
    assert marked.seq[1].kind == tir.ForKind.UNROLLED


def test_other_indices_are_not() -> None:
    assert stays(local_loop("global"), unroll_local_access=True)
    assert stays(local_loop("local"))


@pytest.mark.parametrize(
    ("extents", "serial"),
    [([2_000_000_000], [2_000_000_000]), ([1000] * 4, [1000] * 3), ([1 << 16, 2], [2])],
)
def test_a_loop_of_too_many_steps_becomes_serial(extents: list[int], serial: list[int]) -> None:
    body: tir.Stmt = tir.BufferStore(A, tir.const(1), [tir.const(0)])
    for extent in extents:
        body = loop(extent, body, tir.ForKind.UNROLLED, tir.Var("i"))
    after, loops = unrolled(body), []
    while isinstance(after, tir.For):
        loops.append((after.extent, after.kind))
        after = after.body
    assert [(extent.value, kind) for extent, kind in loops] == [
        (extent, tir.ForKind.SERIAL) for extent in serial
    ]
