"""Shared parts of expressions have 2**60 paths 60 levels deep: each part is visited once."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

import uir
from uir import ir, script, tir
from uir.ir import PrimExpr
from uir.target import Target

DEPTH = 60
Level = Callable[[PrimExpr, PrimExpr, tir.Buffer, int], PrimExpr]
"""Makes the next level of this one, a number that decides, a buffer of 64 elements, and the number
of the level."""


def sum_of_let(value: PrimExpr, level: int) -> PrimExpr:
    var = tir.Var(f"v{level}", "int32")
    return tir.Let(var, value + 1, value + var)


def element(buffer: tir.Buffer, index: PrimExpr) -> PrimExpr:
    return tir.BufferLoad(buffer, [index % 64])


LEVELS: dict[str, Level] = {
    "Select": lambda e, c, a, k: tir.Select(c > k, e + 1, e),
    "Select by itself": lambda e, c, a, k: tir.Select(e > k, e, e + 1),
    "if_then_else": lambda e, c, a, k: tir.if_then_else(c > k, e + 1, e),
    "if_then_else by itself": lambda e, c, a, k: tir.if_then_else(e > k, e + 1, e * 3),
    "if_then_else by a load": lambda e, c, a, k: tir.if_then_else(element(a, e) > k, e + 1, e),
    "load": lambda e, c, a, k: element(a, e) + e,
    "Let": lambda e, c, a, k: sum_of_let(e, k),
    "pow": lambda e, c, a, k: tir.pow(e, 2) + e,
    "condition": lambda e, c, a, k: tir.Cast("int32", tir.Or(e > c, tir.And(c > k, e > 3))) + e,
    "add": lambda e, c, a, k: e + e,
    "max": lambda e, c, a, k: tir.max(e, e + 1),
    "floordiv": lambda e, c, a, k: tir.floordiv(e + c, tir.max(e, 1)),
}


Placement = Callable[[PrimExpr, tir.Buffer, tir.Var], tir.Stmt]
"""Makes the body of a loop of a value, the buffer of results and the variable of the loop."""


def store(value: PrimExpr, b: tir.Buffer, i: tir.Var) -> tir.Stmt:
    return tir.BufferStore(b, value, [i])


def loop_until_stored(value: PrimExpr, b: tir.Buffer, i: tir.Var) -> tir.Stmt:
    element = tir.BufferLoad(b, [i])
    return tir.While(tir.And(element < 1, value > 0), tir.BufferStore(b, element + 1, [i]))


def store_if_not_negative(value: PrimExpr, b: tir.Buffer, i: tir.Var) -> tir.Stmt:
    kind, message = ir.StringImm("ValueError"), ir.StringImm("negative")
    return tir.SeqStmt([tir.AssertStmt(kind, value > -1, [message]), store(value, b, i)])


PLACEMENTS: dict[str, Placement] = {
    "assert": store_if_not_negative,
    "while": loop_until_stored,
    "if": lambda value, b, i: tir.IfThenElse(value > 0, store(i, b, i), store(value, b, i)),
    "extent": lambda value, b, i: tir.For(
        tir.Var("j", "int32"), tir.const(0), value % 4, tir.ForKind.SERIAL, store(value, b, i)
    ),
    "index": lambda value, b, i: tir.BufferStore(b, i, [value % 64]),
    "Bind": lambda value, b, i: tir.SeqStmt(
        [tir.Bind(var := tir.Var("v", "int32"), value), store(var, b, i)]
    ),
}


def nested(
    level: Level,
    depth: int = DEPTH,
    kind: tir.ForKind = tir.ForKind.SERIAL,
    place: Placement = store,
) -> ir.IRModule:
    """Return a function of 64 elements: `B[i]` is made of the shared `A[C[i]]` by levels."""
    a, b, c = (tir.decl_buffer([tir.const(64)], "int32", name) for name in "ABC")
    i = tir.Var("i", "int32")
    value = tir.BufferLoad(a, [tir.BufferLoad(c, [i])])
    for k in range(depth):
        value = level(value, tir.BufferLoad(c, [i]), a, k)
    loop = tir.For(i, tir.const(0), tir.const(64), kind, place(value, b, i))
    handles = [tir.Var(f"{buffer.name}_handle", "handle") for buffer in (a, b, c)]
    func = tir.PrimFunc(handles, loop, buffer_map=dict(zip(handles, (a, b, c), strict=True)))
    return ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize("checks", ["", "bounds"])
def test_shared_parts_are_visited_once(name: str, checks: str) -> None:
    module, target = nested(LEVELS[name]), Target(checks=checks)
    begin = time.process_time()
    ir.verify(module)
    script.print(module)
    text = uir.target.emit_c(uir.lower(module, target), target)
    assert time.process_time() - begin < 2
    assert len(text) < 100_000


@pytest.mark.parametrize("name", ["Select", "if_then_else by a load", "load", "condition"])
@pytest.mark.parametrize("place", PLACEMENTS)
def test_shared_parts_are_visited_once_in_each_place(name: str, place: str) -> None:
    module = nested(LEVELS[name], place=PLACEMENTS[place])
    begin = time.process_time()
    ir.verify(module)
    script.print(module)
    text = uir.target.emit_c(uir.lower(module), Target())
    assert time.process_time() - begin < 2
    assert len(text) < 100_000


@pytest.mark.parametrize("name", ["if_then_else", "Select"])
def test_vectorized_choices_that_share_branches_end(name: str) -> None:
    module = nested(LEVELS[name], kind=tir.ForKind.VECTORIZED)
    begin = time.process_time()
    uir.target.emit_c(uir.lower(module), Target())
    assert time.process_time() - begin < 4


def test_too_many_paths_are_refused() -> None:
    """Each branch reads where the other one does not, so that no part is computed in both."""
    level: Level = lambda e, c, a, k: tir.if_then_else(  # noqa: E731
        c > k, tir.if_then_else(c > 2 * k, e, 1), tir.if_then_else(c > 3 * k, 2, e)
    )
    begin = time.process_time()
    with pytest.raises(ValueError, match="on more than 5000 paths; bind parts to variables"):
        uir.target.emit_c(nested(level), Target())
    assert time.process_time() - begin < 10  # Some 2 s; all 2**60 paths would not end.


@pytest.mark.parametrize("name", ["if_then_else by itself", "if_then_else by a load", "condition"])
@pytest.mark.parametrize("checks", ["", "bounds"])
def test_shared_parts_have_their_values(name: str, checks: str) -> None:
    """60 levels of choices compute the values of NumPy."""
    import numpy as np

    compiled = uir.build(nested(LEVELS[name]), Target(checks=checks))
    a = np.arange(64, dtype="int32")
    c = np.arange(64, dtype="int32")[::-1].copy()
    b = np.zeros(64, "int32")
    compiled["main"](a, b, c)
    expected = a[c]
    for k in range(DEPTH):
        if name == "if_then_else by itself":
            expected = np.where(expected > k, expected + 1, expected * 3)
        elif name == "if_then_else by a load":
            expected = np.where(a[expected % 64] > k, expected + 1, expected)
        else:
            expected = ((expected > c) | ((c > k) & (expected > 3))).astype("int32") + expected
    np.testing.assert_array_equal(b, expected)
