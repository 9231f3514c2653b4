"""Sizes that divide by a symbolic size: a divisor of 0 is an error of the call that names it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import uir
from uir import ir, relay, tir
from uir.runtime import Module

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def held(x: tir.Buffer((n,), "float32"), w: tir.Buffer((m,), "float32")):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        held = tir.alloc_buffer((n // m,), "float32")
        for i in range(n // m):
            held[i] = x[i]
        for i in range(n // m):
            x[i] = held[i] + 1.0

    @tir.prim_func
    def given(
        x: tir.Buffer((n,), "float32"),
        w: tir.Buffer((m,), "float32"),
        y: tir.Buffer((n // m, 8 % (n - m)), "float32"),
    ):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        y[0, 0] = 1.0

    @tir.prim_func
    def skipped(x: tir.Buffer((n,), "float32"), w: tir.Buffer((m,), "float32")):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        if m > 0:
            for i in range(n // m):
                x[i] = x[i] + 1.0
"""


def ones(*shape: int) -> np.ndarray:
    return np.ones(shape, "float32")


@pytest.fixture(scope="module", params=["", "bounds"])
def built(request: pytest.FixtureRequest) -> Module:
    return uir.build(uir.script.parse(PROGRAM), checks=request.param)


def test_extents_of_buffers_in_a_function(built: Module) -> None:
    built.held(x := ones(6), ones(2))
    assert x.tolist() == [2, 2, 2, 1, 1, 1]
    with pytest.raises(ValueError, match="the divisor `m` is 0"):
        built.held(x, ones(0))
    assert x.tolist() == [2, 2, 2, 1, 1, 1]


def test_shapes_of_parameters(built: Module) -> None:
    built.given(ones(6), ones(3), ones(2, 2))
    with pytest.raises(ValueError, match="the divisor `m` is 0"):
        built.given(ones(6), ones(0), ones(2, 2))
    with pytest.raises(ValueError, match="the divisor `n - m` is 0"):
        built.given(ones(6), ones(6), ones(1, 2))


def test_an_output_says_which_dimension_divides() -> None:
    n, m = tir.SizeVar("n"), tir.SizeVar("m")
    params = [relay.Var("x", relay.Tensor((n,))), relay.Var("w", relay.Tensor((m,)))]
    body = relay.Block([], relay.full(relay.const(1.0, "float32"), (n // m,)))
    attrs = ir.DictAttrs({"global_symbol": "main"})
    module = ir.IRModule({ir.GlobalVar("main"): relay.Function(params, body, None, attrs)})
    message = "^main: the divisor `m` of `n // m` is 0, dimension 0 of `output`$"
    with pytest.raises(ValueError, match=message):
        uir.build(module).main(ones(6), ones(0))


def test_a_loop_that_does_not_run(built: Module) -> None:
    built.skipped(x := ones(3), ones(0))
    assert x.tolist() == [1, 1, 1]


NETWORKS: dict[str, Callable[..., ir.RelayExpr]] = {
    "full": lambda x, n, m: relay.full(relay.const(1.0, "float32"), (n // m,)),
    "full.rest": lambda x, n, m: relay.full(relay.const(1.0, "float32"), (n % m,)),
    "reshape": lambda x, n, m: relay.reshape(x, (n // m, m)),
    "slice": lambda x, n, m: relay.strided_slice(x, [0], [n // m]),
    "pad": lambda x, n, m: relay.relu(relay.pad(x, [(0, n // m)])) * 2.0,
}


@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name: str) -> None:
    n, m = tir.SizeVar("n"), tir.SizeVar("m")
    params = [relay.Var("x", relay.Tensor((n,))), relay.Var("w", relay.Tensor((m,)))]
    body = relay.Block([], NETWORKS[name](params[0], n, m))
    attrs = ir.DictAttrs({"global_symbol": "main"})
    module = ir.IRModule({ir.GlobalVar("main"): relay.Function(params, body, None, attrs)})
    compiled = uir.build(module)
    wanted = relay.evaluate(module, ones(6), ones(2))
    np.testing.assert_array_equal(np.from_dlpack(compiled.main(ones(6), ones(2))), wanted)
    for size in (6, 0):
        for run in (compiled.main, lambda *given: relay.evaluate(module, *given)):
            with pytest.raises(ValueError, match="`m`.* is 0|`w`"):
                run(ones(size), ones(0))
