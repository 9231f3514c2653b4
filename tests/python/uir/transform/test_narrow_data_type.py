"""Indices are computed in a narrower type where bounds prove that it is enough."""

from __future__ import annotations

import re

import pytest

from uir import ir, tir
from uir.transform import NarrowDataType

from .script_checks import becomes, stays

WIDE = "int64"


def const(value: int) -> ir.PrimExpr:
    return tir.const(value, WIDE)


def loop(var: tir.Var, extent: ir.PrimExpr, body: tir.Stmt) -> tir.For:
    return tir.For(var, const(0), extent, tir.ForKind.SERIAL, body)


def narrowed(body: tir.Stmt, *params: tir.Var, bits: int = 32) -> tir.Stmt:
    """Return what the pass makes of the body of a function, and check that it ends there."""
    module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc(list(params), body)})
    after = NarrowDataType(bits)(module)
    assert NarrowDataType(bits)(after).same_as(after)
    func = after.lookup("main")
    assert isinstance(func, tir.PrimFunc)
    assert after.same_as(module) == func.body.same_as(body)
    return func.body


A = tir.decl_buffer([const(1 << 40)], "float32", "A")
ROW, COLUMN, N = tir.Var("i", WIDE), tir.Var("j", WIDE), tir.Var("n", WIDE)


def store(index: ir.PrimExpr) -> tir.BufferStore:
    return tir.BufferStore(A, tir.const(0.0), [index])


def test_indices_and_loops_that_fit_are_narrowed() -> None:
    after = narrowed(loop(ROW, const(8), loop(COLUMN, const(16), store(ROW * 16 + COLUMN))))
    i, j = tir.Var("i"), tir.Var("j")
    inner = tir.For(j, tir.const(0), tir.const(16), tir.ForKind.SERIAL, store(i * 16 + j))
    expected = tir.For(i, tir.const(0), tir.const(8), tir.ForKind.SERIAL, inner)
    assert ir.structural_equal(after, expected)


def test_an_index_that_does_not_fit_keeps_its_variables_wide() -> None:
    body = loop(ROW, const(1 << 20), loop(COLUMN, const(1 << 20), store(ROW * (1 << 20) + COLUMN)))
    assert narrowed(body).same_as(body)


def test_a_step_that_does_not_fit_keeps_the_whole_index_wide() -> None:
    body = loop(ROW, const(1 << 20), store(tir.floordiv(ROW * (1 << 20), 1 << 20)))
    assert narrowed(body).same_as(body)


def test_what_does_not_fit_stays_wide_in_every_use_of_a_shared_index() -> None:
    shared = tir.floordiv(ROW, const(1 << 20)) + COLUMN * 3
    stores = [store(shared), store(shared + 1), store(shared * 2 + COLUMN)]
    body = loop(ROW, const(1 << 40), loop(COLUMN, const(8), tir.SeqStmt(stores)))
    assert narrowed(body).same_as(body)


def test_parameters_and_loops_over_them_stay() -> None:
    body = loop(ROW, N, store(ROW))
    assert narrowed(body, N).same_as(body)


def test_comparisons_and_bindings_are_narrowed_and_other_uses_converted() -> None:
    x = tir.Var("x", WIDE)
    big = tir.decl_buffer([const(64)], WIDE, "B")
    body = tir.SeqStmt([
        tir.Bind(x, ROW * 2),
        tir.IfThenElse(tir.LT(x, const(10)), tir.BufferStore(big, x, [x])),
    ])  # fmt: skip
    after = narrowed(loop(ROW, const(8), body))
    i, y = tir.Var("i"), tir.Var("x")
    expected_body = tir.SeqStmt([
        tir.Bind(y, i * 2),
        tir.IfThenElse(tir.LT(y, tir.const(10)), tir.BufferStore(big, tir.Cast(WIDE, y), [y])),
    ])  # fmt: skip
    expected = tir.For(i, tir.const(0), tir.const(8), tir.ForKind.SERIAL, expected_body)
    assert ir.structural_equal(after, expected)


def test_a_note_is_about_the_narrow_variable() -> None:
    note = tir.AttrStmt(ROW, "note", const(1), store(ROW))
    after = narrowed(loop(ROW, const(8), note))
    assert isinstance(after, tir.For) and isinstance(after.body, tir.AttrStmt)
    assert after.body.node.same_as(after.loop_var)


def test_an_index_that_is_read_from_narrow_memory_needs_no_conversion() -> None:
    table = tir.decl_buffer([tir.const(4)], "int32", "T")
    entry = tir.BufferLoad(table, [tir.const(0)])
    after = narrowed(store(tir.Cast(WIDE, entry)))
    assert ir.structural_equal(after, store(entry))


