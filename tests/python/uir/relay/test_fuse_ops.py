"""Operators that share a loop become private functions."""

from __future__ import annotations

import numpy as np
import pytest

import uir
from uir import ir, relay, tir, transform
from uir.relay import Tensor
from uir.transform import DeadCodeElimination, FuseOps, InferType, Inline, PassContext

PREPARE = transform.Sequential([InferType(), transform.ToANormalForm()])

PARAMS = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(
        x: relay.Tensor((4, 8), "float32"),
        y: relay.Tensor((4, 8), "float32"),
        w: relay.Tensor((8, 8), "float32"),
        b: relay.Tensor((8,), "float32"),
    ):
        {}
"""


def parse(*lines: str) -> ir.IRModule:
    """Return a module of one function with typed bindings."""
    return PREPARE(uir.script.parse(PARAMS.format("\n        ".join(lines))))


def fuse(module: ir.IRModule, **options: object) -> ir.IRModule:
    """Return the module after the pass; it is well-formed, typed, and prints and parses."""
    with PassContext(config={f"FuseOps.{name}": value for name, value in options.items()}):
        fused = FuseOps()(module)
        assert FuseOps()(fused).same_as(fused)
    assert ir.verify(fused) == []
    assert InferType()(fused).same_as(fused)
    assert ir.structural_equal(uir.script.parse(uir.script.print(fused)), fused)
    return fused


def unfuse(module: ir.IRModule) -> ir.IRModule:
    """Return the module with private functions put back."""
    with PassContext(config={"Inline.primitive": True}):
        return DeadCodeElimination(["main"])(Inline()(module))


def ops(block: relay.Block) -> str:
    """Return the names of the callees of a block, in order."""
    names = []
    for binding in block.bindings:
        value = binding.value
        if isinstance(value, relay.Call):
            callee = value.op
            names.append(callee.name_hint if isinstance(callee, ir.GlobalVar) else callee.name)
        else:
            names.append(type(value).__name__)
    return " ".join(name.rpartition(".")[2] for name in names)


CASES: dict[str, tuple[list[str], str]] = {
    "a chain": (
        ["a = relay.exp(x)", "b2 = a + 1.0", "return relay.tanh(b2)"],
        "fused_exp_add_tanh",
    ),
    "a diamond": (
        ["a = relay.exp(x)", "c = relay.sin(a)", "d = relay.cos(a)", "return c * d"],
        "fused_exp_sin_cos_multiply",
    ),
    "a value with two groups of users stays": (
        [
            "a = relay.exp(x)",
            "c = relay.sum(a)",
            "d = a + 1.0",
            "e = relay.tanh(d)",
            "return (c, e)",
        ],
        "exp sum fused_add_tanh",
    ),
    "a result stays": (
        ["a = relay.exp(x)", "c = relay.tanh(a)", "return (a, c)"],
        "exp tanh",
    ),
    "layouts merge with elements": (
        ["a = relay.transpose(x)", "c = relay.reshape(a, shape=[32])", "return relay.exp(c)"],
        "fused_transpose_reshape_exp",
    ),
    "views alone stay": (
        ["a = relay.reshape(x, shape=[32])", "return relay.reshape(a, shape=[2, 16])"],
        "reshape reshape",
    ),
    "an epilogue follows a contraction": (
        ["a = x @ w", "c = a + b", "d = relay.relu(c)", "return d + y"],
        "fused_matmul_add_relu_add",
    ),
    "an epilogue has branches": (
        ["a = x @ w", "c = relay.exp(relay.transpose(relay.transpose(y)))", "return a + c"],
        "fused_matmul_transpose_transpose_exp_add",
    ),
    "nothing precedes a contraction": (
        ["a = relay.exp(x)", "return a @ w"],
        "exp matmul",
    ),
    "a layout does not follow a contraction": (
        ["a = x @ w", "c = relay.transpose(a)", "return relay.exp(c)"],
        "matmul fused_transpose_exp",
    ),
    "a larger result does not follow a contraction": (
        [
            "a = relay.reshape(x, shape=[4, 1, 8]) @ relay.reshape(w, shape=[1, 8, 8])",
            "return a + relay.reshape(y, shape=[4, 1, 8]) * relay.reshape(w, shape=[1, 8, 8])",
        ],
        "reshape reshape matmul reshape reshape fused_multiply_add",
    ),
    "what is before and after a reduction": (
        ["a = relay.exp(x)", "c = relay.sum(a, [1])", "return relay.sqrt(c)"],
        "fused_exp_sum_sqrt",
    ),
    "a result of the shape before a reduction does not follow it": (
        ["c = relay.sum(x, [1], keepdims=True)", "d = relay.sqrt(c)", "return x / d"],
        "fused_sum_sqrt divide",
    ),
    "no element is computed several times": (
        [
            "a = relay.exp(b)",
            "c = relay.reshape(a, shape=[1, 8])",
            "d = relay.exp(c)",
            "return x + d",
        ],
        "fused_exp_reshape_exp add",
    ),
    "views of what a function takes and returns stay outside": (
        [
            "a = relay.exp(relay.reshape(x, shape=[32]))",
            "c = relay.reshape(relay.tanh(a), shape=[2, 16])",
            "return relay.expand_dims(c, axes=[0])",
        ],
        "reshape fused_exp_tanh reshape expand_dims",
    ),
    "one operator among views stays": (
        ["a = relay.exp(relay.reshape(x, shape=[32]))", "return relay.reshape(a, shape=[8, 4])"],
        "reshape exp reshape",
    ),
    "layouts are read several times": (
        ["a = relay.reshape(b, shape=[1, 8])", "return relay.exp(x + a)"],
        "reshape fused_add_exp",
    ),
    "what is before and after a row": (
        ["a = x * 0.5", "c = relay.softmax(a)", "return c + a"],
        "fused_multiply_softmax_add",
    ),
    "one of two contractions": (
        ["a = x @ w", "c = y @ w", "return a + c"],
        "matmul fused_matmul_add",
    ),
    "a window takes what follows": (
        [
            "a = relay.exp(relay.reshape(x, shape=[1, 1, 4, 8]))",
            "c = relay.max_pool(a, kernel=[2, 2])",
            "return relay.relu(c)",
        ],
        "reshape exp fused_max_pool_relu",
    ),
    "opaque operators stay": (
        ["a = relay.exp(x)", "c = relay.topk(a, k=2)", "return relay.tanh(c[0])"],
        "exp topk TupleGetItem tanh",
    ),
    "parts of a tuple belong to what computes it": (
        ["a = relay.split(x, sections=2, axis=1)", "c = a[0] * a[1]", "return relay.exp(c)"],
        "fused_split_multiply_exp",
    ),
    "parts of an opaque tuple do not": (
        ["a = relay.topk(x, k=2)", "c = relay.exp(a[0])", "return relay.tanh(c)"],
        "topk TupleGetItem fused_exp_tanh",
    ),
    "operands in a tuple": (
        ["a = relay.exp(x)", "c = relay.concatenate((a, y), axis=1)", "return relay.tanh(c)"],
        "fused_exp_concatenate_tanh",
    ),
    "names are different": (
        [
            "a = relay.exp(x)",
            "c = a @ w",
            "d = relay.exp(c)",
            "e = relay.tanh(d) @ w",
            "return relay.exp(e)",
        ],
        "exp fused_matmul_exp_tanh fused_matmul_exp",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_joins(name: str) -> None:
    lines, expected = CASES[name]
    before = parse(*lines)
    after = fuse(before)
    assert ops(after.lookup("main").body) == expected
    draw = np.random.default_rng(0)
    values = [draw.random(shape, "float32") for shape in ((4, 8), (4, 8), (8, 8), (8,))]
    for found, wanted in zip(outputs(after, values), outputs(before, values), strict=True):
        np.testing.assert_array_equal(found, wanted)
    restored = unfuse(after)
    assert len(restored.functions) == 1 and ir.verify(restored) == []
    for found, wanted in zip(outputs(restored, values), outputs(before, values), strict=True):
        np.testing.assert_array_equal(found, wanted)


def outputs(module: ir.IRModule, values: list[np.ndarray]) -> tuple[np.ndarray, ...]:
    """Return the results of `main`."""
    result = relay.evaluate(module, *values)
    return result if isinstance(result, tuple) else (result,)


def test_the_kernel_takes_its_operands_and_large_constants() -> None:
    rb = relay.builder()
    x = rb.param("x", Tensor((2, 2)))
    large = relay.const(np.ones((2, 2), "float32"))
    y = rb.emit(relay.multiply(relay.add(x, large), relay.add(relay.exp(x), 2.0)))
    before = ir.IRModule({ir.GlobalVar("main"): rb.make_func(y)})
    after = fuse(before)
    (call,) = (binding.value for binding in after.lookup("main").body.bindings)
    assert call.args[0].same_as(x) and call.args[1].same_as(large)
    func = after.functions[call.op]
    assert func.attrs["primitive"] and "global_symbol" not in func.attrs
    assert [param.name for param in func.params] == ["x", "c1"]
    assert ops(func.body) == "add exp add multiply"
    assert ir.structural_equal(unfuse(after), before)


def test_a_limit() -> None:
    before = parse(
        "a = relay.exp(x)", "c = relay.tanh(a)", "d = relay.sin(c)", "return relay.cos(d)"
    )
    after = fuse(before, max_ops=2)
    assert ops(after.lookup("main").body) == "fused_exp_tanh fused_sin_cos"
    assert fuse(before, max_ops=1).same_as(before)
    with pytest.raises(ValueError, match=r"`FuseOps.max_ops` must be at least 1, got 0"):
        fuse(before, max_ops=0)


def symbolic(*lines: str) -> ir.IRModule:
    """Return a module of a function over tensors with the dimension `n`."""
    text = PARAMS.replace("(4, 8)", "(n, 8)").format(
        "\n        ".join(['n = tir.SizeVar("n", "int32")', *lines])
    )
    return PREPARE(uir.script.parse(text))


def test_dimensions_are_the_kernels_own() -> None:
    before = symbolic("a = relay.exp(x)", "c = relay.reshape(a, shape=[n * 8])", "return c + 1.0")
    after = fuse(before)
    main = after.lookup("main")
    assert ops(main.body) == "fused_exp_reshape_add"
    kernel = after.functions[main.body.bindings[0].value.op]
    inner, outer = (func.params[0].type_annotation.shape[0] for func in (kernel, main))
    assert isinstance(inner, tir.SizeVar) and not inner.same_as(outer)
    assert ir.structural_equal(unfuse(after), before)
    draw = np.random.default_rng(0)
    values = [draw.random(shape, "float32") for shape in ((3, 8), (3, 8), (8, 8), (8,))]
    np.testing.assert_array_equal(outputs(after, values), outputs(before, values))


def test_operands_that_do_not_bind_a_dimension() -> None:
    lines = ["a = relay.full(relay.sum(b), shape=[n])", "c = relay.exp(a)", "return relay.tanh(c)"]
    before = symbolic(*lines)
    assert fuse(before).same_as(before)


def test_branches_are_fused_by_themselves() -> None:
    condition = relay.Var("condition", Tensor((), "bool"))
    x = relay.Var("x", Tensor((2,)))

    def block(value: ir.RelayExpr) -> relay.Block:
        rb = relay.builder()
        return rb.make_block(rb.emit(relay.exp(rb.emit(relay.sin(value)))))

    rb = relay.builder()
    outside = rb.emit(relay.tanh(rb.emit(relay.cos(x))))
    choice = rb.emit(relay.If(condition, block(outside), block(x)))
    result = rb.make_block(rb.emit(relay.exp(choice)))
    main = relay.Function([x, condition], result)
    after = fuse(ir.IRModule({ir.GlobalVar("main"): main})).lookup("main")
    assert ops(after.body) == "fused_cos_tanh If exp"
    branches = after.body.bindings[1].value
    assert ops(branches.true_branch) == "fused_sin_exp"
    assert ops(branches.false_branch) == "fused_sin_exp_1"


def test_kernels_and_nested_values_stay() -> None:
    text = PARAMS.format(
        'relay.func_attr({"primitive": True})\n        return relay.exp(relay.tanh(x))'
    )
    module = uir.script.parse(text)
    assert FuseOps()(module).same_as(module)
    normal = PREPARE(module)
    assert FuseOps()(normal).same_as(normal)
    x = relay.Var("x", Tensor((2,)))
    nested = relay.exp(relay.tanh(x))
    func = relay.Function([x], relay.Block([], nested))
    module = ir.IRModule({ir.GlobalVar("main"): func})
    assert FuseOps()(module).same_as(module)
    assert not transform.Sequential([FuseOps()], opt_level=1)(module).same_as(module)
