"""Shared parts of expressions have 2**60 paths 60 levels deep: passes visit each part once."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

import uir
from uir import ir, script, tir
from uir.ir import PrimExpr
from uir.target import Target

DEPTH = 60
Level = Callable[[PrimExpr, PrimExpr, int], PrimExpr]
"""Makes the next level of this one, a number that decides, and the number of the level."""

LEVELS: dict[str, Level] = {
    "Select": lambda e, c, k: tir.Select(c > k, e + 1, e),
    "Select by itself": lambda e, c, k: tir.Select(e > k, e, e + 1),
    "add": lambda e, c, k: e + e,
    "max": lambda e, c, k: tir.max(e, e + 1),
    "floordiv": lambda e, c, k: tir.floordiv(e + c, tir.max(e, 1)),
}


LEFT = ("Select", "bounds")
"""Its branches share parts that no pass finds in both."""


def nested(level: Level) -> ir.IRModule:
    """Return a function of 64 elements: `B[i]` is made of the shared `A[i]` by levels."""
    a, b, c = (tir.decl_buffer([tir.const(64)], "int32", name) for name in "ABC")
    i = tir.Var("i", "int32")
    value = tir.BufferLoad(a, [tir.BufferLoad(c, [i])])
    for k in range(DEPTH):
        value = level(value, tir.BufferLoad(c, [i]), k)
    store = tir.BufferStore(b, value, [i])
    loop = tir.For(i, tir.const(0), tir.const(64), tir.ForKind.SERIAL, store)
    handles = [tir.Var(f"{buffer.name}_handle", "handle") for buffer in (a, b, c)]
    func = tir.PrimFunc(handles, loop, buffer_map=dict(zip(handles, (a, b, c), strict=True)))
    return ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


@pytest.mark.parametrize(
    ("name", "checks"),
    [(name, checks) for name in LEVELS for checks in ("", "bounds") if (name, checks) != LEFT],
)
def test_shared_parts_are_visited_once(name: str, checks: str) -> None:
    module, target = nested(LEVELS[name]), Target(checks=checks)
    begin = time.process_time()
    ir.verify(module)
    script.print(module)
    text = uir.target.emit_c(uir.lower(module, target), target)
    assert time.process_time() - begin < 1
    assert len(text) < 100_000


def test_too_many_paths_are_refused() -> None:
    with pytest.raises(ValueError, match="on more than 20000 paths: bind parts to variables"):
        uir.lower(nested(LEVELS["Select"]), Target(checks="bounds"))
