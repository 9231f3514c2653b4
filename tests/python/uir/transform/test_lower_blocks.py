"""Blocks become plain statements that mean the same."""

from __future__ import annotations

from textwrap import indent
from typing import Any

import numpy as np
import pytest

from uir import ir, te, tir
from uir.ir import post_order
from uir.transform import FlattenBuffer, LowerBlocks, make_pass

from ....differential.programs.functions import arguments, random_matching_module, same_results
from ...support.depth import DEPTH
from ...support.interpreter import run
from .script_checks import becomes, parse_body, stays, unindented

PARAMS = 'A: tir.Buffer((8, 8), "float32"), B: tir.Buffer((64,), "int32"), n: tir.int32'
REFUSED = "^in pass `LowerBlocks`, function `main`: "


def lowers(before: str, after: str, params: str = PARAMS) -> bool:
    """Return whether a body becomes another one, which computes the same."""
    module = parse_body(before, params)
    lowered = LowerBlocks()(module)
    assert [problem.message for problem in ir.verify(lowered)] == []
    flat = FlattenBuffer()(lowered)
    expected = results(module)
    assert results(lowered) == expected
    assert results(flat) == expected
    return becomes(LowerBlocks(), before, after, params)


def results(module: ir.IRModule) -> list[list[float]]:
    """Return the arrays after a run of `main`, and the addresses that it passed on."""
    main = module.lookup("main")
    assert isinstance(main, tir.PrimFunc)
    a = np.arange(64, dtype=np.float32).reshape(8, 8)
    b = np.arange(64, dtype=np.int32)
    seen: list[float] = []

    def take(address: Any, *rest: int) -> int:
        seen.extend([address.offset, *rest])
        return 0

    run(main, a, b, 3, externs={"take": take})
    return [a.ravel().tolist(), b.astype(float).tolist(), seen]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            """
            for i in range(8):
                with tir.block('b'):
                    vi = tir.axis.spatial(9, i + 1)
                    B[vi] = vi * 2
            """,
            "for i in range(8):\n    B[i + 1] = (i + 1) * 2",
        ),
        (
            """
            for i in range(8):
                with tir.block('b'):
                    vi = tir.axis.spatial(8, i)
                    tir.where(i < n)
                    B[vi] = 1
            """,
            """
            for i in range(8):
                if i < n:
                    B[i] = 1
            """,
        ),
        (
            """
            for i, k in tir.grid(8, 4):
                with tir.block('b'):
                    vi, vk = tir.axis.remap('SR', [i, k])
                    with tir.init():
                        B[vi] = 0
                    B[vi] = B[vi] + vk
            """,
            """
            for i in range(8):
                for k in range(4):
                    if k == 0:
                        B[i] = 0
                    B[i] = B[i] + k
            """,
        ),
        (
            """
            for k in range(4):
                with tir.block('b'):
                    vk = tir.axis.reduce(tir.Range(2, 4), k + 2)
                    with tir.init():
                        B[0] = 7
                    B[0] = B[0] + vk
            """,
            """
            for k in range(4):
                if k + 2 == 2:
                    B[0] = 7
                B[0] = B[0] + (k + 2)
            """,
        ),
        (
            """
            with tir.block('b'):
                with tir.init():
                    B[0] = 1
                B[1] = 2
            """,
            "B[0] = 1\nB[1] = 2",
        ),
        (
            """
            with tir.block('b'):
                tir.block_attr({
                    'pragma_a': 4, 'pragma_b': 'x', 'pragma_c': n * 2, 'pragma_d': 0.5,
                    'kind': 'x', 'list': [1, 2],
                })
                B[0] = 1
            """,
            """
            with tir.attr(None, 'pragma_d', tir.float32(0.5)):
                with tir.attr(None, 'pragma_c', n * 2):
                    with tir.attr(None, 'pragma_b', 'x'):
                        with tir.attr(None, 'pragma_a', 4):
                            B[0] = 1
            """,
        ),
        (
            "with tir.block('b', realize=False):\n    B[0] = 1",
            "B[0] = 1",
        ),
        (
            """
            for i in tir.thread_binding(8, 'threadIdx.x'):
                with tir.block('b'):
                    vi = tir.axis.spatial(8, i)
                    B[vi] = 1
            """,
            "with tir.launch_thread('threadIdx.x', 8) as i:\n    B[i] = 1",
        ),
        (
            """
            for i in tir.thread_binding(2, 8, 'vthread.x'):
                with tir.block('b'):
                    vi = tir.axis.spatial(8, i)
                    B[vi] = 1
            """,
            "with tir.launch_thread('vthread.x', 6) as i:\n    B[2 + i] = 1",
        ),
    ],
)
def test_parts_of_a_block(before: str, after: str) -> None:
    assert lowers(before, after)


