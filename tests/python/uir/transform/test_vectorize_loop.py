"""Vectorized loops become statements on vectors, where there are such."""

from __future__ import annotations

import numpy as np
import pytest

from uir import tir
from uir.ir import (
    GlobalVar,
    IRModule,
    PrimExpr,
    StringImm,
    post_order,
    structural_equal,
    verify,
)
from uir.tir import (
    AllocBuffer,
    Bind,
    Broadcast,
    BufferLoad,
    BufferStore,
    Cast,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    Let,
    PrimFunc,
    Ramp,
    Select,
    SeqStmt,
    Stmt,
    Var,
    While,
    call_intrin,
    const,
    decl_buffer,
)
from uir.transform import FlattenBuffer, Simplify, VectorizeLoop

from ...support.interpreter import run
from .script_checks import parse_body

N, J = Var("n"), Var("j")
A, B = decl_buffer([16], "float32", "A"), decl_buffer([16, 16], "float32", "B")
H, G = Var("h", "handle"), Var("g", "handle")
LANES = Ramp(const(0), const(1), 4)
ONE = const(1.0)


def module_of(body: Stmt) -> IRModule:
    return IRModule({GlobalVar("main"): PrimFunc([H, G, N], body, buffer_map={H: A, G: B})})


def main_of(module: IRModule) -> PrimFunc:
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    return main


def loop(body: Stmt, kind: ForKind = ForKind.VECTORIZED, extent: int = 4) -> For:
    return For(J, const(0), const(extent), kind, body)


def vectorized(body: Stmt) -> Stmt:
    """Return what becomes of a statement, after a check that it means the same."""
    before = module_of(body)
    after = VectorizeLoop()(before)
    assert [problem.message for problem in verify(after)] == []
    source = np.random.default_rng(0)
    one = [source.random(16, np.float32), source.random((16, 16), np.float32)]
    other = [array.copy() for array in one]
    run(main_of(before), *one, 3)
    run(main_of(after), *other, 3)
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    return main_of(after).body


def becomes(body: Stmt, expected: Stmt) -> bool:
    return structural_equal(vectorized(loop(body)), expected, map_free_vars=True)


def stays_serial(body: Stmt) -> bool:
    return becomes(body, loop(body, ForKind.SERIAL))


def load(index: PrimExpr) -> PrimExpr:
    return BufferLoad(A, [index])


def store(value: PrimExpr, index: PrimExpr = J) -> Stmt:
    return BufferStore(A, value, [index])


def wide(value: PrimExpr) -> PrimExpr:
    return Broadcast(value, 4)


def test_accesses_become_those_of_vectors() -> None:
    assert becomes(store(load(J) + 1.0), store(load(LANES) + wide(ONE), LANES))
    assert becomes(store(load(N)), store(wide(load(N)), LANES))
    index = Ramp(N, const(2), 4)
    assert becomes(store(load(J * 2 + N)), store(load(index), LANES))


def test_the_last_index_is_the_one_that_may_be_a_vector() -> None:
    row = BufferStore(B, load(J), [N, J])
    assert becomes(row, BufferStore(B, load(LANES), [N, LANES]))
    assert stays_serial(BufferStore(B, load(J), [J, N]))


def test_first_value_and_step() -> None:
    body = For(J, const(2), const(8), ForKind.VECTORIZED, store(load(N)), step=const(2))
    expected = store(wide(load(N)), Ramp(const(2), const(2), 4))
    assert structural_equal(vectorized(body), expected, map_free_vars=True)


def test_operations_are_done_lane_by_lane() -> None:
    choice = Select(tir.less(J, N), load(J), Cast("float32", J))
    expected = Select(tir.less(LANES, wide(N)), load(LANES), Cast("float32x4", LANES))
    assert becomes(store(choice), store(expected, LANES))
    root = call_intrin("float32", "tir.sqrt", [load(J)])
    assert becomes(store(root), store(call_intrin("float32x4", "tir.sqrt", [load(LANES)]), LANES))


def test_bindings_become_vectors() -> None:
    x, y = Var("x", "float32"), Var("x", "float32x4")
    body = SeqStmt([Bind(x, load(J) * 2.0), store(x * x)])
    expected = SeqStmt([Bind(y, load(LANES) * wide(const(2.0))), store(y * y, LANES)])
    assert becomes(body, expected)
    assert becomes(store(Let(x, load(J), x + x)), store(Let(y, load(LANES), y + y), LANES))


def test_conditions_that_all_lanes_share() -> None:
    body = IfThenElse(N > 0, store(load(J) + 1.0))
    assert becomes(body, IfThenElse(N > 0, store(load(LANES) + wide(ONE), LANES)))
    lazy = call_intrin("float32", "tir.if_then_else", [N > 0, load(J), ONE])
    wider = call_intrin("float32x4", "tir.if_then_else", [N > 0, load(LANES), wide(ONE)])
    assert becomes(store(lazy), store(wider, LANES))