def test_sixteen_bits_narrow_what_has_thirty_two() -> None:
    i = tir.Var("i")
    zero, extent = tir.const(0), tir.const(100)
    after = narrowed(tir.For(i, zero, extent, tir.ForKind.SERIAL, store(i)), bits=16)
    assert isinstance(after, tir.For)
    assert str(after.loop_var.dtype) == "int16"
    body = tir.For(i, zero, tir.const(40000), tir.ForKind.SERIAL, store(i))
    assert narrowed(body, bits=16).same_as(body)


def test_other_widths_are_refused() -> None:
    with pytest.raises(ValueError, match=re.escape("`target_bits` must be 16 or 32, got 24")):
        NarrowDataType(24)


WIDE_PARAMS = 'A: tir.Buffer((65536,), "float32"), n: tir.int64'
LONG = 1 << 40


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "for i in tir.thread_binding(tir.int64(16), 'threadIdx.x'):\n"
            "    A[i * tir.int64(4)] = 1.0",
            "for i in tir.thread_binding(16, 'threadIdx.x'):\n    A[i * 4] = 1.0",
        ),
        (
            """
            with tir.launch_thread('blockIdx.x', tir.int64(16)) as bx:
                with tir.launch_thread('threadIdx.x', 8) as tx:
                    A[bx * tir.int64(8) + tir.Cast('int64', tx)] = 1.0
            """,
            """
            with tir.launch_thread('blockIdx.x', 16) as bx:
                with tir.launch_thread('threadIdx.x', 8) as tx:
                    A[bx * 8 + tx] = 1.0
            """,
        ),
        (
            """
            for i, k in tir.grid(tir.int64(16), tir.int64(9)):
                with tir.block('b'):
                    vi, vk = tir.axis.remap('SR', [i, k])
                    tir.where(i * tir.int64(9) + k < tir.int64(128))
                    tir.writes(A[vi:vi + tir.int64(1)])
                    A[vi] = A[vi + vk]
            """,
            """
            for i, k in tir.grid(16, 9):
                with tir.block('b'):
                    vi, vk = tir.axis.remap('SR', [i, k])
                    tir.where(i * 9 + k < 128)
                    tir.writes(A[vi:vi + 1])
                    A[vi] = A[vi + vk]
            """,
        ),
        (
            """
            with tir.block('b'):
                v = tir.axis.spatial(tir.int64(64), n)
                A[v] = 1.0
            """,
            """
            with tir.block('b'):
                v = tir.axis.spatial(64, tir.Cast('int32', n))
                A[v] = 1.0
            """,
        ),
        (
            """
            C = tir.alloc_buffer((tir.int64(4), tir.int64(8)), 'float32')
            for i in range(tir.int64(4)):
                C[i, 1] = 1.0
            """,
            """
            C = tir.alloc_buffer((4, 8), 'float32')
            for i in range(4):
                C[i, 1] = 1.0
            """,
        ),
        (
            """
            for i in range(tir.int64(4)):
                with tir.block('b'):
                    v = tir.axis.spatial(tir.int64(4), i)
                    M = tir.match_buffer(
                        A[v * tir.int64(8):v * tir.int64(8) + tir.int64(8)],
                        (tir.int64(8),),
                        'float32',
                    )
                    M[1] = 1.0
            """,
            """
            for i in range(4):
                with tir.block('b'):
                    v = tir.axis.spatial(4, i)
                    M = tir.match_buffer(A[v * 8:v * 8 + 8], (8,), 'float32')
                    M[1] = 1.0
            """,
        ),
    ],
)
def test_threads_blocks_and_buffers_are_narrowed(before: str, after: str) -> None:
    assert becomes(NarrowDataType(32), before, after, WIDE_PARAMS)


@pytest.mark.parametrize(
    "body",
    [
        f"for i in tir.thread_binding(tir.int64({LONG}), 'blockIdx.x'):\n    A[i] = 1.0",
        f"with tir.launch_thread('blockIdx.x', tir.int64({LONG})) as bx:\n    A[bx] = 1.0",
        "with tir.launch_thread('blockIdx.x', n) as bx:\n    A[bx] = 1.0",
        f"with tir.block('b'):\n    v = tir.axis.spatial(tir.int64({LONG}), n)\n    A[v] = 1.0",
        """
        with tir.block('b'):
            v = tir.axis.spatial(n, tir.int64(3))
            A[v] = 1.0
        """,
        "C = tir.alloc_buffer((n,), 'float32')\nC[n] = 1.0",
    ],
)
def test_what_may_not_fit_stays(body: str) -> None:
    assert stays(NarrowDataType(32), body, WIDE_PARAMS)


def test_the_last_value_of_a_loop_must_fit_and_its_end_only_in_its_variable() -> None:
    before = "for i in range(tir.int64(32768)):\n    A[i * tir.int64(65536)] = 1.0"
    assert becomes(NarrowDataType(32), before, "for i in range(32768):\n    A[i * 65536] = 1.0",
                   WIDE_PARAMS)  # fmt: skip
