"""Functions of mathematics are inlined, but where a kernel calls them for each of many vectors."""

from __future__ import annotations

import numpy as np
import pytest

import uir
from uir import script
from uir.target import Target

PROGRAM = """
@uir.script.ir_module
class Module:
    @relay.function
    def product(x: relay.Tensor((64, 32), "float32"), w: relay.Tensor((32, 96), "float32")):
        return relay.exp(x @ w) + relay.power(relay.abs(x @ w), x @ w)

    @relay.function
    def rows(x: relay.Tensor((64, 96), "float32")):
        return relay.softmax(x)
"""
BOTH = """
@tir.prim_func
def main(A: tir.Buffer((SIZE,), "float32"), n: tir.int32):
    call_exp_float32x8: tir.int32 = n * 2
    for i in range(call_exp_float32x8):
STORES
"""


def bodies(text: str) -> dict[str, str]:
    """Return the text of each kernel by its name."""
    functions = text.split("\n// ")[1:]
    return {function.split("\n")[0].split(",")[0]: function for function in functions}


@pytest.mark.parametrize("isa", ["generic", "x86-64-v3", "x86-64-v4"])
def test_each_of_many_sums_has_a_call(isa: str) -> None:
    module = uir.build(script.parse(PROGRAM), Target("c", isa))
    kernels = bodies(module.inspect_source())
    softmax = kernels["softmax"]
    assert "exp_float32x" in softmax and "call_exp" not in softmax
    product = kernels["fused_matmul_exp_abs_power_add"]
    assert product.count("call_exp_float32x") == product.count("exp_float32x") >= 8
    assert product.count("call_pow_float32x") == product.count("pow_float32x") >= 8


@pytest.mark.parametrize(("calls", "has_call"), [(7, False), (8, True)])
def test_few_calls_are_inlined(calls: int, has_call: bool) -> None:
    vectors = [f"A[tir.Ramp({i * 8}, 1, 8)]" for i in range(calls)]
    stores = "\n".join(f"        {vector} = tir.exp({vector})" for vector in vectors)
    program = BOTH.replace("SIZE", str(calls * 8)).replace("STORES", stores)
    module = uir.build(script.parse_function(program), Target("c", "generic"))
    assert (" call_exp_float32x8(" in module.inspect_source()) == has_call
    a = np.linspace(-9, 1, calls * 8).astype("float32")
    expected = np.exp(np.exp(a))
    module.main(a, 1)
    np.testing.assert_allclose(a, expected, rtol=1e-6)


def test_results_are_those_of_numpy() -> None:
    draws = np.random.default_rng(0)
    x = draws.standard_normal((64, 32)).astype("float32") / 4
    w = draws.standard_normal((32, 96)).astype("float32") / 4
    found = np.from_dlpack(uir.build(script.parse(PROGRAM), Target("c", "x86-64")).product(x, w))
    product = x.astype("float64") @ w
    np.testing.assert_allclose(found, np.exp(product) + np.abs(product) ** product, rtol=2e-5)
