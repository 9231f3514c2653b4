"""Every pass over typed functions leaves them as InferType would: with types and assumptions."""

from __future__ import annotations

import re

import pytest

import uir
from uir import ir, transform
from uir.transform import InferType, PassContext

from ...support.project import ROOT

DECLARED = (ROOT / "schema/transform/relay_passes.py").read_text()
PASSES = [*re.findall(r"^def (\w+)\(\) -> PassNode", DECLARED, re.MULTILINE), "DeadCodeElimination"]

SIZES = "        {0} = tir.SizeVar('{0}', 'int32')\n"
N, NM = SIZES.format("n"), SIZES.format("n") + SIZES.format("m")

MODULES = {
    "constant dimensions": """
    @relay.function
    def main(x: relay.Tensor((4, 8)), w: relay.Tensor((8, 8)), b: relay.Tensor((8,))):
        relay.func_attr({"global_symbol": "main"})
        h = relay.relu(relay.matmul(x, w) + b)
        again = relay.relu(relay.matmul(x, w) + b)
        unused = relay.exp(x)
        s = relay.softmax(relay.transpose(relay.transpose(h)) * 1.0)
        return relay.layer_norm(s, b) + again
""",
    "a symbolic batch": f"""
    @relay.function
    def main(x: relay.Tensor((n, 8)), w: relay.Tensor((8, 8)), b: relay.Tensor((8,))):
{N}        relay.func_attr({{"global_symbol": "main"}})
        h = relay.gelu(relay.matmul(x, w) + b)
        r = relay.reshape(relay.reshape(h, shape=[-1, 4]), shape=[n, 8])
        return relay.softmax(r * 1.0) + relay.relu(r)
""",
    "assumptions": f"""
    @relay.function
    def main(x: relay.Tensor((n, 8)), y: relay.Tensor((m, 8)), b: relay.Tensor((m,))):
{NM}        relay.func_attr({{"global_symbol": "main"}})
        s = relay.relu(x + y)
        again = relay.relu(x + y)
        t = relay.tanh(relay.transpose(again) + b)
        normed = relay.layer_norm(relay.transpose(s * 1.0), b)
        halves = relay.split(x, sections=2)
        return (relay.exp(normed + t), halves[0], relay.squeeze(relay.expand_dims(x, axes=[1])))
""",
    "assumptions of a callee": f"""
    @relay.function
    def helper(x: relay.Tensor((n, 8)), y: relay.Tensor((m, 8))) -> relay.Tensor((n, 8)):
{NM}        return relay.tanh(relay.relu(x) * y)

    @relay.function
    def main(x: relay.Tensor((n, 8)), y: relay.Tensor((m, 8)), z: relay.Tensor((4, 8))):
{NM}        relay.func_attr({{"global_symbol": "main"}})
        a = Module.helper(x, y)
        b = Module.helper(z, z)
        return (relay.exp(a * x), relay.exp(b), Module.helper(z, a))
""",
    "branches": f"""
    @relay.function
    def helper(x: relay.Tensor((n, 8)), y: relay.Tensor((m, 8))) -> relay.Tensor((n, 8)):
{NM}        return relay.relu(x) * y

    @relay.function
    def main(flag: relay.Tensor((), "bool"), x: relay.Tensor((n, 8)), y: relay.Tensor((m, 8))):
{NM}        relay.func_attr({{"global_symbol": "main"}})
        if flag:
            a = relay.exp(relay.tanh(x) + y)
            r = Module.helper(a, y)
        else:
            r = relay.negative(relay.relu(x * 1.0))
        return relay.softmax(r)
""",
}


def typed(name: str) -> ir.IRModule:
    text = "@uir.script.ir_module\nclass Module:" + MODULES[name].replace("'", '"')
    return InferType()(uir.script.parse(re.sub(r"(Tensor\(\([^()]*\))\)", r'\1, "float32")', text)))


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("name", PASSES)
def test_inference_changes_nothing_after_a_pass(name: str, module: str) -> None:
    before = typed(module)
    if name != "ToANormalForm":
        before = transform.ToANormalForm()(before)
    with PassContext(config={"Inline.primitive": True}):
        after = transform.make_pass(name)(before)
    assert InferType()(after).same_as(after)
    assert ir.verify(after) == []


@pytest.mark.parametrize("module", MODULES)
def test_inference_changes_nothing_after_all_passes(module: str) -> None:
    after = transform.ToANormalForm()(typed(module))
    for name in PASSES:
        after = transform.make_pass(name)(after)
        assert InferType()(after).same_as(after), name


def test_a_fused_function_has_its_assumptions() -> None:
    fused = transform.FuseOps()(transform.ToANormalForm()(typed("assumptions")))
    texts = [str(func) for var, func in fused.functions.items() if var.name_hint != "main"]
    assert any('"shape_assumptions": [n == m]' in text for text in texts)
