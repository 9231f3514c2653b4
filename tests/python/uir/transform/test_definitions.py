"""Simplify replaces variables by the values that they are bound to, where that is shorter."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from uir import ir, tir
from uir.tir import BufferStore, PrimFunc, SeqStmt, Var, const, decl_buffer
from uir.transform import PassContext, Simplify

from ...support.depth import DEPTH
from ...support.interpreter import run
from .script_checks import becomes, parse_body, stays


@pytest.mark.parametrize(
    ("value", "before", "after"),
    [
        ("n * 4", "A[v - n * 4] = 0.0", "A[0] = 0.0"),
        ("n * 4", "A[v // 4] = 0.0", "A[n] = 0.0"),
        ("n // 4", "A[v * 4 + n % 4] = A[v * 4 + m]", "A[n] = A[v * 4 + m]"),
        ("n * m", "A[m * n - v + 3] = 0.0", "A[3] = 0.0"),
        ("tir.min(n, m)", "if v <= n:\n    A[v] = 0.0", "A[v] = 0.0"),
        (
            "n * 4",
            "for i in range(4):\n    if n * 4 <= v + i:\n        A[v + i] = 0.0",
            "for i in range(4):\n    A[v + i] = 0.0",
        ),
        ("n * 4", "A[n] = tir.float32(B[v // 4])", "A[n] = tir.float32(B[n])"),
        (
            "n * 4",
            "w: tir.int32 = v + 1\nA[w - n * 4] = 0.0",
            "w: tir.int32 = v + 1\nA[1] = 0.0",
        ),
        ("B[0]", "w: tir.int32 = v * 4\nA[w - v * 4] = 0.0", "w: tir.int32 = v * 4\nA[0] = 0.0"),
    ],
)
def test_a_variable_that_cancels_goes(value: str, before: str, after: str) -> None:
    bind = f"v: tir.int32 = {value}\n"
    assert becomes(Simplify(), bind + before, bind + after)


@pytest.mark.parametrize(
    "body",
    [
        "v: tir.int32 = n * 4\nA[v + m] = 0.0",
        "v: tir.int32 = B[0] * 4\nB[0] = 1\nA[v - B[0] * 4] = 0.0",
        "w: tir.int32 = B[0]\nv: tir.int32 = w * 4\nA[v // 4] = 0.0",
        "v: tir.int8 = tir.int8(n)\nw: tir.int8 = v * tir.int8(4)\nA[w // tir.int8(4)] = 0.0",
    ],
)
def test_what_would_be_longer_or_differ_stays(body: str) -> None:
    assert stays(Simplify(), body)


def test_a_condition_that_is_bound_holds_where_it_decides() -> None:
    bind = "v: tir.bool = n < 4\n"
    nested = "if v:\n    if n < 5:\n        A[n] = 0.0"
    assert becomes(Simplify(), bind + nested, bind + "if v:\n    A[n] = 0.0")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A[tir.Let(v, n * 4, v - n * 4)] = 0.0", "A[0] = 0.0"),
        ("A[tir.Let(v, n * 4, v // 4) + 1] = 0.0", "A[n + 1] = 0.0"),
        ("A[tir.Let(v, n * 4, m)] = 0.0", "A[m] = 0.0"),
        ("A[tir.Let(v, n * 4, tir.Let(w, v + 1, w - n * 4))] = 0.0", "A[1] = 0.0"),
    ],
)
def test_a_let_that_is_not_used_goes(before: str, after: str) -> None:
    assert becomes(Simplify(), before, after)


def test_a_let_of_a_variable_that_is_bound_twice_stays() -> None:
    v, n = Var("v"), Var("n")
    quotient = v // 4
    value = tir.Let(v, n * 4, quotient) - tir.Let(v, n * 8, quotient)
    func = PrimFunc([n], tir.Evaluate(tir.call_intrin("int32", "tir.ret", [value])))
    after = Simplify()(ir.IRModule({ir.GlobalVar("main"): func}))["main"]
    assert isinstance(after, PrimFunc)
    assert [run(func, 3), run(after, 3)] == [-3, -3]


BUFFER, HANDLE, X, Y = decl_buffer([16], "int32", "A"), Var("a", "handle"), Var("x"), Var("y")
NEXT: dict[str, Callable[[Var], ir.PrimExpr]] = {
    "sum": lambda v: v + 1,
    "product": lambda v: v * v,
    "quotient": lambda v: v // 3 + X,
    "minimum": lambda v: tir.min(v, Y) + 1,
}


def chain(name: str, length: int) -> ir.IRModule:
    """Return a function of bindings that each use the one before."""
    variables, stmts = [X], list[tir.Stmt]()
    for _ in range(length):
        variables.append(Var("v"))
        stmts.append(tir.Bind(variables[-1], NEXT[name](variables[-2])))
    stmts.append(BufferStore(BUFFER, const(0), [variables[-1] - X]))
    func = PrimFunc([HANDLE, X, Y], SeqStmt(stmts), {HANDLE: BUFFER})
    return ir.IRModule({ir.GlobalVar("main"): func})


@pytest.mark.parametrize("name", NEXT)
def test_a_chain_of_bindings_takes_linear_time(name: str) -> None:
    times = []
    for length in (1_250, 10_000):
        module = chain(name, length)
        begin = time.process_time()
        after = Simplify()(module)["main"]
        times.append(time.process_time() - begin)
    # Quadratic time would be 64 times as long, and what doubles would not end.
    assert times[1] < 40 * max(times[0], 0.001)
    assert isinstance(after, PrimFunc)
    assert isinstance(after.body, SeqStmt)
    store = after.body.seq[-1]
    assert isinstance(store, BufferStore)
    if name == "sum":
        assert ir.structural_equal(store.indices[0], const(10_000))


def random_index(random: Random, names: list[str], depth: int) -> str:
    if depth == 0 or random.random() < 0.2:
        return random.choice([*names, str(random.randrange(1, 9))])
    a, b = (random_index(random, names, depth - 1) for _ in range(2))
    constant = random.choice([2, 3, 4, 8])
    forms = [f"({a} + {b})", f"({a} - {b})", f"{a} * {constant}", f"({a}) // {constant}"]
    forms += [f"({a}) % {constant}", f"tir.min({a}, {b})", f"tir.max({a}, {b})"]
    return random.choice(forms)


@pytest.mark.parametrize("seed", range(30 * DEPTH))
def test_random_bindings_mean_the_same(seed: int) -> None:
    random = Random(seed)
    names, lines = ["n", "m", "i"], []
    for at in range(random.randrange(2, 8)):
        value = random_index(random, names, 2)
        if random.random() < 0.2:
            inner = random_index(random, [*names, f"l{at}"], 2)
            value = f"tir.Let(l{at}, {value}, l{at} * 2 - {inner})"
        if random.random() < 0.2:
            value = f"D[i] + {value}"
        lines.append(f"    v{at}: tir.int32 = {value}")
        names.append(f"v{at}")
        index, stored = (random_index(random, names, 3) for _ in range(2))
        store = f"D[({index}) % 16] = {stored}"
        bound = random_index(random, names, 2)
        lines += [f"    if {bound} < {stored}:", f"        {store}"] if at % 2 else [f"    {store}"]
    body = "\n".join(["for i in range(4):", *lines])
    params = 'D: tir.Buffer((16,), "int32"), n: tir.int32, m: tir.int32'
    module = parse_body(body, params)
    config = {"Simplify.apply_constraints_to_boolean_branches": bool(seed % 2)}
    with PassContext(config=config):
        changed = Simplify()(module)
    assert list(ir.verify(changed)) == []
    for n, m in ((0, 0), (5, -3), (-7, 2)):
        results = []
        for func in (module["main"], changed["main"]):
            assert isinstance(func, PrimFunc)
            array = np.arange(16, dtype="int32")
            run(func, array, n, m)
            results.append(array)
        assert np.array_equal(results[0], results[1]), str(changed)
