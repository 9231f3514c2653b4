"""What walks over bindings takes linear time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

import uir
from uir import ir, relay
from uir.relay import Tensor
from uir.transform import (
    DeadCode,
    EliminateCommonSubexpr,
    InferType,
    Inline,
    ToANormalForm,
    VerifyWellFormed,
)

F = ir.ExternFunc("f")


def chain(length: int) -> ir.IRModule:
    """Return a module of one function, whose bindings each use the one before."""
    rb = relay.builder()
    last = rb.param("x", Tensor((2, 3)))
    for _ in range(length):
        last = rb.emit(relay.call_destination_passing(F, [last], Tensor((2, 3))))
    return ir.IRModule({ir.GlobalVar("main"): rb.make_func(last)})


WALKS: dict[str, Callable[[ir.IRModule], Any]] = {
    "infer": InferType(),
    "normalize": ToANormalForm(),
    "cse": EliminateCommonSubexpr(),
    "dead code": DeadCode(),
    "inline": Inline(),
    "verify": VerifyWellFormed(),
    "print": uir.script.print,
    "round trip": lambda module: uir.script.parse(uir.script.print(module)),
    "json": lambda module: ir.load_json(ir.save_json(module)),
}

SHORT, LONG = 4_000, 32_000


@pytest.fixture(scope="module")
def modules() -> tuple[ir.IRModule, ir.IRModule]:
    """Return a short and a long module."""
    return chain(SHORT), chain(LONG)


def seconds(walk: Callable[[ir.IRModule], Any], module: ir.IRModule) -> float:
    """Return the least processor time of three runs."""
    times = []
    for _ in range(3):
        begin = time.process_time()
        walk(module)
        times.append(time.process_time() - begin)
    return min(times)


@pytest.mark.alone
@pytest.mark.parametrize("name", WALKS)
def test_eight_times_the_bindings_take_about_eight_times_as_long(
    modules: tuple[ir.IRModule, ir.IRModule], name: str
) -> None:
    short, long = (seconds(WALKS[name], module) for module in modules)
    # Quadratic time would be 64 times as long.
    assert long < 24 * max(short, 0.001)