def test_a_value_that_the_block_may_change_is_bound() -> None:
    before = """
        with tir.block('b'):
            v = tir.axis.spatial(64, B[5])
            B[5] = 7
            B[v] = 9
    """
    after = "v: tir.int32 = B[5]\nB[5] = 7\nB[v] = 9"
    assert lowers(before, after)


@pytest.mark.parametrize(
    ("match", "use", "after"),
    [
        ("(A[n, 2:6], (4,), 'float32')", "M[1] = M[2]", "A[n, 3] = A[n, 4]"),
        ("(A[n:n + 2, 2:6], (2, 4), 'float32')", "M[1, 0] = 2.0", "A[n + 1, 2] = 2.0"),
        (
            "(A[n, 0:8], (8,), 'float32')",
            "M[tir.Ramp(n, 1, 4)] = tir.Broadcast(2.0, 4)",
            "A[n, tir.Ramp(n, 1, 4)] = tir.Broadcast(2.0, 4)",
        ),
        (
            "(A[2:4, 4:8], (2, 4), 'float32')",
            "M[1, tir.Ramp(0, 1, 4)] = tir.Broadcast(2.0, 4)",
            "A[3, tir.Ramp(4, 1, 4)] = tir.Broadcast(2.0, 4)",
        ),
        ("(A[2, 1:2], (), 'float32')", "M[()] = 1.0", "A[2, 1] = 1.0"),
        (
            "(A[n, 2:6], (4,), 'float32')",
            "with tir.attr(M, 'note', 1):\n        M[0] = 1.0",
            "with tir.attr(A, 'note', 1):\n    A[n, 2] = 1.0",
        ),
        (
            "(A[n, 2:6], (4,), 'float32')",
            "tir.call_extern('take', M.data, dtype='int32')",
            "M: tir.handle('float32', 'global') = tir.address_of(A[n, 2], dtype='handle')\n"
            "tir.call_extern('take', M, dtype='int32')",
        ),
        (
            "(A[0:2, 0:4], (2, 4), 'float32', strides=[s, 1])",
            "tir.call_extern('take', M.data, s, dtype='int32')",
            "tir.call_extern('take', A.data, 8, dtype='int32')",
        ),
        (
            "(A[n, 2:6], (4,), 'float32', elem_offset=o)",
            "tir.call_extern('take', M.data, o, dtype='int32')",
            "tir.call_extern('take', A.data, n * 8 + 2, dtype='int32')",
        ),
        (
            "(A[n * 2, 4:8], (4,), 'float32', elem_offset=n * 16 + 4, offset_factor=4)",
            "M[0] = 1.0",
            "A[n * 2, 4] = 1.0",
        ),
    ],
)
def test_a_matched_buffer_is_its_region(match: str, use: str, after: str) -> None:
    variables = [
        f"{name} = tir.int32()" for name in "so" if f"={name}" in match or f"[{name}" in match
    ]
    lines = [*variables, f"M = tir.match_buffer{match}", use]
    assert lowers("with tir.block('b'):\n" + "\n".join(f"    {x}" for x in lines), after)


def test_a_match_of_a_matched_buffer() -> None:
    before = """
        with tir.block('o'):
            M = tir.match_buffer(A[n:n + 4, 2:8], (4, 6), 'float32')
            for i in range(4):
                with tir.block('b'):
                    vi = tir.axis.spatial(4, i)
                    s = tir.int32()
                    R = tir.match_buffer(M[vi, 1:3], (2,), 'float32', strides=[s])
                    R[1] = R[0] + tir.cast(s, 'float32')
    """
    after = "for i in range(4):\n    A[n + i, 4] = A[n + i, 3] + tir.Cast('float32', 1)"
    assert lowers(before, after)


