"""Bindings and conditions leave the loops that they do not depend on."""

from __future__ import annotations

from random import Random

import numpy as np
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
from ...support.interpreter import run
from .script_checks import becomes, parse_body, stays

STORE = "A[i * 4 + j] = 0.0"
LOOPS = "for i in range(4):\n    for j in range(4):\n        "


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            f"{LOOPS}if i < 3 and j < n:\n            {STORE}",
            "for i in range(4):\n    if i < 3:\n        for j in range(4):\n"
            f"            if j < n:\n                {STORE}",
        ),
        (
            f"{LOOPS}if i < 3 or j < n:\n            {STORE}\n        else:\n            B[j] = 1",
            f"for i in range(4):\n    if i < 3:\n        for j in range(4):\n            {STORE}\n"
            "    else:\n        for j in range(4):\n            if j < n:\n"
            f"                {STORE}\n            else:\n                B[j] = 1",
        ),
        (
            f"{LOOPS}A[i * 4 + j] = tir.if_then_else(i < 2, 1.0, 2.0)",
            "for i in range(4):\n    if i < 2:\n        for j in range(4):\n"
            "            A[i * 4 + j] = 1.0\n    else:\n        for j in range(4):\n"
            "            A[i * 4 + j] = 2.0",
        ),
        (
            f"{LOOPS}c: tir.bool = i < 3\n        if c:\n            {STORE}",
            "for i in range(4):\n    c: tir.bool = i < 3\n    if c:\n        for j in range(4):\n"
            f"            {STORE}",
        ),
        (
            "for i in range(4):\n    B[i] = 1\n    x: tir.int32 = n % 4\n    B[i + x] = i",
            "x: tir.int32 = n % 4\nfor i in range(4):\n    B[i] = 1\n    B[i + x] = i",
        ),
        (
            "for i in range(4):\n    B[i] = i + tir.Let(x, n % 4, x * x)",
            "x: tir.int32 = n % 4\nfor i in range(4):\n    B[i] = i + x * x",
        ),
        (
            f"{LOOPS}if i < 2:\n            if i < 1:\n                {STORE}\n"
            f"        elif i < 1:\n            B[j] = 1\n        else:\n            B[j] = 2",
            "for i in range(4):\n    if i < 2:\n        if i < 1:\n"
            f"            for j in range(4):\n                {STORE}\n"
            "    else:\n        for j in range(4):\n            B[j] = 2",
        ),
        (
            "for i in range(4):\n    if 8 // n < 4 and i < 2:\n        B[i] = 1",
            "if 8 // n < 4:\n    for i in range(4):\n        if i < 2:\n            B[i] = 1",
        ),
    ],
)
def test_what_a_loop_does_not_change_is_in_front_of_it(before: str, after: str) -> None:
    assert becomes(HoistExpression(), before, after)


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(8):\n    B[i] = 0\n    if n < 4:\n        A[i] = 0.0",
        "for i in range(8):\n    x: tir.int32 = B[0]\n    B[i] = x",
        "for i in range(8):\n    if B[0] < 4:\n        B[i] = 9",
        # What the loop may not compute must not fail or overflow.
        "for i in range(m):\n    x: tir.int32 = 8 // n\n    B[i] = x",
        "for i in range(m):\n    x: tir.int32 = n + 1\n    B[i] = x",
        "for i in range(8):\n    if i < n and 8 // n < 4:\n        B[i] = 1",
        "for i in range(8):\n    if i > m:\n        if m + n < 4:\n            B[i] = 1",
        "while B[0] < 3:\n    if n < 4:\n        B[0] = B[0] + 1",
    ],
)
def test_other_conditions_and_bindings_stay(body: str) -> None:
    assert stays(HoistExpression(), body)


ALL_CONDITIONALS = int(HoistedConditionals.ALL)
ALL_BINDINGS = int(HoistedLetBindings.ALL)


@pytest.mark.parametrize(
    ("conditionals", "bindings", "body"),
    [
        (HoistedConditionals.NEVER, ALL_BINDINGS, f"{LOOPS}if i < 3:\n            {STORE}"),
        (
            ALL_CONDITIONALS - HoistedConditionals.IF_ELSE_STMT,
            ALL_BINDINGS,
            f"{LOOPS}if i < 3:\n            {STORE}",
        ),
        (
            ALL_CONDITIONALS - HoistedConditionals.IF_ELSE_EXPR,
            ALL_BINDINGS,
            f"{LOOPS}B[j] = tir.if_then_else(i < 3, 1, 2)",
        ),
        (
            ALL_CONDITIONALS - HoistedConditionals.BOOLEAN_EXPRESSION,
            ALL_BINDINGS,
            f"{LOOPS}if i < 3 and j < 2:\n            {STORE}",
        ),
        (
            ALL_CONDITIONALS,
            HoistedLetBindings.NEVER,
            f"{LOOPS}c: tir.bool = i < 3\n        if c:\n            {STORE}",
        ),
        (
            ALL_CONDITIONALS,
            ALL_BINDINGS - HoistedLetBindings.LET_EXPR,
            "for i in range(4):\n    B[i] = tir.Let(x, n % 4, x * x)",
        ),
        (
            ALL_CONDITIONALS,
            HoistedLetBindings.REQUIRED_BY_CONDITION,
            "for i in range(4):\n    x: tir.int32 = n % 4\n    B[i] = x",
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
    before = (
        "for i in range(4):\n    x: tir.int32 = n % 4\n    y: tir.int32 = n % 8\n"
        "    c: tir.bool = x < 2\n    if c:\n        B[i] = y"
    )
    after = (
        "x: tir.int32 = n % 4\nc: tir.bool = x < 2\nif c:\n    for i in range(4):\n"
        "        y: tir.int32 = n % 8\n        B[i] = y"
    )
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
        results = []
        for func in (module.lookup("main"), changed.lookup("main")):
            assert isinstance(func, tir.PrimFunc)
            arrays = np.zeros(64, "float32"), np.zeros(64, "int32")
            run(func, *arrays, n, m)
            results.append(arrays)
        assert all(map(np.array_equal, *results)), f"n={n}, m={m}: {changed}"
