"""Bindings and conditions leave the loops that they do not depend on."""

from __future__ import annotations

from random import Random

import pytest

from uir import ir, tir
from uir.transform import (
    HoistedConditionals,
    HoistedLetBindings,
    HoistExpression,
    HoistIfThenElse,
    PassContext,
)

from ...support.depth import DEPTH
from .script_checks import becomes, parse_body, same_results, stays


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            """
            for i in range(4):
                for j in range(4):
                    if i < 3 and j < n:
                        A[i * 4 + j] = 0.0
            """,
            """
            for i in range(4):
                if i < 3:
                    for j in range(4):
                        if j < n:
                            A[i * 4 + j] = 0.0
            """,
        ),
        (
            """
            for i in range(4):
                for j in range(4):
                    if i < 3 or j < n:
                        A[i * 4 + j] = 0.0
                    else:
                        B[j] = 1
            """,
            """
            for i in range(4):
                if i < 3:
                    for j in range(4):
                        A[i * 4 + j] = 0.0
                else:
                    for j in range(4):
                        if j < n:
                            A[i * 4 + j] = 0.0
                        else:
                            B[j] = 1
            """,
        ),
        (
            """
            for i in range(4):
                for j in range(4):
                    A[i * 4 + j] = tir.if_then_else(i < 2, 1.0, 2.0)
            """,
            """
            for i in range(4):
                if i < 2:
                    for j in range(4):
                        A[i * 4 + j] = 1.0
                else:
                    for j in range(4):
                        A[i * 4 + j] = 2.0
            """,
        ),
        (
            """
            for i in range(4):
                for j in range(4):
                    c: tir.bool = i < 3
                    if c:
                        A[i * 4 + j] = 0.0
            """,
            """
            for i in range(4):
                c: tir.bool = i < 3
                if c:
                    for j in range(4):
                        A[i * 4 + j] = 0.0
            """,
        ),
        (
            """
            for i in range(4):
                B[i] = 1
                x: tir.int32 = n % 4
                B[i + x] = i
            """,
            """
            x: tir.int32 = n % 4
            for i in range(4):
                B[i] = 1
                B[i + x] = i
            """,
        ),
        (
            "for i in range(4):\n    B[i] = i + tir.Let(x, n % 4, x * x)",
            """
            x: tir.int32 = n % 4
            for i in range(4):
                B[i] = i + x * x
            """,
        ),
        (
            """
            for i in range(4):
                for j in range(4):
                    if i < 2:
                        if i < 1:
                            A[i * 4 + j] = 0.0
                    elif i < 1:
                        B[j] = 1
                    else:
                        B[j] = 2
            """,
            """
            for i in range(4):
                if i < 2:
                    if i < 1:
                        for j in range(4):
                            A[i * 4 + j] = 0.0
                else:
                    for j in range(4):
                        B[j] = 2
            """,
        ),
        (
            """
            for i in range(4):
                if 8 // n < 4 and i < 2:
                    B[i] = 1
            """,
            """
            if 8 // n < 4:
                for i in range(4):
                    if i < 2:
                        B[i] = 1
            """,
        ),
    ],
)
def test_what_a_loop_does_not_change_is_in_front_of_it(before: str, after: str) -> None:
    assert becomes(HoistExpression(), before, after)


@pytest.mark.parametrize(
    "body",
    [
        """
        for i in range(8):
            B[i] = 0
            if n < 4:
                A[i] = 0.0
        """,
        """
        for i in range(8):
            x: tir.int32 = B[0]
            B[i] = x
        """,
        """
        for i in range(8):
            if B[0] < 4:
                B[i] = 9
        """,
        # What the loop may not compute must not fail or overflow.
        """
        for i in range(m):
            x: tir.int32 = 8 // n
            B[i] = x
        """,
        """
        for i in range(m):
            x: tir.int32 = n + 1
            B[i] = x
        """,
        """
        for i in range(8):
            if i < n and 8 // n < 4:
                B[i] = 1
        """,
        """
        for i in range(8):
            if i > m:
                if m + n < 4:
                    B[i] = 1
        """,
        """
        while B[0] < 3:
            if n < 4:
                B[0] = B[0] + 1
        """,
    ],
)
def test_other_conditions_and_bindings_stay(body: str) -> None:
    assert stays(HoistExpression(), body)


ALL_CONDITIONALS = int(HoistedConditionals.ALL)
ALL_BINDINGS = int(HoistedLetBindings.ALL)