def test_a_region_that_memory_determines_is_bound() -> None:
    before = """
        with tir.block('b'):
            M = tir.match_buffer(A[B[3], 0:8], (8,), 'float32')
            B[3] = 0
            M[2] = 5.0
    """
    after = "M_start: tir.int32 = B[3]\nB[3] = 0\nA[M_start, 2] = 5.0"
    assert lowers(before, after)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "M = tir.match_buffer(A[n, 2:6], (3,), 'float32')",
            "buffer `M` matches a region of `A`, and its shape is not proved to be that of the "
            "region",
        ),
        (
            "M = tir.match_buffer(A[0:2, 2:6], (4,), 'float32')",
            "buffer `M` matches a region of `A`, and dimension 0 of the region, which it does not "
            "have, is not proved to have extent 1",
        ),
        (
            "M = tir.match_buffer(A[0:2, 2:6], (2, 4), 'float32', strides=[4, 1])",
            "buffer `M` matches a region of `A`, and its stride is not proved to be that of the "
            "region",
        ),
        (
            "M = tir.match_buffer(A[0:2, 0:4], (2, 4), 'float32', strides=[n, 1])",
            "buffer `M` matches a region of `A`, and its stride is not proved to be that of the "
            "region",
        ),
        (
            "M = tir.match_buffer(A[n, 2:6], (4,), 'float32', elem_offset=8)",
            "buffer `M` matches a region of `A`, and its offset is not proved to be that of the "
            "region",
        ),
        (
            "o = tir.int32()\n"
            "M = tir.match_buffer(A[n, 2:6], (4,), 'float32', elem_offset=o, offset_factor=4)",
            "buffer `M` matches a region of `A`, and its offset modulo `offset_factor` is not "
            "proved to be that of the region",
        ),
        (
            "M = tir.match_buffer(A[n, 2:6], (4,), 'float32', scope='shared')",
            "buffer `M` matches a region of `A`, and its scope is `shared`, expected `global`",
        ),
        (
            "M = tir.match_buffer(A[n, 2:6], (4,), 'float32', align=128)",
            "buffer `M` matches a region of `A`, and its `data_alignment` is 128, expected a "
            "divisor of 64",
        ),
        (
            "tir.block_attr({'pragma_list': [1, 2]})",
            "annotation `pragma_list` of block `b` must be an expression, a number or a string, "
            "got `ffi.Array`",
        ),
        (
            """
            v = tir.axis.reduce(None, n)
            with tir.init():
                B[0] = 0
            """,
            "iteration variable `v` of a reduction has no domain, whose start the initialization "
            "needs",
        ),
    ],
)
def test_what_cannot_be_lowered_is_underlined(body: str, message: str) -> None:
    lines = [*unindented(body).splitlines(), "B[1] = 1"]
    module = parse_body("with tir.block('b'):\n" + "\n".join(f"    {x}" for x in lines), PARAMS)
    with pytest.raises(ValueError) as raised:
        LowerBlocks()(module)
    assert f"function `main`: {message}\n" in str(raised.value)
    assert f"^ {message}\n" in str(raised.value)


SEPARATED = 'A: tir.Buffer((4, 8, 16), "float32", axis_separators=[1]), n: tir.int32'


@pytest.mark.parametrize(
    ("match", "use", "after"),
    [
        ("(A[n, 0:8, 0:16], (8, 16), 'float32')", "M[1, 2] = 3.0", "A[n, 1, 2] = 3.0"),
        (
            "(A[0, n:n + 1, 0:16], (16,), 'float32', elem_offset=o)",
            "tir.call_extern('take', M.data, o, dtype='int32')",
            "tir.call_extern('take', A.data, n * 16, dtype='int32')",
        ),
        (
            "(A[n:n + 1, 0:8, 0:16], (1, 8, 16), 'float32', strides=[o, s, 1])",
            "tir.call_extern('take', M.data, s, dtype='int32')",
            "M: tir.handle('float32', 'global') = tir.address_of(A[n, 0, 0], dtype='handle')\n"
            "tir.call_extern('take', M, 16, dtype='int32')",
        ),
    ],
)
def test_a_match_of_separated_dimensions(match: str, use: str, after: str) -> None:
    lines = ["o = tir.int32()", "s = tir.int32()", f"M = tir.match_buffer{match}", use]
    before = "with tir.block('b'):\n" + "\n".join(f"    {x}" for x in lines)
    assert becomes(LowerBlocks(), before, after, SEPARATED)


def test_an_offset_in_separated_dimensions_is_refused() -> None:
    match = "M = tir.match_buffer(A[n, 0:8, 0:16], (8, 16), 'float32', elem_offset=o)"
    body = f"with tir.block('b'):\n    o = tir.int32()\n    {match}\n    M[0, 0] = 1.0"
    with pytest.raises(ValueError, match="region starts inside a separated dimension"):
        LowerBlocks()(parse_body(body, SEPARATED))


def test_a_block_without_values_is_refused() -> None:
    body = """
        with tir.block('b', realize=False):
            v = tir.axis.spatial(8)
            B[v] = 1
    """
    with pytest.raises(ValueError, match=REFUSED + "block `b` is not realized"):
        LowerBlocks()(parse_body(body, PARAMS))


ALLOCATION = "with tir.block('root'):\n    T = tir.block_alloc_buffer((8,), 'int32')\n"