@pytest.mark.parametrize(
    "body",
    [
        IfThenElse(tir.less(J, N), store(load(J) + 1.0, N)),
        IfThenElse(tir.less(J, N), store(tir.cast(8 // (N - J), "float32"))),
        IfThenElse(tir.less(J, N), tir.AssertStmt(StringImm("ValueError"), N > J)),
        store(load(J), N),
        store(load(const(0)) + 1.0, const(0)),
        For(Var("k"), const(0), J, ForKind.SERIAL, store(load(J) + 1.0)),
        While(tir.less(load(J), const(2.0)), store(load(J) + 1.0)),
        tir.AssertStmt(StringImm("ValueError"), tir.less(J, const(9))),
        tir.AttrStmt(J, "note", const(1), store(ONE)),
    ],
    ids=lambda body: type(body).__name__,
)
def test_what_has_no_form_for_several_lanes_becomes_a_serial_loop(body: Stmt) -> None:
    assert stays_serial(body)


MASK = tir.less(LANES, Broadcast(N, 4))


def masked(value: PrimExpr, mask: PrimExpr = MASK) -> Stmt:
    return BufferStore(A, value, [LANES], mask)


def masked_load(mask: PrimExpr = MASK, index: PrimExpr = LANES) -> PrimExpr:
    return BufferLoad(A, [index], mask)


def test_a_condition_that_lanes_do_not_share_is_a_mask() -> None:
    inside = tir.less(J, N)
    assert becomes(IfThenElse(inside, store(ONE)), masked(wide(ONE)))
    body = IfThenElse(inside, store(load(J) + 1.0))
    assert becomes(body, masked(masked_load() + wide(ONE)))
    # An element that all lanes read must be there only if one of them does.
    one = masked_load(index=wide(N))
    assert becomes(IfThenElse(inside, store(load(N))), masked(one))
    row = IfThenElse(inside, BufferStore(B, load(J), [N, J]))
    assert becomes(row, BufferStore(B, masked_load(), [N, LANES], MASK))
    both = IfThenElse(inside, store(ONE), store(load(J) * 2.0))
    twice = masked_load(tir.Not(MASK)) * wide(const(2.0))
    assert becomes(both, SeqStmt([masked(wide(ONE)), masked(twice, tir.Not(MASK))]))


def test_masks_inside_of_each_other() -> None:
    odd = tir.equal(J % 2, const(1))
    odds = tir.equal(LANES % 2, wide(const(1)))
    body = IfThenElse(tir.less(J, N), IfThenElse(odd, store(load(J) + 1.0)))
    mask = tir.And(MASK, odds)
    assert becomes(body, masked(masked_load(mask) + wide(ONE), mask))
    shared = IfThenElse(tir.less(J, N), IfThenElse(N > 1, store(ONE)))
    assert becomes(shared, IfThenElse(N > 1, masked(wide(ONE))))
    k = Var("k")
    inner = For(k, const(0), const(2), ForKind.SERIAL, store(load(J) + 1.0))
    expected = For(k, const(0), const(2), ForKind.SERIAL, masked(masked_load() + wide(ONE)))
    assert becomes(IfThenElse(tir.less(J, N), inner), expected)


def test_the_second_part_of_a_condition_is_computed_where_the_first_holds() -> None:
    small = tir.less(load(J), const(0.5))
    mask = Var("mask", "boolx4")
    smalls = tir.less(masked_load(), wide(const(0.5)))
    body = IfThenElse(tir.And(tir.less(J, N), small), store(ONE))
    expected = SeqStmt([Bind(mask, tir.And(MASK, smalls)), masked(wide(ONE), mask)])
    assert becomes(body, expected)


def test_a_mask_that_depends_on_memory_is_bound() -> None:
    mask = Var("mask", "boolx4")
    small, smalls = load(J) < 0.5, load(LANES) < wide(const(0.5))
    body = IfThenElse(small, store(load(J) + 1.0), store(ONE * 3.0))
    first = masked(masked_load(mask) + wide(ONE), mask)
    other = masked(wide(ONE * 3.0), tir.Not(mask))
    assert becomes(body, SeqStmt([Bind(mask, smalls), first, other]))


def test_a_choice_in_each_lane_is_a_select_of_masked_loads() -> None:
    lazy = call_intrin("float32", "tir.if_then_else", [tir.less(J, N), load(J), ONE])
    assert becomes(store(lazy), store(Select(MASK, masked_load(), wide(ONE)), LANES))


def test_the_rest_of_a_row_is_masked() -> None:
    """A tile of 4 lanes at the end of a row of `n` elements reads and writes no others."""
    module = parse_body(
        """
        for i in range(4):
            for j in tir.vectorized(4):
                if i * 4 + j < n:
                    A[i * 4 + j] = B[i * 4 + j] + 1
        """,
        'A: tir.Buffer((n,), "int32"), B: tir.Buffer((n,), "int32"), n: tir.int32',
    )
    after = VectorizeLoop()(module)
    assert post_order(after, IfThenElse) == []
    for extent in (1, 4, 7, 16):
        for flat in (after, FlattenBuffer()(after), Simplify()(after)):
            assert [problem.message for problem in verify(flat)] == []
            out, source = np.zeros(extent, np.int32), np.arange(extent, dtype=np.int32)
            run(main_of(flat), out, source, extent)
            assert out.tolist() == list(range(1, extent + 1))


def test_the_rest_is_vectorized_still() -> None:
    choice = IfThenElse(tir.less(J, N), store(load(J) + 1.0, const(0)))
    result = vectorized(loop(SeqStmt([store(load(J) * 2.0), choice])))
    assert isinstance(result, SeqStmt)
    first, second = result.seq
    assert isinstance(first, BufferStore) and first.value.dtype == "float32x4"
    assert isinstance(second, For) and second.kind == ForKind.SERIAL


def test_what_uses_a_vector_that_is_bound_is_not_taken_apart() -> None:
    x, local = Var("x", "float32"), decl_buffer([4], "float32", "local")
    binding = SeqStmt([Bind(x, load(J)), IfThenElse(tir.less(J, N), store(x + 1.0, N))])
    assert stays_serial(binding)
    own = SeqStmt(
        [AllocBuffer(local), BufferStore(local, load(J), [N]), store(BufferLoad(local, [N]))]
    )
    assert stays_serial(own)


def test_loops_inside_of_vectorized_ones() -> None:
    k = Var("k")
    inner = For(k, const(0), const(16), ForKind.SERIAL, BufferStore(B, load(k), [k, J]))
    result = vectorized(loop(inner))
    assert isinstance(result, For) and isinstance(result.body, BufferStore)
    assert result.body.value.dtype == "float32x4"


def test_vectorized_loops_inside_of_each_other() -> None:
    k = Var("k")
    inner = For(k, const(0), const(4), ForKind.VECTORIZED, BufferStore(B, load(k), [J, k]))
    result = vectorized(loop(inner))
    assert isinstance(result, For) and result.kind == ForKind.SERIAL
    assert isinstance(result.body, BufferStore)


def test_loops_of_few_iterations() -> None:
    one = vectorized(loop(store(load(J)), extent=1))
    assert structural_equal(one, store(load(const(0)), const(0)), map_free_vars=True)
    none = vectorized(loop(store(load(J)), extent=0))
    assert isinstance(none, SeqStmt) and len(none.seq) == 0


def test_effects_are_had_once_for_each_lane() -> None:
    call = Evaluate(call_intrin("int32", "tir.call_extern", [StringImm("f"), N]))
    result = main_of(VectorizeLoop()(module_of(loop(call)))).body
    assert isinstance(result, For) and result.kind == ForKind.SERIAL


def test_vectors_may_be_disabled() -> None:
    result = main_of(VectorizeLoop(enable_vectorize=False)(module_of(loop(store(load(J)))))).body
    assert structural_equal(result, loop(store(load(J)), ForKind.SERIAL), map_free_vars=True)


def test_extents_must_be_constant() -> None:
    body = For(J, const(0), N, ForKind.VECTORIZED, store(ONE))
    message = "loop `j` is to be vectorized and must have a constant extent"
    with pytest.raises(ValueError, match=message):
        VectorizeLoop()(module_of(body))


def test_programs_without_vectorized_loops_stay() -> None:
    module = module_of(loop(store(load(J)), ForKind.SERIAL))
    assert VectorizeLoop()(module).same_as(module)


def test_a_wider_index_is_a_vector_of_equal_steps_unless_it_is_data() -> None:
    params = 'A: tir.Buffer((m, 8), "float32"), B: tir.Buffer((1,), "int32"), m: tir.int64'
    text = """
        first: tir.int32 = {first}
        for i in range(m):
            for j in tir.vectorized(4):
                A[i, tir.int64(first + j)] = 1.0
    """
    for first, is_index in (("4", True), ("B[0]", False)):
        module = parse_body(text.format(first=first), params)
        after = VectorizeLoop()(FlattenBuffer()(module))
        assert [problem.message for problem in verify(after)] == []
        (store,) = post_order(after, BufferStore)
        assert isinstance(store.indices[0], Ramp) == is_index
        # An index that fits is the same; data would wrap around in 32 bits.
        assert any(isinstance(one, Cast) for one in post_order(after, Cast)) != is_index
