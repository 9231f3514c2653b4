"""Vectorized loops become statements on vectors, where there are such."""

from __future__ import annotations

import numpy as np
import pytest

from uir import ir, tir
from uir.transform import FlattenBuffer, Simplify, VectorizeLoop

from ...support.interpreter import run
from .script_checks import parse_body

N, J = tir.Var("n"), tir.Var("j")
A, B = tir.decl_buffer([16], "float32", "A"), tir.decl_buffer([16, 16], "float32", "B")
H, G = tir.Var("h", "handle"), tir.Var("g", "handle")
LANES = tir.Ramp(tir.const(0), tir.const(1), 4)
ONE = tir.const(1.0)


def module_of(body: tir.Stmt) -> ir.IRModule:
    return ir.IRModule(
        {ir.GlobalVar("main"): tir.PrimFunc([H, G, N], body, buffer_map={H: A, G: B})}
    )


def main_of(module: ir.IRModule) -> tir.PrimFunc:
    main = module.lookup("main")
    assert isinstance(main, tir.PrimFunc)
    return main


def loop(body: tir.Stmt, kind: tir.ForKind = tir.ForKind.VECTORIZED, extent: int = 4) -> tir.For:
    return tir.For(J, tir.const(0), tir.const(extent), kind, body)


def vectorized(body: tir.Stmt) -> tir.Stmt:
    """Return what becomes of a statement, after a check that it means the same."""
    before = module_of(body)
    after = VectorizeLoop()(before)
    assert [problem.message for problem in ir.verify(after)] == []
    source = np.random.default_rng(0)
    one = [source.random(16, np.float32), source.random((16, 16), np.float32)]
    other = [array.copy() for array in one]
    run(main_of(before), *one, 3)
    run(main_of(after), *other, 3)
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    return main_of(after).body


def becomes(body: tir.Stmt, expected: tir.Stmt) -> bool:
    return ir.structural_equal(vectorized(loop(body)), expected, map_free_vars=True)


def stays_serial(body: tir.Stmt) -> bool:
    return becomes(body, loop(body, tir.ForKind.SERIAL))


def load(index: ir.PrimExpr) -> ir.PrimExpr:
    return tir.BufferLoad(A, [index])


def store(value: ir.PrimExpr, index: ir.PrimExpr = J) -> tir.Stmt:
    return tir.BufferStore(A, value, [index])


def wide(value: ir.PrimExpr) -> ir.PrimExpr:
    return tir.Broadcast(value, 4)


def test_accesses_become_those_of_vectors() -> None:
    assert becomes(store(load(J) + 1.0), store(load(LANES) + wide(ONE), LANES))
    assert becomes(store(load(N)), store(wide(load(N)), LANES))
    index = tir.Ramp(N, tir.const(2), 4)
    assert becomes(store(load(J * 2 + N)), store(load(index), LANES))


def test_the_last_index_is_the_one_that_may_be_a_vector() -> None:
    row = tir.BufferStore(B, load(J), [N, J])
    assert becomes(row, tir.BufferStore(B, load(LANES), [N, LANES]))
    assert stays_serial(tir.BufferStore(B, load(J), [J, N]))


def test_first_value_and_step() -> None:
    body = tir.For(
        J, tir.const(2), tir.const(8), tir.ForKind.VECTORIZED, store(load(N)), step=tir.const(2)
    )
    expected = store(wide(load(N)), tir.Ramp(tir.const(2), tir.const(2), 4))
    assert ir.structural_equal(vectorized(body), expected, map_free_vars=True)


def test_operations_are_done_lane_by_lane() -> None:
    choice = tir.Select(tir.less(J, N), load(J), tir.Cast("float32", J))
    expected = tir.Select(tir.less(LANES, wide(N)), load(LANES), tir.Cast("float32x4", LANES))
    assert becomes(store(choice), store(expected, LANES))
    root = tir.call_intrin("float32", "tir.sqrt", [load(J)])
    assert becomes(
        store(root), store(tir.call_intrin("float32x4", "tir.sqrt", [load(LANES)]), LANES)
    )