@pytest.mark.parametrize(
    ("uses", "after"),
    [
        ("T[0] = 1\nB[0] = T[0]", "T = tir.alloc_buffer((8,), 'int32')\nT[0] = 1\nB[0] = T[0]"),
        (
            """
            B[1] = 2
            if n < 4:
                B[2] = 3
                T[0] = 1
                B[0] = T[0]
            """,
            """
            B[1] = 2
            if n < 4:
                B[2] = 3
                T = tir.alloc_buffer((8,), 'int32')
                T[0] = 1
                B[0] = T[0]
            """,
        ),
        (
            """
            B[1] = 2
            for i in range(8):
                T[i] = 1
            B[0] = T[0]
            """,
            """
            B[1] = 2
            T = tir.alloc_buffer((8,), 'int32')
            for i in range(8):
                T[i] = 1
            B[0] = T[0]
            """,
        ),
        (
            """
            T[0] = 0
            for i in range(8):
                B[i] = T[0]
                T[0] = i
            """,
            """
            T = tir.alloc_buffer((8,), 'int32')
            T[0] = 0
            for i in range(8):
                B[i] = T[0]
                T[0] = i
            """,
        ),
        (
            """
            B[1] = 2
            V = tir.decl_buffer((2, 4), 'int32', data=T.data)
            V[1, 1] = 4
            B[0] = V[1, 1]
            """,
            """
            B[1] = 2
            T = tir.alloc_buffer((8,), 'int32')
            V = tir.decl_buffer((2, 4), 'int32', data=T.data)
            V[1, 1] = 4
            B[0] = V[1, 1]
            """,
        ),
        ("B[0] = 1", "B[0] = 1"),
        (
            """
            if n < 2:
                B[0] = 1
            else:
                T[1] = 5
                if n < 9:
                    B[0] = T[1]
            """,
            """
            if n < 2:
                B[0] = 1
            else:
                T = tir.alloc_buffer((8,), 'int32')
                T[1] = 5
                if n < 9:
                    B[0] = T[1]
            """,
        ),
    ],
)
def test_an_allocation_moves_to_its_uses(uses: str, after: str) -> None:
    assert lowers(ALLOCATION + indent(unindented(uses), "    "), after)


ALLOCATE = "T = tir.alloc_buffer((8,), 'int32')"


@pytest.mark.parametrize(
    ("body", "after"),
    [
        (
            """
            for i in range(8):
                T[i] = i
                B[i] = T[i]
            """,
            """
            for i in range(8):
                T = tir.alloc_buffer((8,), 'int32')
                T[i] = i
                B[i] = T[i]
            """,
        ),
        (
            """
            for i in tir.parallel(2):
                for j in range(4):
                    T[i * 4 + j] = j
                for j in range(4):
                    B[i * 4 + j] = T[i * 4 - j + 3]
            """,
            """
            for i in tir.parallel(2):
                T = tir.alloc_buffer((8,), 'int32')
                for j in range(4):
                    T[i * 4 + j] = j
                for j in range(4):
                    B[i * 4 + j] = T[i * 4 - j + 3]
            """,
        ),
        (
            """
            for i in range(2):
                for j in range(4):
                    T[j * 2] = i
                    B[i] = T[j * 2]
            """,
            """
            T = tir.alloc_buffer((8,), 'int32')
            for i in range(2):
                for j in range(4):
                    T[j * 2] = i
                    B[i] = T[j * 2]
            """,
        ),
        (
            """
            with tir.launch_thread('blockIdx.x', 8) as i:
                B[i] = 1
                T[i] = 2
            """,
            """
            with tir.launch_thread('blockIdx.x', 8) as i:
                B[i] = 1
                T = tir.alloc_buffer((8,), 'int32')
                T[i] = 2
            """,
        ),
    ],
)
def test_an_allocation_enters_loops_that_carry_no_elements(body: str, after: str) -> None:
    assert lowers(ALLOCATION + indent(unindented(body), "    "), after)


@pytest.mark.parametrize(
    "body",
    [
        """
        for i in range(8):
            T[i] = i
            B[i] = T[i // 2]
        """,
        """
        for i in range(7):
            T[i + 1] = i
            T[0] = 1
            B[i] = T[i]
        """,
        """
        for i in range(2):
            for j in range(4):
                T[i * 3 + j] = j
                B[j] = T[i * 3 + j]
        """,
        """
        for i in range(8):
            T[B[i] % 8] = i
            B[i] = T[B[i] % 8]
        """,
        """
        for i in range(8):
            x: tir.int32 = i // 2
            T[x + i] = i
            B[i] = T[x + i]
        """,
        """
        with tir.launch_thread('threadIdx.x', 8) as i:
            T[i] = 1
            B[i] = T[i]
        """,
        """
        for i in range(8):
            T[i] = i
            tir.call_extern('take', T.data, dtype='int32')
        """,
        """
        for i in range(8):
            T[i] = i
            tir.call_extern('take', tir.address_of(T[i]), dtype='int32')
        """,
    ],
)
def test_an_allocation_stays_outside_of_loops_that_may_carry_elements(body: str) -> None:
    plain = unindented(body)
    before, after = ALLOCATION + indent(plain, "    "), f"{ALLOCATE}\n{plain}"
    assert becomes(LowerBlocks(), before, after, 'B: tir.Buffer((64,), "int32")')