@pytest.mark.parametrize(
    ("conditionals", "bindings", "body"),
    [
        (
            HoistedConditionals.NEVER,
            ALL_BINDINGS,
            """
            for i in range(4):
                for j in range(4):
                    if i < 3:
                        A[i * 4 + j] = 0.0
            """,
        ),
        (
            ALL_CONDITIONALS - HoistedConditionals.IF_ELSE_STMT,
            ALL_BINDINGS,
            """
            for i in range(4):
                for j in range(4):
                    if i < 3:
                        A[i * 4 + j] = 0.0
            """,
        ),
        (
            ALL_CONDITIONALS - HoistedConditionals.IF_ELSE_EXPR,
            ALL_BINDINGS,
            """
            for i in range(4):
                for j in range(4):
                    B[j] = tir.if_then_else(i < 3, 1, 2)
            """,
        ),
        (
            ALL_CONDITIONALS - HoistedConditionals.BOOLEAN_EXPRESSION,
            ALL_BINDINGS,
            """
            for i in range(4):
                for j in range(4):
                    if i < 3 and j < 2:
                        A[i * 4 + j] = 0.0
            """,
        ),
        (
            ALL_CONDITIONALS,
            HoistedLetBindings.NEVER,
            """
            for i in range(4):
                for j in range(4):
                    c: tir.bool = i < 3
                    if c:
                        A[i * 4 + j] = 0.0
            """,
        ),
        (
            ALL_CONDITIONALS,
            ALL_BINDINGS - HoistedLetBindings.LET_EXPR,
            "for i in range(4):\n    B[i] = tir.Let(x, n % 4, x * x)",
        ),
        (
            ALL_CONDITIONALS,
            HoistedLetBindings.REQUIRED_BY_CONDITION,
            """
            for i in range(4):
                x: tir.int32 = n % 4
                B[i] = x
            """,
        ),
    ],
)
def test_options_select_what_is_hoisted(conditionals: int, bindings: int, body: str) -> None:
    config = {
        "HoistExpression.hoisted_conditionals": int(conditionals),
        "HoistExpression.hoisted_let_bindings": int(bindings),
    }
    with PassContext(config=config):
        assert stays(HoistExpression(), body)
    with PassContext(config=dict.fromkeys(config, 15)):
        assert not HoistExpression()(parse_body(body)).same_as(parse_body(body))


def test_what_conditions_need_is_hoisted_with_them() -> None:
    before = """
        for i in range(4):
            x: tir.int32 = n % 4
            y: tir.int32 = n % 8
            c: tir.bool = x < 2
            if c:
                B[i] = y
    """
    after = """
        x: tir.int32 = n % 4
        c: tir.bool = x < 2
        if c:
            for i in range(4):
                y: tir.int32 = n % 8
                B[i] = y
    """
    required = int(HoistedLetBindings.REQUIRED_BY_CONDITION)
    with PassContext(config={"HoistExpression.hoisted_let_bindings": required}):
        assert becomes(HoistExpression(), before, after)


THREADS = 'with tir.launch_thread("threadIdx.x", 64) as tx:\n'


def test_launches_of_threads_are_left_only_on_demand() -> None:
    uniform = THREADS + "    if n < 4:\n        A[tx] = 0.0"
    outside = "if n < 4:\n    " + THREADS + "        A[tx] = 0.0"
    by_thread = THREADS + "    for i in range(4):\n        if tx < 32:\n            A[tx] = 0.0"
    hoisted = THREADS + "    if tx < 32:\n        for i in range(4):\n            A[tx] = 0.0"
    options = {
        "HoistExpression.hoisted_conditionals": ALL_CONDITIONALS,
        "HoistIfThenElse.support_block_scope_hoisting": True,
    }
    for pass_ in (HoistExpression(), HoistIfThenElse()):
        assert stays(pass_, uniform)
        assert stays(pass_, by_thread)
        with PassContext(config=options):
            assert becomes(pass_, uniform, outside)
            assert becomes(pass_, by_thread, hoisted)


def test_a_loop_is_copied_a_bounded_number_of_times() -> None:
    conditions = " + ".join(f"tir.if_then_else(n < {k}, {k}, i)" for k in range(40))
    after = HoistExpression()(parse_body(f"for i in range(4):\n    B[i] = {conditions}"))
    assert list(ir.verify(after)) == []
    assert 17 <= len(ir.post_order(after, tir.For)) <= 1025


PARTS = (
    "if {c}:\n{t}\nelse:\n{e}",
    "if {c} and {d}:\n{t}",
    "if {c} or {d}:\n{t}\nelse:\n{e}",
    "x{k}: tir.int32 = tir.if_then_else({c}, n % 5, m % 3)\nB[x{k}] = i + j",
    "B[j] = tir.if_then_else({c}, tir.Let(y{k}, n % 7, y{k} * 2 + j), i)",
)
CONDITIONS = (
    "n < 3",
    "m == i",
    "i < 2",
    "i + j < 4",
    "n // 2 < m",
    "B[j] > 2",
    "not m < n",
    "12 // m > 2",
)


def random_body(random: Random, depth: int = 0) -> str:
    """Return the body of a nest of loops."""
    indent = "    "
    c, d = random.sample(CONDITIONS[:-1], 2)
    leaf = random.choice(["B[i * 4 + j] = B[j] + n", "A[i + j] = 1.0"])
    inner = leaf if depth > 1 else random_body(random, depth + 1)
    text = random.choice(PARTS).format(
        c=c,
        d=d,
        k=depth,
        t="\n".join(indent + line for line in inner.splitlines()),
        e=indent + leaf,
    )
    return text


@pytest.mark.parametrize("seed", range(6 * DEPTH))
def test_random_loops_keep_their_values(seed: int) -> None:
    random = Random(seed)
    inner = random_body(random).replace("\n", "\n        ")
    extent = random.choice(["4", "m"])
    module = parse_body(f"for i in range(3):\n    for j in range({extent}):\n        {inner}")
    changed = HoistExpression()(module)
    assert list(ir.verify(changed)) == []
    for n, m in ((0, 1), (5, 2), (2, 4)):
        assert same_results(module, changed, n, m), f"n={n}, m={m}: {changed}"
