"""Operators are taken apart into others, which compute the same."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay
from uir.ir import Op, list_op_names
from uir.relay import Tensor
from uir.transform import DecomposeOps, InferType, PassContext, Sequential, ToANormalForm

from .operator_cases import OPERATORS, case, make

NAMES = sorted(
    name.removeprefix("relay.")
    for name in list_op_names()
    if name.startswith("relay.") and Op.get(name).get_attr("decompose") is not None
)
EXAMPLES = 12 * int(os.environ.get("TSCHEMA_DEPTH", "1"))
MAIN = ir.GlobalVar("main")


def module_of(call: relay.Call, params: list[relay.Var]) -> ir.IRModule:
    """Return a module of a function that returns the value of a call."""
    return ToANormalForm()(ir.IRModule({MAIN: relay.Function(params, relay.Block([], call))}))


def decompose(module: ir.IRModule, *keep: str) -> ir.IRModule:
    """Return the module after the pass, which leaves it well-formed and typed."""
    config = {"DecomposeOps.keep": [f"relay.{name}" for name in keep], "DecomposeOps.row": True}
    with PassContext(config=config):
        after = DecomposeOps()(module)
        assert DecomposeOps()(after).same_as(after)
    assert ir.verify(after) == []
    assert InferType()(after).same_as(after)
    assert ToANormalForm()(after).same_as(after)
    assert ir.structural_equal(uir.script.parse(uir.script.print(after)), after)
    return after


def ops(module: ir.IRModule) -> list[str]:
    """Return the names of the operators of `main`, in order."""
    calls = [binding.value for binding in module.lookup("main").body.bindings]
    return [call.op.name.removeprefix("relay.") for call in calls]


@pytest.mark.parametrize("name", NAMES)
def test_parts_compute_what_the_operator_does(name: str) -> None:
    random = Random(name)
    taken_apart = 0
    for _ in range(EXAMPLES):
        arrays, attributes = case(name, random)
        params: list[relay.Var] = []
        operands: list[Any] = []
        for array in arrays:
            if array is not None:
                params.append(relay.Var(f"p{len(params)}", Tensor(array.shape, str(array.dtype))))
            operands.append(None if array is None else params[-1])
        before = module_of(make(OPERATORS[name], operands, attributes), params)
        after = decompose(before)
        taken_apart += not after.same_as(before)
        values = [array for array in arrays if array is not None]
        with np.errstate(all="ignore"):
            expected, found = (relay.evaluate(module, *values) for module in (before, after))
        are_many = isinstance(expected, tuple)
        pairs = zip(found, expected, strict=True) if are_many else [(found, expected)]
        for one, wanted in pairs:
            assert one.dtype == wanted.dtype and one.shape == wanted.shape
            rtol, atol = (1e-2, 1e-2) if wanted.dtype == np.float16 else (1e-4, 1e-5)
            np.testing.assert_allclose(one, wanted, rtol=rtol, atol=atol)
    # Some stay whole: float16, and means of integers.
    assert taken_apart > EXAMPLES / 10
    assert decompose(before, name).same_as(before)


def test_equal_parts_are_computed_once() -> None:
    x = relay.Var("x", Tensor((2, 3)))
    before = module_of(relay.softmax(x), [x])
    after = decompose(before)
    assert ops(after) == ["max", "subtract", "exp", "sum", "divide"]


def test_parts_are_taken_apart() -> None:
    x = relay.Var("x", Tensor((2, 3)))
    before = module_of(relay.rms_norm(x), [x])
    whole = ["multiply", "sum", "divide", "add", "sqrt", "divide", "multiply", "multiply"]
    assert ops(decompose(before)) == whole
    kept = ["multiply", "mean", "add", "rsqrt", "multiply", "multiply"]
    assert ops(decompose(before, "mean", "rsqrt")) == kept


def test_rows_stay_unless_the_option_says_otherwise() -> None:
    x = relay.Var("x", Tensor((2, 3)))
    rows = [relay.softmax, relay.log_softmax, relay.layer_norm, relay.rms_norm]
    for row in rows:
        before = module_of(row(x), [x])
        assert DecomposeOps()(before).same_as(before)
        assert len(ops(decompose(before))) > 2
    assert ops(DecomposeOps()(module_of(relay.silu(x), [x])))[-1] == "multiply"


def test_dimensions_that_are_not_constant() -> None:
    text = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 8, 4), "float32"), s: relay.Tensor((8,), "float32")):
        n = tir.SizeVar("n", "int32")
        a = relay.layer_norm(x)
        b = relay.group_norm(a, 2, s, s)
        c = relay.batch_norm(b, s, s, s, s)
        d = relay.softmax(c, axis=0)
        return relay.mean(d, [0])
"""
    before = Sequential([InferType(), ToANormalForm()])(uir.script.parse(text))
    after = decompose(before)
    assert "mean" in ops(after) and "layer_norm" not in ops(after)
    draw = np.random.default_rng(0)
    values = [draw.random(shape, "float32") for shape in ((3, 8, 4), (8,))]
    expected, found = (relay.evaluate(module, *values) for module in (before, after))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_attention_over_any_number_of_keys() -> None:
    text = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(
        query: relay.Tensor((n, 4, q, 8), "float32"),
        key: relay.Tensor((n, 2, k, 8), "float32"),
        mask: relay.Tensor((k,), "bool"),
    ):
        n = tir.SizeVar("n", "int32")
        q = tir.SizeVar("q", "int32")
        k = tir.SizeVar("k", "int32")
        return relay.attention(query, key, key, mask, causal=True)
"""
    before = Sequential([InferType(), ToANormalForm()])(uir.script.parse(text))
    after = decompose(before, "softmax")
    assert ops(after).count("matmul") == 2 and "attention" not in ops(after)
    draw = np.random.default_rng(0)
    query, key = (draw.random(shape, "float32") for shape in ((2, 4, 3, 8), (2, 2, 5, 8)))
    for mask in (np.array([False, True, True, False, True]), np.zeros(5, bool)):
        expected, found = (relay.evaluate(one, query, key, mask) for one in (before, after))
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    assert not found.any()


def test_attention_over_heads_that_are_not_counted_stays_whole() -> None:
    heads = uir.tir.SizeVar("h", "int32")
    x = relay.Var("x", Tensor((1, heads, 2, 4)))
    before = InferType()(module_of(relay.attention(x, x, x), [x]))
    assert ops(decompose(before)) == ["attention"]


def test_an_operator_that_is_not_there() -> None:
    x = relay.Var("x", Tensor((2, 3)))
    with pytest.raises(ValueError, match="bake"):
        decompose(module_of(relay.exp(x), [x]), "bake")
    with pytest.raises(TypeError, match=r"DecomposeOps.keep"):
        PassContext(config={"DecomposeOps.keep": 1})
