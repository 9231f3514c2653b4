"""Networks become modules: results that are returned or written, calls across levels, weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tvm_ffi

import uir
from uir import relay, transform
from uir.runtime import export_library, load_module

from ..support import refuses

NETWORK = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 8), "float32"), w: relay.Tensor((8, 4), "float32")):
        n = tir.SizeVar("n", "int32")
        h = relay.relu(x @ w)
        y = relay.call_destination_passing(Module.add_one, [h], relay.Tensor((n, 4), "float32"))
        return (relay.softmax(y), h)

    @tir.prim_func(private=True)
    def add_one(A: tir.Buffer((n, 4), "float32"), B: tir.Buffer((n, 4), "float32")):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            for j in range(4):
                B[i, j] = A[i, j] + 1.0
"""


def test_a_network_returns_its_results_or_writes_them() -> None:
    network = uir.build(uir.script.parse(NETWORK))
    rng = np.random.default_rng(2)
    w = rng.standard_normal((8, 4), "float32")
    for rows in (1, 5, 0):
        x = rng.standard_normal((rows, 8), "float32")
        h = np.maximum(x @ w, 0)
        expected = np.exp(h) / np.exp(h).sum(-1, keepdims=True), h
        returned = [np.from_dlpack(result) for result in network.main(x, w)]
        written = [np.empty((rows, 4), "float32") for _ in range(2)]
        network.main_into(x, w, *written)
        for one, other, wanted in zip(returned, written, expected, strict=True):
            np.testing.assert_allclose(one, wanted, 1e-5, 1e-6)
            np.testing.assert_array_equal(one, other)
    with refuses(ValueError, "main: dimension 1 of `x` must be 8, got 7"):
        network.main(np.zeros((2, 7), "float32"), w)


ADD_ONE = """
@uir.script.ir_module
class Module:
    @relay.function
    def relay_add_one(x: relay.Tensor((10,), "float32")):
        return relay.call_destination_passing(
            Module.te_add_one, [x], relay.Tensor((10,), "float32")
        )

    @tir.prim_func
    def te_add_one(A: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            B[i] = A[i] + 1.0
"""


def test_functions_of_two_levels_in_one_module() -> None:
    module = uir.build(uir.script.parse(ADD_ONE))
    x, y = np.arange(10, dtype="float32"), np.zeros(10, "float32")
    np.testing.assert_array_equal(np.from_dlpack(module.relay_add_one(x)), x + 1)
    module.relay_add_one_into(x, y)
    np.testing.assert_array_equal(y, x + 1)
    module.te_add_one(x[:3], y[:3])
    np.testing.assert_array_equal(y[:3], x[:3] + 1)


ROWS = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(
        x: relay.Tensor((n, 8), "float32"),
        s: relay.Tensor((8,), "float32"),
    ):
        n = tir.SizeVar("n", "int32")
        a = relay.relu(relay.softmax(x * 2.0)) + x
        b = relay.gelu(relay.layer_norm(x, s, s))
        c = relay.rms_norm(relay.tanh(x), s)
        d = relay.log_softmax(x)
        return (a, b, c, d)
"""


def test_each_row_is_one_kernel_with_what_surrounds_it() -> None:
    """Rows stay whole until they are loops, so that a recipe sees all loops of a row."""
    program = uir.script.parse(ROWS)
    assert {var.name_hint for var in uir.lower(program).functions} == {
        "main",
        "fused_multiply_softmax_relu_add",
        "fused_layer_norm_multiply_multiply_erf_add_multiply",
        "fused_tanh_rms_norm",
        "log_softmax",
    }
    rng = np.random.default_rng(4)
    x, s = (rng.standard_normal(shape, "float32") for shape in ((5, 8), (8,)))
    found = uir.build(program).main(x, s)
    expected = relay.evaluate(program, x, s)
    for one, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.from_dlpack(one), wanted, 1e-4, 1e-5)


@pytest.mark.parametrize("level", [0, 3])
def test_every_level_of_the_context_builds(level: int) -> None:
    """Optional passes may be left out."""
    optional = ["Simplify", "FuseOps", "PlanMemory", "CommonSubexprElim"]
    x, w = np.ones((2, 8), "float32"), np.ones((8, 4), "float32")
    with transform.PassContext(opt_level=level, disabled_pass=optional if level else []):
        softmax, hidden = uir.build(uir.script.parse(NETWORK)).main(x, w)
    np.testing.assert_array_equal(np.from_dlpack(softmax), np.full((2, 4), 0.25, "float32"))
    np.testing.assert_array_equal(np.from_dlpack(hidden), x @ w)


def test_weights_are_in_the_library(tmp_path: Path) -> None:
    weights = np.random.default_rng(3).standard_normal((64, 32), "float32")
    rb = relay.builder()
    x = rb.param("x", relay.Tensor((2, 64), "float32"))
    func = rb.make_func(relay.matmul(x, relay.Constant(tvm_ffi.from_dlpack(weights))))
    export_library(uir.build(func), tmp_path / "weights.so")
    assert weights.tobytes() in (tmp_path / "weights.so").read_bytes()
    export_library(uir.build(func), tmp_path / "weights.tar")
    given = np.ones((2, 64), "float32")
    found = load_module(tmp_path / "weights.so").main(given)
    np.testing.assert_allclose(np.from_dlpack(found), given @ weights, 1e-4, 1e-5)
