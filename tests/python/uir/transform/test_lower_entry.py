"""Public high-level functions become tensor-level ones, which compute the same."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, script, tir
from uir.ir import GlobalVar, IRModule
from uir.transform import (
    BindConstants,
    InferType,
    LowerEntry,
    PlanMemory,
    Sequential,
    ToANormalForm,
    VerifyWellFormed,
)

from ....differential.programs.entries import expected, random_entry, run_main
from ...support.depth import DEPTH

ADD_ONE = """
@uir.script.ir_module
class Module:
    @relay.function
    def relay_add_one(x: relay.Tensor((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        return relay.call_destination_passing(Module.te_add_one, [x], relay.Tensor((n,), "float32"))

    @tir.prim_func
    def te_add_one(A: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            B[i] = A[i] + 1.0
"""

LOWERED = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def relay_add_one(x: tir.Buffer((n,), "float32"), output: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        tir.func_attr({"num_outputs": 1})
        Module.te_add_one_sized(x.data, output.data, n)

    @tir.prim_func
    def te_add_one(A: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            B[i] = A[i] + 1.0

    @tir.prim_func(private=True)
    def te_add_one_sized(
        A: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32"), n: tir.SizeVar("int32")
    ):
        for i in range(n):
            B[i] = A[i] + 1.0
"""


def prepared(text: str) -> IRModule:
    return Sequential([ToANormalForm(), InferType()])(script.parse(text))


def main_of(body: str, *params: str, more: str = "") -> IRModule:
    """Return a module of a `main`, and of a private function that copies a vector."""
    lines = "\n        ".join(body.strip().splitlines())
    return prepared(f"""
@uir.script.ir_module
class Module:
    @relay.function
    def main({", ".join(params)}):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        {lines}

    @tir.prim_func(private=True)
    def double(A: tir.Buffer((k,), "float32"), B: tir.Buffer((k,), "float32")):
        k = tir.SizeVar("k", "int32")
        for i in range(k):
            B[i] = A[i] * 2.0
{more}
""")


def lowered(module: IRModule) -> IRModule:
    after = LowerEntry()(VerifyWellFormed()(module))
    assert ir.structural_equal(script.parse(script.print(after)), after)
    bound = VerifyWellFormed()(BindConstants()(VerifyWellFormed()(after)))
    assert LowerEntry()(bound).same_as(bound)
    return bound


def check(module: IRModule, *args: Any) -> IRModule:
    """Compare a function before and after; return the module after."""
    after = lowered(module)
    like = expected(module, *args)
    for found, wanted in zip(run_main(after, like, *args), like, strict=True):
        np.testing.assert_array_equal(found, wanted)
    return after


def test_a_function_of_relay_that_calls_one_of_te() -> None:
    after = LowerEntry()(prepared(ADD_ONE))
    assert ir.structural_equal(after, script.parse(LOWERED)), script.print(after)
    x = np.arange(4, dtype="float32")
    (result,) = run_main(after, [x], x, name="relay_add_one")
    assert result.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(40 * DEPTH))
def test_random_functions_compute_the_same(seed: int) -> None:
    program = random_entry(Random(seed))
    after = lowered(program.module)
    assert all(isinstance(func, tir.PrimFunc) for func in after.functions.values())
    for arguments in program.arguments:
        like = expected(program.module, *arguments)
        for found, wanted in zip(run_main(after, like, *arguments), like, strict=True):
            np.testing.assert_array_equal(found, wanted, err_msg=script.print(program.module))


def allocations(module: IRModule) -> list[str]:
    """Return the names of the buffers that `main` allocates."""
    return [str(node.buffer.name) for node in ir.post_order(module.lookup("main"), tir.AllocBuffer)]


VECTOR = 'relay.Tensor((n,), "float32")'
CALL = "relay.call_destination_passing(Module.double, [{}], " + VECTOR + ")"


def test_a_call_writes_the_output_that_it_is() -> None:
    module = main_of(
        f"a = {CALL.format('x')}\nb = {CALL.format('a')}\nreturn (b, a)", f"x: {VECTOR}"
    )
    after = check(module, np.ones(3, "float32"))
    assert allocations(after) == []
    assert ir.post_order(after.lookup("main"), tir.For) == []


@pytest.mark.parametrize(
    ("result", "copies"),
    [("(x, x)", 2), ("(a, a)", 1), ('relay.const([1.0, 2.0], "float32")', 1), ("(a, (x, a))", 2)],
)
def test_inputs_constants_and_what_is_returned_twice_are_copied(result: str, copies: int) -> None:
    after = check(
        main_of(f"a = {CALL.format('x')}\nreturn {result}", f"x: {VECTOR}"), np.ones(2, "float32")
    )
    assert len(ir.post_order(after.lookup("main"), tir.For)) == copies


def test_tensors_of_a_tuple_are_parameters() -> None:
    pair = f"ir.TupleType([{VECTOR}, {VECTOR}])"
    module = main_of(f"a = x[1]\nb = {CALL.format('a')}\nreturn (x, b)", f"x: {pair}")
    x = np.arange(2, dtype="float32")
    after = check(module, (x, x + 5))
    names = [str(buffer.name) for buffer in after.lookup("main").buffer_map.values()]
    assert names == ["x_0", "x_1", "output_0", "output_1", "output_2"]


def test_what_the_types_assume_is_asserted() -> None:
    other = 'relay.Tensor((m,), "float32")'
    second = CALL.format("a").replace("(n,)", "(m,)")
    module = main_of(
        f"a = {CALL.format('x')}\nb = {second}\nreturn b", f"x: {VECTOR}", f"y: {other}"
    )
    two, three = np.ones(2, "float32"), np.ones(3, "float32")
    after = check(module, two, two)
    with pytest.raises(AssertionError) as raised:
        run_main(after, [three], two, three)
    assert str(raised.value) == (
        "ValueError: main: `n == m` must hold: "
        "`n` is 2, dimension 0 of `x`; `m` is 3, dimension 0 of `y`"
    )


@pytest.mark.parametrize("callee", ['ir.ExternFunc("twice")', "Module.f"])
def test_an_external_function_gets_pointers_and_then_dimensions(callee: str) -> None:
    call = f'relay.call_destination_passing({callee}, [x], relay.Tensor((n, 4), "float32"))'
    module = main_of(f"return {call}", f"x: {VECTOR}", more='\n    f = ir.ExternFunc("twice")')
    (node,) = (
        node
        for node in ir.post_order(lowered(module).lookup("main"), tir.Call)
        if node.op.name == "tir.call_extern"
    )
    assert [str(arg) for arg in node.args] == [
        '"twice"',
        "x",
        "output",
        "tir.int64(n)",
        "tir.int64(n)",
    ]


def test_sizes_of_another_type_are_converted() -> None:
    module = main_of(
        'return relay.call_destination_passing(Module.wide, [x], relay.Tensor((n,), "float32"))',
        f"x: {VECTOR}",
        more="""
    @tir.prim_func(private=True)
    def wide(A: tir.Buffer((k,), "float32"), B: tir.Buffer((k,), "float32")):
        k = tir.SizeVar("k", "int64")
        for i in range(k):
            B[i] = A[i] - 2.0
""",
    )
    after = check(module, np.ones(3, "float32"))
    assert "tir.int64(n))" in script.print(after)


def test_a_private_function_that_others_call_is_copied() -> None:
    module = main_of(
        f"return {CALL.format('x')}",
        f"x: {VECTOR}",
        more="""
    @tir.prim_func
    def other(A: tir.Buffer((4,), "float32"), B: tir.Buffer((4,), "float32")):
        Module.double(A.data, B.data)
""",
    )
    names = sorted(str(var.name_hint) for var in lowered(module).functions)
    assert names == ["double", "double_sized", "main", "other"]


def test_public_functions_may_call_each_other() -> None:
    other = f"""
    @relay.function
    def other(y: {VECTOR}) -> {VECTOR}:
        n = tir.SizeVar("n", "int32")
        a = {CALL.format("y")}
        return {CALL.format("a")}
"""
    call = f"a: {VECTOR} = Module.other(x)\nb: {VECTOR} = Module.other(a)\nreturn (a, b)"
    x = np.arange(3, dtype="float32")
    after = check(main_of(call, f"x: {VECTOR}", more=other), x)
    assert len(ir.post_order(after.lookup("main").body, tir.Evaluate)) == 4
    (result,) = run_main(after, [x], x, name="other")
    assert result.tolist() == [0, 4, 8]


def test_without_a_public_function_nothing_changes() -> None:
    module = main_of(f"return {CALL.format('x')}", f"x: {VECTOR}")
    main = ir.with_attr(module.lookup("main"), "global_symbol", None)
    private = ir.with_function(module, module.get_global_var("main"), main)
    assert LowerEntry()(private).same_as(private)


LOOP = """
    @relay.function(private=True)
    def loop(x: relay.Tensor((2,), "float32")) -> relay.Tensor((2,), "float32"):
        y: relay.Tensor((2,), "float32") = Module.loop(x)
        return y

    @tir.prim_func(private=True)
    def strided(A: tir.Buffer((2,), "float32", strides=(3,)), B: tir.Buffer((2,), "float32")):
        B[0] = A[0]

    @tir.prim_func(private=True)
    def unbound(A: tir.Buffer((2 * k,), "float32"), B: tir.Buffer((2,), "float32")):
        k = tir.SizeVar("k", "int32")
        B[0] = A[0]
"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return relay.exp(x)", "`relay.exp` is not lowered; run `LowerOps` first"),
        (
            "y: relay.Tensor((2,), 'float32') = Module.loop(x)\nreturn y",
            "recursion: `loop` calls itself",
        ),
        (
            CALL.format("x").replace("double", "strided").replace("(n,)", "(2,)"),
            "`strided`: parameter `A` must be compact",
        ),
        (
            CALL.format("x").replace("double", "unbound").replace("(n,)", "(2,)"),
            "has the size `k`, which no buffer binds",
        ),
    ],
)
def test_what_is_not_lowered_is_told(body: str, message: str) -> None:
    body = body if "return" in body else f"return {body}"
    module = main_of(body, "x: relay.Tensor((2,), 'float32')", more=LOOP)
    with pytest.raises(ValueError) as raised:
        LowerEntry()(module)
    lines = str(raised.value).splitlines()
    assert message in lines[0], lines
    assert "`LowerEntry`" in lines[0] or any("LowerEntry" in line for line in lines)
    assert any("^" in line for line in lines), lines


def test_nested_values_are_refused() -> None:
    with pytest.raises(ValueError, match="nested in another one; run `ToANormalForm` first"):
        LowerEntry()(InferType()(script.parse(ADD_ONE)))


def test_functions_as_values_are_refused() -> None:
    f = relay.Var("f", ir.FuncType([relay.Tensor((2,))], relay.Tensor((2,))))
    func = relay.Function([f], relay.Block([], relay.const(np.ones(2, "float32"))))
    module = IRModule({GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})
    with pytest.raises(
        TypeError, match="tensors and tuples, not a value of type `uir.ir.FuncType`"
    ):
        LowerEntry()(module)


def test_a_large_function_is_lowered_in_linear_time() -> None:
    rb = relay.builder()
    value: Any = rb.param("x", relay.Tensor((2,)))
    module = main_of(f"return {CALL.format('x')}", f"x: {VECTOR}")
    double = module.get_global_var("double")
    for _ in range(3000):
        value = rb.emit(relay.call_destination_passing(double, [value], relay.Tensor((2,))))
    main = ir.with_attr(rb.make_func(value), "global_symbol", "main")
    after = LowerEntry()(ir.with_function(module, module.get_global_var("main"), main))
    assert len(allocations(after)) == 2999
    assert uir.ir.verify(after) == []


def test_branches_nest_deep() -> None:
    x, holds = relay.Var("x", relay.Tensor((2,))), relay.Var("holds", relay.Tensor((), "bool"))
    block = relay.Block([], x)
    for _ in range(5000):
        value = relay.Var("value", x.checked_type)
        choice = relay.If(holds, block, relay.Block([], x))
        block = relay.Block([relay.Binding(value, choice)], value)
    func = ir.with_attr(relay.Function([x, holds], block), "global_symbol", "main")
    after = PlanMemory()(LowerEntry()(IRModule({GlobalVar("main"): func})))
    assert len(ir.post_order(after, tir.IfThenElse)) == 5000
