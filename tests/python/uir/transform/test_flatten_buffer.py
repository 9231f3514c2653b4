"""Buffers of several dimensions become buffers of one, and their accesses follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from uir.ir import GlobalVar, IntImm, IRModule, PrimExpr, Range, structural_equal, verify
from uir.tir import (
    AllocBuffer,
    Block,
    BlockRealize,
    Broadcast,
    Buffer,
    BufferLoad,
    BufferRegion,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    MatchBufferRegion,
    PrimFunc,
    Ramp,
    SeqStmt,
    Stmt,
    Var,
    call_intrin,
    const,
    decl_buffer,
)
from uir.transform import FlattenBuffer

from ...support.interpreter import run
from . import script_checks
from .script_checks import parse_body

N, S, H = Var("n"), Var("s"), Var("h", "handle")
ONE = const(1.0)


def module_of(body: Stmt, param: Buffer | None = None) -> IRModule:
    buffers = {} if param is None else {H: param}
    func = PrimFunc([H, N, S] if buffers else [N, S], body, buffer_map=buffers)
    return IRModule({GlobalVar("main"): func})


def flattened(body: Stmt, param: Buffer | None = None) -> Stmt:
    module = FlattenBuffer()(module_of(body, param))
    assert [problem.message for problem in verify(module)] == []
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    return main.body


def becomes(before: Stmt, after: Stmt) -> bool:
    return structural_equal(flattened(before), _body(after))


def _body(stmt: Stmt) -> Stmt:
    main = module_of(stmt).lookup("main")
    assert isinstance(main, PrimFunc)
    return main.body


def local(*shape: int, name: str = "A", **options: Any) -> Buffer:
    data = Var(name, "handle")
    return Buffer(data, "float32", [const(extent) for extent in shape], name=name, **options)


def using(buffer: Buffer, *indices: PrimExpr) -> Stmt:
    return SeqStmt([AllocBuffer(buffer), BufferStore(buffer, ONE, indices)])


def extents(buffer: Buffer) -> list[int]:
    return [extent.value for extent in buffer.shape if isinstance(extent, IntImm)]


def index_of(body: Stmt) -> PrimExpr:
    """Return the index of the last store of a sequence."""
    assert isinstance(body, SeqStmt)
    store = body.seq[-1]
    assert isinstance(store, BufferStore) and len(store.indices) == 1
    return store.indices[0]


def test_rows_follow_each_other() -> None:
    stmt = flattened(using(local(4, 8, 2), N, S, N))
    assert structural_equal(index_of(stmt), N * 17 + S * 2, map_free_vars=True)
    assert isinstance(stmt, SeqStmt) and isinstance(stmt.seq[0], AllocBuffer)
    assert extents(stmt.seq[0].buffer) == [64]
    assert len(stmt.seq[0].buffer.strides) == 0


def test_what_is_flat_stays() -> None:
    module = module_of(using(local(4), N))
    assert FlattenBuffer()(module).same_as(module)


def test_a_scalar_becomes_a_buffer_of_one_element() -> None:
    stmt = flattened(using(local()))
    index = index_of(stmt)
    assert isinstance(index, IntImm) and index.value == 0


def test_strides_and_offsets_become_part_of_indices() -> None:
    strided = local(4, 8, strides=[const(10), const(1)])
    view = Buffer(strided.data, "float32", [const(8)], elem_offset=const(3), name="view")
    body = SeqStmt([AllocBuffer(strided), DeclBuffer(view), BufferStore(view, ONE, [N])])
    stmt = flattened(body)
    assert structural_equal(index_of(stmt), N + 3, map_free_vars=True)
    assert isinstance(stmt, SeqStmt)
    shapes = [s.buffer.shape[0] for s in stmt.seq if isinstance(s, (AllocBuffer, DeclBuffer))]
    assert [extent.value for extent in shapes if isinstance(extent, IntImm)] == [40, 11]


def test_separated_dimensions_become_one_each() -> None:
    stmt = flattened(using(local(2, 3, 4, 5, axis_separators=[1, 3]), N, S, N, S))
    assert isinstance(stmt, SeqStmt) and isinstance(stmt.seq[0], AllocBuffer)
    buffer = stmt.seq[0].buffer
    assert extents(buffer) == [2, 12, 5]
    assert list(buffer.axis_separators) == [1, 2]


def test_parameters_without_a_use_are_not_declared() -> None:
    body = "for i in range(4):\n    C[i, 1] = 0.0"
    after = "C_1 = tir.decl_buffer((8,), 'float32', data=C.data)\nfor i in range(4):\n"
    after += "    C_1[i * 2 + 1] = 0.0"
    params = 'A: tir.Buffer((4, 2), "float32"), C: tir.Buffer((4, 2), "float32")'
    assert script_checks.becomes(FlattenBuffer(), body, after, params)
    note = "with tir.attr(A, 'note', 1):\n    tir.evaluate(0)"
    after = "A_1 = tir.decl_buffer((8,), 'float32', data=A.data)\n" + note.replace("(A", "(A_1")
    assert script_checks.becomes(FlattenBuffer(), note, after, params)


def test_parameters_keep_their_buffers() -> None:
    param = decl_buffer([N, const(8)], "float32", "A")
    stmt = flattened(BufferStore(param, ONE, [N - 1, S]), param)
    assert isinstance(stmt, SeqStmt) and isinstance(stmt.seq[0], DeclBuffer)
    declared = stmt.seq[0].buffer
    assert declared.data.same_as(param.data) and len(declared.shape) == 1
    assert declared.name == "A"


@pytest.mark.parametrize("index", [Ramp(N, const(1), 4), Broadcast(N, 4), Ramp(N, S, 4) + 1])
def test_vectors_stay_vectors(index: PrimExpr) -> None:
    buffer = local(4, 8)
    value = Broadcast(ONE, 4)
    body = SeqStmt([AllocBuffer(buffer), BufferStore(buffer, value, [S, index])])
    flat = index_of(flattened(body))
    assert flat.dtype == "int32x4"
    if not structural_equal(index, Ramp(N, S, 4) + 1):
        assert type(flat) is type(index)


def test_accesses_in_expressions_and_addresses() -> None:
    a = local(4, 8)
    address = call_intrin("handle", "tir.address_of", [BufferLoad(a, [N, S])])
    body = SeqStmt([AllocBuffer(a), Evaluate(address)])
    b = local(32)
    expected = call_intrin("handle", "tir.address_of", [BufferLoad(b, [N * 8 + S])])
    other = SeqStmt([AllocBuffer(b), Evaluate(expected)])
    assert structural_equal(FlattenBuffer()(module_of(body)), module_of(other))


def test_regions_of_blocks_become_the_range_that_holds_them() -> None:
    a = local(4, 8)
    region = BufferRegion(a, [Range(const(1), const(2)), Range(const(0), const(8))])
    block = Block([], [region], [], "b", Evaluate(const(0)))
    stmt = flattened(SeqStmt([AllocBuffer(a), BlockRealize([], IntImm("bool", 1), block)]))
    assert isinstance(stmt, SeqStmt) and isinstance(stmt.seq[1], BlockRealize)
    (flat,) = stmt.seq[1].block.reads
    (part,) = flat.region
    assert isinstance(part.min, IntImm) and isinstance(part.extent, IntImm)
    assert (part.min.value, part.extent.value) == (8, 16)


def test_blocks_that_match_buffers_are_refused() -> None:
    a, part = local(4, 8), local(8, name="part")
    region = BufferRegion(a, [Range(N, const(1)), Range(const(0), const(8))])
    match = MatchBufferRegion(part, region)
    block = Block([], [], [], "b", Evaluate(const(0)), match_buffers=[match])
    body = SeqStmt([AllocBuffer(a), BlockRealize([], IntImm("bool", 1), block)])
    with pytest.raises(ValueError, match="buffer `part` is matched by a block"):
        FlattenBuffer()(module_of(body))


def test_strided_arguments_mean_the_same() -> None:
    i, j = Var("i"), Var("j")
    a = Buffer(Var("A", "handle"), "float32", [const(3), const(4)], [S, const(2)], name="A")
    store = BufferStore(a, BufferLoad(a, [i, j]) + 1.0, [i, j])
    loops = For(
        i, const(0), const(3), ForKind.SERIAL, For(j, const(0), const(4), ForKind.SERIAL, store)
    )
    func = PrimFunc([H, S], loops, buffer_map={H: a})
    module = FlattenBuffer()(IRModule({GlobalVar("main"): func}))
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    first = np.arange(40, dtype=np.float32).reshape(4, 10)
    second = first.copy()
    run(func, first[:3, :8:2], 10)
    run(main, second[:3, :8:2], 10)
    assert np.array_equal(first, second) and not np.array_equal(first.ravel(), np.arange(40))


def test_offsets_of_indices_near_the_end_of_their_type() -> None:
    module = parse_body(
        "C[tir.max(n, 2147483646) % 4, 3] = 1", 'C: tir.Buffer((4, 4), "int32"), n: tir.int32'
    )
    func = FlattenBuffer()(module).lookup("main")
    assert isinstance(func, PrimFunc)
    array = np.zeros((4, 4), np.int32)
    run(func, array, 2147483647)
    assert array[3, 3] == 1
