"""A million nodes, and expressions 100,000 deep: no overflow, there and back."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from uir import ir, script, tir

DEPTH = 100_000
X = tir.Var("x", "int32")
ONE = tir.const(1)


def let(body: ir.PrimExpr) -> ir.PrimExpr:
    v = tir.Var("v", "int32")
    return tir.Let(v, ONE, tir.Add(v, body))


def let_of(value: ir.PrimExpr) -> ir.PrimExpr:
    v = tir.Var("v", "int32")
    return tir.Let(v, value, v)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda e: tir.Add(e, ONE),
        lambda e: tir.Sub(ONE, e),
        lambda e: tir.Select(tir.LT(X, ONE), e, ONE),
        lambda e: tir.call_intrin("int32", "tir.likely", [e]),
        lambda e: tir.Max(e, ONE),
        let,
        let_of,
    ],
)
def test_deep_expressions(wrap: Callable[[Any], ir.PrimExpr]) -> None:
    expr: ir.PrimExpr = X
    for _ in range(DEPTH):
        expr = wrap(expr)
    assert ir.structural_equal(expr, script.parse_value(script.print(expr)), map_free_vars=True)


def test_a_long_chain_of_branches() -> None:
    stmt: tir.Stmt = tir.Evaluate(X)
    for _ in range(DEPTH):
        stmt = tir.IfThenElse(tir.LT(X, ONE), tir.Evaluate(X), stmt)
    assert ir.structural_equal(stmt, script.parse_value(script.print(stmt)), map_free_vars=True)


def test_a_million_nodes() -> None:
    buffer = tir.decl_buffer([16], "int32", "A")
    value = tir.Add(tir.Mul(X, tir.const(3)), X)
    stores = [tir.BufferStore(buffer, value, [X]) for _ in range(200_000)]
    func = tir.PrimFunc([X], tir.SeqStmt(stores))
    assert ir.structural_equal(func, script.parse_value(script.print(func)), map_free_vars=True)


def test_deep_nests_of_loops_take_no_more_indentation() -> None:
    stmt: tir.Stmt = tir.Evaluate(X)
    for _ in range(25_000):
        stmt = tir.For(tir.Var("i", "int32"), tir.const(0), X, tir.ForKind.SERIAL, stmt)
    text = script.print(stmt)
    assert len(text) < 25_000 * 120
    assert ir.structural_equal(stmt, script.parse_value(text), map_free_vars=True)


NESTED_CONTAINERS = """
import sys

if sys.argv[1] == "libtschema":
    from tschema.runtime.loader import load_runtime

    load_runtime()
from uir import script

DEPTH = 200_000
for text in ("[" * DEPTH + "]" * DEPTH, '{"a": ' * DEPTH + "1" + "}" * DEPTH):
    value = script.parse_value(text)
    del value
print("released")
"""


@pytest.mark.parametrize("first", ["libtschema", "libuir"])
def test_nested_containers_are_released_whichever_library_is_loaded_first(first: str) -> None:
    # Each library has its own copy of the code that deletes tvm-ffi's containers.
    command = [sys.executable, "-c", NESTED_CONTAINERS, first]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "released\n"), done.stderr