def test_bindings_become_vectors() -> None:
    x, y = tir.Var("x", "float32"), tir.Var("x", "float32x4")
    body = tir.SeqStmt([tir.Bind(x, load(J) * 2.0), store(x * x)])
    expected = tir.SeqStmt([tir.Bind(y, load(LANES) * wide(tir.const(2.0))), store(y * y, LANES)])
    assert becomes(body, expected)
    assert becomes(store(tir.Let(x, load(J), x + x)), store(tir.Let(y, load(LANES), y + y), LANES))


def test_conditions_that_all_lanes_share() -> None:
    body = tir.IfThenElse(N > 0, store(load(J) + 1.0))
    assert becomes(body, tir.IfThenElse(N > 0, store(load(LANES) + wide(ONE), LANES)))
    lazy = tir.call_intrin("float32", "tir.if_then_else", [N > 0, load(J), ONE])
    wider = tir.call_intrin("float32x4", "tir.if_then_else", [N > 0, load(LANES), wide(ONE)])
    assert becomes(store(lazy), store(wider, LANES))


@pytest.mark.parametrize(
    "body",
    [
        tir.IfThenElse(tir.less(J, N), store(load(J) + 1.0, N)),
        tir.IfThenElse(tir.less(J, N), store(tir.cast(8 // (N - J), "float32"))),
        tir.IfThenElse(tir.less(J, N), tir.AssertStmt(ir.StringImm("ValueError"), N > J)),
        store(load(J), N),
        store(load(tir.const(0)) + 1.0, tir.const(0)),
        tir.For(tir.Var("k"), tir.const(0), J, tir.ForKind.SERIAL, store(load(J) + 1.0)),
        tir.While(tir.less(load(J), tir.const(2.0)), store(load(J) + 1.0)),
        tir.AssertStmt(ir.StringImm("ValueError"), tir.less(J, tir.const(9))),
        tir.AttrStmt(J, "note", tir.const(1), store(ONE)),
    ],
    ids=lambda body: type(body).__name__,
)
def test_what_has_no_form_for_several_lanes_becomes_a_serial_loop(body: tir.Stmt) -> None:
    assert stays_serial(body)


MASK = tir.less(LANES, tir.Broadcast(N, 4))


def masked(value: ir.PrimExpr, mask: ir.PrimExpr = MASK) -> tir.Stmt:
    return tir.BufferStore(A, value, [LANES], mask)


def masked_load(mask: ir.PrimExpr = MASK, index: ir.PrimExpr = LANES) -> ir.PrimExpr:
    return tir.BufferLoad(A, [index], mask)


def test_a_condition_that_lanes_do_not_share_is_a_mask() -> None:
    inside = tir.less(J, N)
    assert becomes(tir.IfThenElse(inside, store(ONE)), masked(wide(ONE)))
    body = tir.IfThenElse(inside, store(load(J) + 1.0))
    assert becomes(body, masked(masked_load() + wide(ONE)))
    # An element that all lanes read must be there only if one of them does.
    one = masked_load(index=wide(N))
    assert becomes(tir.IfThenElse(inside, store(load(N))), masked(one))
    row = tir.IfThenElse(inside, tir.BufferStore(B, load(J), [N, J]))
    assert becomes(row, tir.BufferStore(B, masked_load(), [N, LANES], MASK))
    both = tir.IfThenElse(inside, store(ONE), store(load(J) * 2.0))
    twice = masked_load(tir.Not(MASK)) * wide(tir.const(2.0))
    assert becomes(both, tir.SeqStmt([masked(wide(ONE)), masked(twice, tir.Not(MASK))]))


def test_masks_inside_of_each_other() -> None:
    odd = tir.equal(J % 2, tir.const(1))
    odds = tir.equal(LANES % 2, wide(tir.const(1)))
    body = tir.IfThenElse(tir.less(J, N), tir.IfThenElse(odd, store(load(J) + 1.0)))
    mask = tir.And(MASK, odds)
    assert becomes(body, masked(masked_load(mask) + wide(ONE), mask))
    shared = tir.IfThenElse(tir.less(J, N), tir.IfThenElse(N > 1, store(ONE)))
    assert becomes(shared, tir.IfThenElse(N > 1, masked(wide(ONE))))
    k = tir.Var("k")
    inner = tir.For(k, tir.const(0), tir.const(2), tir.ForKind.SERIAL, store(load(J) + 1.0))
    expected = tir.For(
        k, tir.const(0), tir.const(2), tir.ForKind.SERIAL, masked(masked_load() + wide(ONE))
    )
    assert becomes(tir.IfThenElse(tir.less(J, N), inner), expected)


def test_the_second_part_of_a_condition_is_computed_where_the_first_holds() -> None:
    small = tir.less(load(J + N), tir.const(0.5))
    mask = tir.Var("mask", "boolx4")
    shifted = tir.Ramp(N, tir.const(1), 4)
    smalls = tir.less(masked_load(index=shifted), wide(tir.const(0.5)))
    body = tir.IfThenElse(tir.And(tir.less(J, N), small), store(ONE))
    expected = tir.SeqStmt([tir.Bind(mask, tir.And(MASK, smalls)), masked(wide(ONE), mask)])
    assert becomes(body, expected)


def test_a_mask_that_depends_on_memory_is_bound() -> None:
    mask = tir.Var("mask", "boolx4")
    small, smalls = load(J) < 0.5, load(LANES) < wide(tir.const(0.5))
    body = tir.IfThenElse(small, store(load(J) + 1.0), store(ONE * 3.0))
    first = masked(masked_load(mask) + wide(ONE), mask)
    other = masked(wide(ONE * 3.0), tir.Not(mask))
    assert becomes(body, tir.SeqStmt([tir.Bind(mask, smalls), first, other]))


def test_a_choice_in_each_lane_is_a_select_of_masked_loads() -> None:
    lazy = tir.call_intrin("float32", "tir.if_then_else", [tir.less(J, N), load(J), ONE])
    assert becomes(store(lazy), store(tir.Select(MASK, masked_load(), wide(ONE)), LANES))


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
    assert ir.post_order(after, tir.IfThenElse) == []
    for extent in (1, 4, 7, 16):
        for flat in (after, FlattenBuffer()(after), Simplify()(after)):
            assert [problem.message for problem in ir.verify(flat)] == []
            out, source = np.zeros(extent, np.int32), np.arange(extent, dtype=np.int32)
            run(main_of(flat), out, source, extent)
            assert out.tolist() == list(range(1, extent + 1))


@pytest.mark.parametrize(
    ("index", "is_vector"), [("i * 4 + j", True), ("i * 4 + j + 1", False), ("A[j]", False)]
)
def test_the_second_operand_is_loaded_where_it_is_in_bounds(index: str, is_vector: bool) -> None:
    module = parse_body(
        f"""
        for i in range(n // 4):
            for j in tir.vectorized(4):
                C[i * 4 + j] = A[i * 4 + j] > 0 and B[{index}] > 0
        """,
        'A: tir.Buffer((n,), "int32"), B: tir.Buffer((n,), "int32"), '
        'C: tir.Buffer((n,), "bool"), n: tir.int32',
    )
    after = VectorizeLoop()(module)
    loops = [loop.kind for loop in ir.post_order(after, tir.For)]
    assert (tir.ForKind.SERIAL, tir.ForKind.SERIAL)[: 2 - is_vector] == tuple(loops)
    first, second = np.array([1, 0, 1, 0], np.int32), np.array([1, 1, 0, 0], np.int32)
    out = np.zeros(4, np.bool_)
    if is_vector:
        run(main_of(after), first, second, out, 4)
        assert out.tolist() == [True, False, False, False]


def test_the_rest_is_vectorized_still() -> None:
    choice = tir.IfThenElse(tir.less(J, N), store(load(J) + 1.0, tir.const(0)))
    result = vectorized(loop(tir.SeqStmt([store(load(J) * 2.0), choice])))
    assert isinstance(result, tir.SeqStmt)
    first, second = result.seq
    assert isinstance(first, tir.BufferStore) and first.value.dtype == "float32x4"
    assert isinstance(second, tir.For) and second.kind == tir.ForKind.SERIAL


def test_what_uses_a_vector_that_is_bound_is_not_taken_apart() -> None:
    x, local = tir.Var("x", "float32"), tir.decl_buffer([4], "float32", "local")
    binding = tir.SeqStmt([tir.Bind(x, load(J)), tir.IfThenElse(tir.less(J, N), store(x + 1.0, N))])
    assert stays_serial(binding)
    own = tir.SeqStmt(
        [
            tir.AllocBuffer(local),
            tir.BufferStore(local, load(J), [N]),
            store(tir.BufferLoad(local, [N])),
        ]
    )
    assert stays_serial(own)


def test_loops_inside_of_vectorized_ones() -> None:
    k = tir.Var("k")
    inner = tir.For(
        k, tir.const(0), tir.const(16), tir.ForKind.SERIAL, tir.BufferStore(B, load(k), [k, J])
    )
    result = vectorized(loop(inner))
    assert isinstance(result, tir.For) and isinstance(result.body, tir.BufferStore)
    assert result.body.value.dtype == "float32x4"


def test_vectorized_loops_inside_of_each_other() -> None:
    k = tir.Var("k")
    inner = tir.For(
        k, tir.const(0), tir.const(4), tir.ForKind.VECTORIZED, tir.BufferStore(B, load(k), [J, k])
    )
    result = vectorized(loop(inner))
    assert isinstance(result, tir.For) and result.kind == tir.ForKind.SERIAL
    assert isinstance(result.body, tir.BufferStore)


def test_loops_of_few_iterations() -> None:
    one = vectorized(loop(store(load(J)), extent=1))
    assert ir.structural_equal(one, store(load(tir.const(0)), tir.const(0)), map_free_vars=True)
    none = vectorized(loop(store(load(J)), extent=0))
    assert isinstance(none, tir.SeqStmt) and len(none.seq) == 0


def test_effects_are_had_once_for_each_lane() -> None:
    call = tir.Evaluate(tir.call_intrin("int32", "tir.call_extern", [ir.StringImm("f"), N]))
    result = main_of(VectorizeLoop()(module_of(loop(call)))).body
    assert isinstance(result, tir.For) and result.kind == tir.ForKind.SERIAL


def test_vectors_may_be_disabled() -> None:
    result = main_of(VectorizeLoop(enable_vectorize=False)(module_of(loop(store(load(J)))))).body
    assert ir.structural_equal(result, loop(store(load(J)), tir.ForKind.SERIAL), map_free_vars=True)


def test_extents_must_be_constant() -> None:
    body = tir.For(J, tir.const(0), N, tir.ForKind.VECTORIZED, store(ONE))
    message = "loop `j` is to be vectorized and must have a constant extent"
    with pytest.raises(ValueError, match=message):
        VectorizeLoop()(module_of(body))


def test_programs_without_vectorized_loops_stay() -> None:
    module = module_of(loop(store(load(J)), tir.ForKind.SERIAL))
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
        assert [problem.message for problem in ir.verify(after)] == []
        (store,) = ir.post_order(after, tir.BufferStore)
        assert isinstance(store.indices[0], tir.Ramp) == is_index
        # An index that fits is the same; data would wrap around in 32 bits.
        assert any(isinstance(one, tir.Cast) for one in ir.post_order(after, tir.Cast)) != is_index
