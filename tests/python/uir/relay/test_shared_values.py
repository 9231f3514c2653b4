"""Shared parts of nested values have 2**60 paths 60 levels deep: each part is visited once."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

import uir
from uir import ir, relay, script, tir
from uir.ir import RelayExpr
from uir.target import Target

LEVELS: dict[str, Callable[[RelayExpr], RelayExpr]] = {
    "add": lambda e: relay.add(e, e),
    "call": lambda e: relay.multiply(relay.exp(relay.negative(e)), e),
    "tuple": lambda e: relay.maximum(relay.TupleGetItem(relay.Tuple([e, e]), 0), e),
    "reduce": lambda e: relay.subtract(e, relay.mean(e)),
}


def nested(level: Callable[[RelayExpr], RelayExpr]) -> ir.IRModule:
    x = relay.Var("x", ir.TensorType([tir.const(4)], "float32"))
    value: RelayExpr = x
    for _ in range(60):
        value = level(value)
    func = relay.Function([x], relay.Block([], value))
    return ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


@pytest.mark.parametrize("name", LEVELS)
def test_shared_parts_are_visited_once(name: str) -> None:
    module = nested(LEVELS[name])
    begin = time.process_time()
    ir.verify(module)
    text = script.print(module)
    assert len(text) < 20_000
    assert script.print(script.parse(text)) == text
    relay.evaluate(module, np.array([0.1, 0.2, 0.3, 0.4], "float32"))
    assert len(uir.target.emit_c(uir.lower(module), Target())) < 200_000
    assert time.process_time() - begin < 4


def test_branches_that_share_their_parts_are_refused() -> None:
    """Each branch computes what it needs, which a function has no way to say once."""

    def level(e: RelayExpr) -> RelayExpr:
        condition = relay.greater(relay.sum(e), relay.sum(relay.negative(e)))
        return relay.If(condition, relay.Block([], e), relay.Block([], relay.add(e, e)))

    module = nested(level)
    begin = time.process_time()
    ir.verify(module)
    relay.evaluate(module, np.array([0.1, 0.2, 0.3, 0.4], "float32"))
    with pytest.raises(ValueError, match="on more than 10000 paths: bind parts to variables"):
        uir.lower(module)
    assert time.process_time() - begin < 4
