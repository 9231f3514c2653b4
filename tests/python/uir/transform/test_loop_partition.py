"""Iterations in which likely conditions hold run in a loop without them."""

from __future__ import annotations

import numpy as np
import pytest

from uir import ir, tir
from uir.transform import LoopPartition, PassContext

from ...support.interpreter import run
from .script_checks import PARAMS, becomes, parse_body, stays

CONST = {"LoopPartition.partition_const_loop": True}


def body_of(text: str, params: str = PARAMS) -> tir.Stmt:
    func = parse_body(text, params).lookup("main")
    assert isinstance(func, tir.PrimFunc)
    return func.body


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "for i in range(10):\n    if tir.likely(i < 6):\n        A[i] = 0.0",
            "for i in range(6):\n    A[i] = 0.0\n"
            "for i in range(6, 10):\n    if i < 6:\n        A[i] = 0.0",
        ),
        (
            "for i in range(10):\n    if tir.likely(i >= 2):\n        A[i] = 0.0",
            "for i in range(2):\n    if i >= 2:\n        A[i] = 0.0\n"
            "for i in range(2, 10):\n    A[i] = 0.0",
        ),
        (
            "for i in range(10):\n    if tir.likely(i >= 2 and i < 6):\n        A[i] = 0.0",
            "for i in range(2):\n    if i >= 2 and i < 6:\n        A[i] = 0.0\n"
            "for i in range(2, 6):\n    A[i] = 0.0\n"
            "for i in range(6, 10):\n    if i >= 2 and i < 6:\n        A[i] = 0.0",
        ),
    ],
)
def test_a_loop_of_constant_bounds_has_its_parts(before: str, after: str) -> None:
    with PassContext(config=CONST):
        assert becomes(LoopPartition(), before, after)


def test_constant_loops_stay_unless_they_are_asked_for() -> None:
    text = "for i in range(10):\n    if tir.likely(i < 6):\n        A[i] = 0.0"
    plain = "for i in range(10):\n    if i < 6:\n        A[i] = 0.0"
    assert becomes(LoopPartition(), text, plain)


def test_a_hint_asks_for_one_loop() -> None:
    loop = body_of("for i in range(10):\n    if tir.likely(i < 6):\n        A[i] = 0.0")
    assert isinstance(loop, tir.For)
    hinted = tir.For(
        loop.loop_var,
        loop.min,
        loop.extent,
        loop.kind,
        loop.body,
        annotations={"pragma_loop_partition_hint": True},
    )
    func = tir.PrimFunc([], hinted)
    after = LoopPartition()(ir.IRModule({ir.GlobalVar("main"): func})).lookup("main")
    assert isinstance(after, tir.PrimFunc)
    assert isinstance(after.body, tir.SeqStmt)
    parts = [part for part in after.body.seq if isinstance(part, tir.For)]
    assert [dict(part.annotations) for part in parts] == [{}, {}]


def test_a_symbolic_tail_is_split_off() -> None:
    # A size is never negative, so that nothing comes before the first part.
    params = PARAMS.replace("n: tir.int32", 'n: tir.SizeVar("int32")')
    head = "for i in range({}):\n    for j in range(4):\n        "
    checked = "if tir.likely(i * 4 + j < n):\n            A[i * 4 + j] = 0.0"
    module = parse_body(head.format("(n + 3) // 4") + checked, params)
    after = LoopPartition()(module).lookup("main")
    assert isinstance(after, tir.PrimFunc)
    assert isinstance(after.body, tir.SeqStmt)
    first, second = after.body.seq
    expected = body_of(head.format("n // 4") + "A[i * 4 + j] = 0.0", params)
    assert ir.structural_equal(first, expected, map_free_vars=True)
    assert isinstance(second, tir.For)


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(n):\n    if i < m:\n        A[i] = 0.0",
        "for i in range(n):\n    A[i] = 0.0",
    ],
)
def test_without_notes_nothing_changes(body: str) -> None:
    assert stays(LoopPartition(), body)


@pytest.mark.parametrize("condition", ["i * i < n", "B[i] < n", "i + B[0] < n", "n < m", "i != n"])
def test_conditions_that_cannot_be_solved_are_checked_still(condition: str) -> None:
    text = f"for i in range(n):\n    if tir.likely({condition}):\n        A[i] = 0.0"
    plain = f"for i in range(n):\n    if {condition}:\n        A[i] = 0.0"
    assert becomes(LoopPartition(), text, plain)


@pytest.mark.parametrize("n", range(-2, 24, 5))
@pytest.mark.parametrize("m", range(-2, 24, 5))
def test_the_parts_do_what_the_loop_does(n: int, m: int) -> None:
    body = (
        "for i in range(n):\n    for j in range(3):\n"
        "        if tir.likely(i * 3 + j < m and i * 2 > n - 7):\n            A[i * 2 + j] = 2.0\n"
        "        else:\n            B[i] = 1"
    )
    before = parse_body(body).lookup("main")
    after = LoopPartition()(parse_body(body)).lookup("main")
    results = []
    for func in (before, after):
        assert isinstance(func, tir.PrimFunc)
        arrays = np.zeros(64, "float32"), np.zeros(64, "int32")
        run(func, *arrays, n, m)
        results.append(arrays)
    assert all(map(np.array_equal, *results))