def test_an_allocation_in_a_loop_stays_in_it() -> None:
    before = """
        for i in range(8):
            with tir.block('b'):
                vi = tir.axis.spatial(8, i)
                T = tir.block_alloc_buffer((vi + 1,), 'int32')
                T[vi] = 1
                B[vi] = T[vi]
    """
    after = """
        for i in range(8):
            T = tir.alloc_buffer((i + 1,), 'int32')
            T[i] = 1
            B[i] = T[i]
    """
    assert lowers(before, after)


def test_uses_in_a_shared_statement_count_where_it_stands() -> None:
    a, b = (tir.decl_buffer([4], "int32", name) for name in "ab")
    index = [tir.const(0)]
    use = tir.IfThenElse(tir.Var("n") < 3, tir.BufferStore(a, tir.const(1), index))
    other = tir.BufferStore(b, tir.const(2), index)
    body = tir.SeqStmt([other, use, other, use])
    block = tir.Block([], [], [], "b", body, alloc_buffers=[a, b])
    func = tir.PrimFunc([], tir.BlockRealize([], tir.const(True), block))
    lowered = LowerBlocks()(ir.IRModule({ir.GlobalVar("main"): func})).lookup("main")
    assert isinstance(lowered, tir.PrimFunc) and isinstance(lowered.body, tir.SeqStmt)
    kinds = [type(stmt).__name__ for stmt in lowered.body.seq]
    assert kinds == [
        "AllocBuffer",
        "BufferStore",
        "AllocBuffer",
        "IfThenElse",
        "BufferStore",
        "IfThenElse",
    ]
    assert [str(x.buffer.name) for x in post_order(lowered.body, tir.AllocBuffer)] == ["b", "a"]


def test_bodies_without_blocks_stay() -> None:
    assert stays(LowerBlocks(), "for i in range(8):\n    T = tir.alloc_buffer((8,), 'int32')")


def test_what_te_computes_is_lowered_to_flat_buffers() -> None:
    a, b = te.placeholder((4, 6), name="a"), te.placeholder((6, 5), name="b")
    k = te.reduce_axis((0, 6), "k")
    c = te.compute((4, 5), lambda i, j: te.sum(a[i, k.var] * b[k.var, j], [k]), name="c")
    d = te.compute((4, 5), lambda i, j: c[i, j] + 1.0, name="d")
    module = ir.IRModule({ir.GlobalVar("main"): te.create_prim_func([a, b, d])})
    for name in ("LowerBlocks", "Simplify", "FlattenBuffer", "StorageRewrite", "RemoveNoOp"):
        module = make_pass(name)(module)
        assert [problem.message for problem in ir.verify(module)] == []
    main = module.lookup("main")
    assert isinstance(main, tir.PrimFunc)
    assert post_order(main, tir.Block) == []
    x, y, out = (np.ones(shape, np.float32) for shape in ((4, 6), (6, 5), (4, 5)))
    run(main, x, y, out)
    assert out.tolist() == [[7.0] * 5] * 4
    assert LowerBlocks()(module).same_as(module)


@pytest.mark.parametrize("seed", range(10 * DEPTH))
def test_programs_with_matched_buffers_mean_the_same(seed: int) -> None:
    module = random_matching_module(seed)
    main = module.lookup("main")
    assert isinstance(main, tir.PrimFunc)
    expected = arguments(main, seed)
    run(main, *expected, strict=True)
    for passes in (["LowerBlocks"], ["Simplify", "LowerBlocks", "FlattenBuffer", "StorageRewrite"]):
        after = module
        for name in passes:
            after = make_pass(name)(after)
        assert [problem.message for problem in ir.verify(after)] == []
        assert post_order(after, tir.Block) == []
        assert LowerBlocks()(after).same_as(after)
        lowered = after.lookup("main")
        assert isinstance(lowered, tir.PrimFunc)
        found = arguments(main, seed)
        run(lowered, *found)
        assert same_results(found, expected)
