"""What walks over bindings takes linear time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

import uir
from uir import ir, relay, transform
from uir.relay import Tensor

F = ir.ExternFunc("f")


def calls(length: int) -> ir.IRModule:
    """Return a module of one function, whose bindings each use the one before."""
    rb = relay.builder()
    last = rb.param("x", Tensor((2, 3)))
    for _ in range(length):
        last = rb.emit(relay.call_destination_passing(F, [last], Tensor((2, 3))))
    return ir.IRModule({ir.GlobalVar("main"): rb.make_func(last)})


def operators(length: int) -> ir.IRModule:
    """Return a module of one function with operators that rules, fusion and the like look for."""
    rb = relay.builder()
    first = last = rb.param("x", Tensor((3, 3)))
    makers: list[Callable[[ir.RelayExpr], ir.RelayExpr]] = [
        relay.exp,
        lambda x: relay.multiply(x, 1.0),
        relay.silu,
        relay.transpose,
        relay.transpose,
        lambda x: relay.matmul(x, first),
        lambda x: relay.add(x, first),
        relay.softmax,
    ]
    for place in range(length):
        last = rb.emit(makers[place % len(makers)](last))
    return ir.IRModule({ir.GlobalVar("main"): rb.make_func(last)})


def round_trip(module: ir.IRModule) -> ir.IRModule:
    """Print and parse."""
    return uir.script.parse(uir.script.print(module))


WALKS: dict[str, tuple[Callable[[int], ir.IRModule], Callable[[ir.IRModule], Any]]] = {
    "infer": (calls, transform.InferType()),
    "normalize": (calls, transform.ToANormalForm()),
    "cse": (calls, transform.EliminateCommonSubexpr()),
    "dead code": (calls, transform.DeadCode()),
    "inline": (calls, transform.Inline()),
    "verify": (calls, transform.VerifyWellFormed()),
    "print": (calls, uir.script.print),
    "round trip": (calls, round_trip),
    "json": (calls, lambda module: ir.load_json(ir.save_json(module))),
    "infer operators": (operators, transform.InferType()),
    "simplify": (operators, transform.SimplifyExpr()),
    "fold affine": (operators, transform.FoldAffineIntoWeights()),
    "combine products": (operators, transform.CombineParallelMatmul()),
    "fuse attention": (operators, transform.FuseAttention()),
    "fold": (operators, transform.FoldConstant()),
    "decompose": (operators, transform.DecomposeOps()),
    "fuse": (operators, transform.FuseOps()),
    "cse of operators": (operators, transform.EliminateCommonSubexpr()),
    "dead operators": (operators, transform.DeadCode()),
    "round trip of operators": (operators, round_trip),
}

SHORT, LONG = 2_000, 16_000
FEW, MILLION = 125_000, 1_000_000

Modules = Callable[[Callable[[int], ir.IRModule], int], ir.IRModule]


@pytest.fixture(scope="module")
def module_of() -> Modules:
    """Return a function that makes modules, and keeps them for the other tests."""
    made: dict[tuple[str, int], ir.IRModule] = {}

    def make(maker: Callable[[int], ir.IRModule], length: int) -> ir.IRModule:
        key = (maker.__name__, length)
        if key not in made:
            made[key] = maker(length)
        return made[key]

    return make


def seconds(walk: Callable[[ir.IRModule], Any], module: ir.IRModule, runs: int) -> float:
    """Return the least processor time of some runs."""
    times = []
    for _ in range(runs):
        begin = time.process_time()
        walk(module)
        times.append(time.process_time() - begin)
    return min(times)


def ratio(name: str, module_of: Modules, lengths: tuple[int, int], runs: int) -> float:
    """Return how much longer a walk over eight times the bindings takes."""
    maker, walk = WALKS[name]
    short, long = (seconds(walk, module_of(maker, length), runs) for length in lengths)
    print(f"{name}: {lengths[1]} bindings in {long:.2f} s, {lengths[0]} in {short:.2f} s")
    return long / max(short, 0.001)


@pytest.mark.alone
@pytest.mark.parametrize("name", WALKS)
def test_eight_times_the_bindings_take_about_eight_times_as_long(
    module_of: Modules, name: str
) -> None:
    # Quadratic time would be 64 times as long; the caches hold the short module, not the long one.
    assert ratio(name, module_of, (SHORT, LONG), runs=5) < 40


@pytest.mark.deep
@pytest.mark.parametrize("name", WALKS)
def test_a_million_bindings(module_of: Modules, name: str) -> None:
    assert ratio(name, module_of, (FEW, MILLION), runs=1) < 24
