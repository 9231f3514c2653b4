"""Stores that later ones overwrite go, where an option asks for it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from uir import ir, tir
from uir.transform import PassContext, RemoveNoOp

from ...support.depth import DEPTH
from ...support.interpreter import run
from .script_checks import becomes, parse_body, stays

OPTION = {"RemoveNoOp.use_dataflow_analysis": True}


@pytest.mark.parametrize(
    ("before", "rest"),
    [
        ("A[n] = 1.0\nA[n] = 2.0", "A[n] = 2.0"),
        ("A[n] = A[n] + 1.0\nA[n] = 2.0", "A[n] = 2.0"),
        (
            """
            A[4] = 1.0
            for i in range(8):
                A[i] = 2.0
            """,
            "for i in range(8):\n    A[i] = 2.0",
        ),
        (
            """
            for i in range(4, 12):
                A[i] = 1.0
            B[0] = 3
            for i in range(16):
                A[i] = 2.0
            """,
            """
            B[0] = 3
            for i in range(16):
                A[i] = 2.0
            """,
        ),
        (
            """
            for i in range(16):
                A[i] = 1.0
                A[i] = 2.0
            """,
            "for i in range(16):\n    A[i] = 2.0",
        ),
        (
            """
            for i in range(16):
                if i < 10:
                    A[i] = 1.0
            for i in range(16):
                if i // 4 < 3:
                    A[i] = 2.0
            """,
            """
            for i in range(16):
                if i // 4 < 3:
                    A[i] = 2.0
            """,
        ),
        (
            """
            for i in range(4):
                for j in range(n):
                    A[i * n + j] = 1.0
            for i in range(4):
                for j in range(n):
                    A[i * n + j] = 2.0
            """,
            """
            for i in range(4):
                for j in range(n):
                    A[i * n + j] = 2.0
            """,
        ),
    ],
)
def test_what_is_overwritten_before_it_is_read_goes(before: str, rest: str) -> None:
    with PassContext(config=OPTION):
        assert becomes(RemoveNoOp(), before, rest)
    assert stays(RemoveNoOp(), before)


@pytest.mark.parametrize(
    "body",
    [
        "A[n] = 1.0\nA[m] = 2.0",
        "A[n] = 1.0\nB[0] = tir.int32(A[m])\nA[n] = 2.0",
        "A[n] = 1.0\nA[n] = A[n] + 2.0",
        'A[n] = 1.0\ntir.evaluate(tir.call_extern("int32", "f"))\nA[n] = 2.0',
        'A[n] = 1.0\nassert m < 3, "m"\nA[n] = 2.0',
        """
        A[n] = 1.0
        while B[0] < 3:
            B[0] = B[1]
        A[n] = 2.0
        """,
        """
        A[n] = 1.0
        if m < 3:
            A[n] = 2.0
        """,
        """
        A[n] = 1.0
        for i in range(m):
            A[n] = 2.0
        """,
        "A[B[0]] = 1.0\nB[0] = 3\nA[B[0]] = 2.0",
        """
        for i in range(8):
            A[i] = 1.0
            if B[i] < 3:
                break
            A[i] = 2.0
        """,
        """
        for i in range(16):
            A[i] = 1.0
        for i in range(4, 16):
            A[i] = 2.0
        """,
        """
        for i in range(9):
            A[i] = 1.0
        for i in range(9):
            if i < 8:
                A[i] = 2.0
        """,
        """
        for i in range(16):
            A[i] = 1.0
        for i in range(16):
            A[i] = A[15 - i]
        """,
        "C = tir.decl_buffer((64,), data=A.data)\nC[0] = 1.0\nA[1] = C[0]\nC[0] = 2.0",
        "C = tir.decl_buffer((64,), data=A.data)\nA[0] = 1.0\nA[1] = C[0]\nA[0] = 2.0",
        "A[0:4] = tir.Broadcast(1.0, 4)\nA[0] = 2.0",
        "A[0] = 1.0\nA[0:4] = tir.Broadcast(2.0, 4)",
        """
        with tir.block("b"):
            M = tir.match_buffer(A[0:4], (4,), "float32")
            A[0] = 1.0
            B[0] = tir.int32(M[0])
            A[0] = 2.0
        """,
    ],
)
def test_what_may_be_read_or_not_overwritten_stays(body: str) -> None:
    with PassContext(config=OPTION):
        assert stays(RemoveNoOp(), body)


def test_the_effect_of_a_value_that_goes_stays() -> None:
    call = 'tir.call_extern("float32", "next")'
    with PassContext(config=OPTION):
        before = f"A[0] = {call}\nA[0] = 2.0"
        assert becomes(RemoveNoOp(), before, f"tir.evaluate({call})\nA[0] = 2.0")
        assert stays(RemoveNoOp(), f"for i in range(4):\n    A[0] = {call}\nA[0] = 2.0")


def test_deep_nests_take_linear_time() -> None:
    buffer, handle = tir.decl_buffer([4], "int32", "A"), tir.Var("a", "handle")
    store = tir.BufferStore(buffer, tir.const(1), [tir.const(0)])
    body: tir.Stmt = store
    for _ in range(4_000):
        inner = tir.For(tir.Var("i"), tir.const(0), tir.const(2), tir.ForKind.SERIAL, body)
        body = tir.SeqStmt([tir.BufferStore(buffer, tir.const(1), [tir.const(1)]), inner])
    func = tir.PrimFunc([handle], body, {handle: buffer})
    module = ir.IRModule({ir.GlobalVar("main"): func})
    with PassContext(config=OPTION):
        # A store whose reader is far away stays, since only so much is looked at.
        assert isinstance(RemoveNoOp()(module)["main"], tir.PrimFunc)


def random_statement(random: Random, depth: int) -> str:
    """Return a store, or a loop or conditional around some."""
    index = random.choice(["0", "n", "i", "i + 1", "j", "7 - i", "i * 2 + j"])
    kind = random.randrange(6) if depth else 5
    if kind < 2:
        var, inner = random.choice("ij"), random_block(random, depth - 1)
        first = random.randrange(2)
        return f"for {var} in range({first}, {first + random.randrange(1, 4)}):\n{inner}"
    if kind == 2:
        return f"if {index} < {random.randrange(5)}:\n{random_block(random, depth - 1)}"
    value = random.choice(["1", "n", f"B[{index}]", f"D[{index}] + 1"])
    return f"{random.choice('BD')}[{index}] = {value}"


def random_block(random: Random, depth: int) -> str:
    lines = "\n".join(random_statement(random, depth) for _ in range(random.randrange(1, 4)))
    return "\n".join(f"    {line}" for line in lines.splitlines())


@pytest.mark.parametrize("seed", range(40 * DEPTH))
def test_random_stores_leave_what_they_left(seed: int) -> None:
    random = Random(seed)
    block = random_block(random, 3)
    body = f"for i in range(2):\n    for j in range(2):\n        if n < 9:\n{block}"
    lines = [line if at < 3 else f"        {line}" for at, line in enumerate(body.splitlines())]
    params = 'B: tir.Buffer((16,), "int32"), D: tir.Buffer((16,), "int32"), n: tir.int32'
    module = parse_body("\n".join(lines), params)
    with PassContext(config=OPTION):
        changed = RemoveNoOp()(module)
    assert list(ir.verify(changed)) == []
    for n in range(3):
        results = []
        for func in (module["main"], changed["main"]):
            assert isinstance(func, tir.PrimFunc)
            arrays = np.arange(16, dtype="int32"), np.arange(16, 32, dtype="int32")
            run(func, *arrays, n)
            results.append(np.concatenate(arrays))
        assert np.array_equal(results[0], results[1]), str(changed)
