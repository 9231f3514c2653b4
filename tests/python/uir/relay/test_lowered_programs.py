"""Functions of relay lowered to one function of tir, interpreted, compute what `evaluate` does."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from uir import ir, relay, tir, transform
from uir.ir import GlobalVar, IRModule

from ....differential.programs.entries import run_main, tensors_of
from ....differential.programs.relay_programs import random_program
from ...support.depth import DEPTH

GRAPH = [
    transform.ToANormalForm(),
    transform.InferType(),
    transform.DecomposeOps(),
    transform.SimplifyExpr(),
    transform.EliminateCommonSubexpr(),
    transform.DeadCode(),
]
TO_TIR = [
    transform.LowerOps(),
    transform.DeduplicateFunctions(),
    transform.LowerEntry(),
    transform.BindConstants(),
    transform.PlanMemory(),
]
BEHIND = [
    transform.LowerBlocks(),
    transform.Simplify(),
    transform.FlattenBuffer(),
    transform.StorageRewrite(),
    transform.NarrowDataType(32),
    transform.RemoveNoOp(),
]
PIPELINES = {
    "direct": [*GRAPH[:2], *TO_TIR],
    "graph": [*GRAPH, *TO_TIR],
    "fused": [*GRAPH, transform.FuseOps(), *TO_TIR],
    "all": [*GRAPH, transform.FuseOps(), *TO_TIR, *BEHIND],
}


def check(name: str, module: IRModule, *calls: list[np.ndarray]) -> IRModule:
    """Compare `main` after some passes with `evaluate`; return the module after them."""
    verify = transform.VerifyWellFormed()
    after = verify(transform.Sequential(PIPELINES[name])(module))
    assert all(isinstance(func, tir.PrimFunc) for func in after.functions.values())
    for arguments in calls:
        with np.errstate(all="ignore"):
            like = tensors_of(relay.evaluate(module, *arguments, name="main"))
        for found, wanted in zip(run_main(after, like, *arguments), like, strict=True):
            np.testing.assert_allclose(found, wanted, 1e-5, 1e-5)
    return after


@pytest.mark.parametrize("name", PIPELINES)
def test_random_programs_compute_the_same(name: str) -> None:
    start = 100 * list(PIPELINES).index(name)
    for seed in range(start, start + 10 * DEPTH):
        # Passes may round differently, so that a smooth program is needed behind them.
        program = random_program(Random(seed), smooth=name != "direct")
        check(name, program.module, *program.arguments)


def public(func: relay.Function) -> IRModule:
    return IRModule({GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


def network() -> IRModule:
    """Return a small network of a symbolic batch, whose weights are constants."""
    random = np.random.default_rng(1)
    n = tir.SizeVar("n")
    rb = relay.builder()
    x = rb.param("x", relay.Tensor((n, 6), "float32"))
    first, second = random.normal(size=(6, 8)), random.normal(size=(8, 3))
    bias = random.normal(size=8)
    hidden = relay.relu(x @ _const(first) + _const(bias))
    scores = hidden @ _const(second)
    return public(rb.make_func(relay.Tuple([relay.softmax(scores), relay.sum(hidden, 0), x])))


def _const(array: np.ndarray) -> relay.Constant:
    return relay.const(array.astype("float32"))


@pytest.mark.parametrize("name", PIPELINES)
def test_a_network_of_any_batch(name: str) -> None:
    random = np.random.default_rng(2)
    calls = [[random.normal(size=(n, 6)).astype("float32")] for n in (0, 1, 5)]
    after = check(name, network(), *calls)
    assert len(after.get_attr("constants")) == 3
    main: Any = after.lookup("main")
    assert main.get_attr("num_outputs") == 3
    assert "n" in str(main.get_attr("arena_bytes"))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
def test_integers_at_the_ends_of_their_types(dtype: str) -> None:
    x = relay.Var("x", relay.Tensor((2,), dtype))
    limits = np.iinfo(dtype)
    ends = [relay.maximum(x, relay.const(np.array(end, dtype))) for end in (limits.min, limits.max)]
    module = public(relay.Function([x], relay.Block([], relay.Tuple(ends))))
    check("direct", module, [np.array([limits.min, limits.max], dtype)])


def test_what_the_types_assume_is_asserted() -> None:
    n, m = tir.SizeVar("n"), tir.SizeVar("m")
    x = relay.Var("x", relay.Tensor((n,), "float32"))
    y = relay.Var("y", relay.Tensor((m,), "float32"))
    module = transform.InferType()(public(relay.Function([x, y], relay.Block([], x * y))))
    one, two = np.ones(1, "float32"), np.ones(2, "float32")
    after = check("all", module, [two, two])
    with pytest.raises(AssertionError, match="`n` is 2, dimension 0 of `x`; `m` is 1"):
        run_main(after, [two], two, one)


def test_bodies_of_functions_that_are_called_are_kept_apart() -> None:
    # The variables of one body once lay where those of an earlier one had been.
    program = random_program(Random(1016))
    check("direct", program.module, *program.arguments)
