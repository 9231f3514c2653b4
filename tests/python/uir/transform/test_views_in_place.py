"""Values that need no memory of their own: views, and results that are written over an operand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, schedule, script, tir, transform
from uir.ir import GlobalVar, IRModule

from ....differential.programs.entries import run_main, tensors_of

N = tir.SizeVar("n")
PIPELINE = transform.default_pipeline("c")
END = [one.pass_info.name for one in PIPELINE].index("BindConstants") + 1
WEIGHTS = np.random.default_rng(3).normal(size=(4, 4)).astype("float32")


def const(array: np.ndarray[Any, Any]) -> relay.Constant:
    return relay.const(array.astype("float32"))


def planned(module: IRModule) -> IRModule:
    """Return a module after the passes up to the plan of memory."""
    after = uir.lower(module, pipeline=PIPELINE[:END])
    after = transform.VerifyWellFormed()(after)
    assert ir.structural_equal(script.parse(script.print(after)), after)
    return after


def main_of(params: list[relay.Var], result: ir.RelayExpr) -> IRModule:
    attrs = ir.DictAttrs({"global_symbol": "main"})
    func = relay.Function(params, relay.Block([], result), None, attrs)
    return transform.InferType()(IRModule({GlobalVar("main"): func}))


def entry(module: IRModule) -> tir.PrimFunc:
    func = module.lookup("main")
    assert isinstance(func, tir.PrimFunc)
    return func


def callees(module: IRModule) -> list[str]:
    """Return the names of the functions that `main` calls, in order."""
    calls = ir.post_order(entry(module).body, tir.Call)
    return [call.op.name_hint for call in calls if isinstance(call.op, GlobalVar)]


def places(module: IRModule) -> dict[str, str]:
    """Return the address of each buffer of `main` that is in the arena."""
    binds = ir.post_order(entry(module).body, tir.Bind)
    values: dict[str, Any] = {str(bind.var.name): bind.value for bind in binds}
    addresses = {name: value for name, value in values.items() if "address_of" in value.op.name}
    return {name: str(value.args[0].indices[0]) for name, value in addresses.items()}


def loops(module: IRModule) -> int:
    return len(ir.post_order(entry(module).body, tir.For))


def check(module: IRModule, *sizes: int, columns: int = 4) -> IRModule:
    """Compare `main` of matrices, interpreted and compiled, with its reference."""
    after = planned(module)
    library = uir.build(module)
    for size in sizes:
        args = [
            np.random.default_rng(size).normal(size=(size, columns)).astype("float32")
            for _ in module.lookup("main").params
        ]
        like = tensors_of(relay.evaluate(module, *args, name="main"))
        returned: Any = library.main(*args)
        results = [returned] if len(like) == 1 else list(returned)
        for found in (run_main(after, like, *args), map(np.from_dlpack, results)):
            for one, wanted in zip(found, like, strict=True):
                np.testing.assert_allclose(one, wanted, 1e-5, 1e-5)
    return after


def x_of(rows: Any = N) -> relay.Var:
    return relay.Var("x", relay.Tensor((rows, 4), "float32"))


def test_views_between_functions_are_the_same_memory() -> None:
    x = x_of()
    h = relay.softmax(x @ const(WEIGHTS))
    v = relay.expand_dims(relay.reshape(h, shape=[N, 2, 2]), axes=[1])
    after = check(main_of([x], relay.sum(relay.squeeze(v, axes=[1]), axis=[1])), 0, 1, 5)
    assert callees(after) == ["matmul", "softmax", "sum"]
    assert loops(after) == 0
    assert len(places(after)) == 2


@pytest.mark.parametrize("rows", [N, 6])
def test_a_view_that_is_the_result_is_written_at_once(rows: Any) -> None:
    x = x_of(rows)
    result = relay.reshape(relay.softmax(x), shape=[-1])
    after = check(main_of([x], result), 6)
    assert (callees(after), places(after), loops(after)) == (["softmax"], {}, 0)


def test_a_view_of_an_input_is_copied_once() -> None:
    x = x_of()
    after = check(main_of([x], relay.reshape(x, shape=[-1])), 0, 3)
    assert callees(after) == []
    (loop,) = ir.post_order(entry(after).body, tir.For)
    assert isinstance(loop.body, tir.BufferStore)
    assert places(after) == {}


def test_a_value_and_its_view_are_both_results() -> None:
    x = x_of()
    h = relay.exp(x)
    flat = relay.reshape(h, shape=[-1])
    after = check(main_of([x], relay.Tuple([flat, h, flat])), 0, 3)
    assert callees(after) == ["exp"]
    assert places(after) == {}


def test_views_of_constants_and_in_branches() -> None:
    flat = relay.reshape(const(WEIGHTS[:2]), shape=[8])
    rb = relay.builder()
    h = rb.emit(relay.exp(rb.param("x", relay.Tensor((2, 4), "float32"))))
    condition = rb.emit(relay.less(relay.sum(h), 12.0))
    true_branch = relay.Block([], relay.reshape(h, shape=[8]))
    choice = rb.emit(relay.If(condition, true_branch, relay.Block([], flat)))
    func = rb.make_func(relay.Tuple([relay.reshape(choice, shape=[4, 2]), choice]))
    public = ir.with_attr(func, "global_symbol", "main")
    after = check(transform.InferType()(IRModule({GlobalVar("main"): public})), 2)
    assert loops(after) == 3


def test_a_condition_that_is_a_view() -> None:
    rb = relay.builder()
    x = rb.param("x", relay.Tensor((2, 4), "float32"))
    flag = rb.emit(relay.squeeze(relay.less(relay.sum(x, keepdims=True), 0.0)))
    choice = rb.emit(relay.If(flag, relay.Block([], x), relay.Block([], relay.exp(x))))
    func = ir.with_attr(rb.make_func(relay.reshape(choice, shape=[-1])), "global_symbol", "main")
    module = transform.InferType()(IRModule({GlobalVar("main"): func}))
    main: Any = uir.build(module).main
    for sign in (1, -1):
        given = sign * np.ones((2, 4), "float32")
        expected = given if sign < 0 else np.exp(given)
        np.testing.assert_allclose(np.from_dlpack(main(given)), expected.ravel(), 1e-6)
    check(module, 2)


def test_a_view_in_a_private_function_that_is_called() -> None:
    module = script.parse("""
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 4), "float32")):
        n = tir.SizeVar("n", "int32")
        a = Module.halves(x)
        return relay.reshape(a, shape=[-1])

    @relay.function(private=True)
    def halves(x: relay.Tensor((n, 4), "float32")) -> relay.Tensor((n, 2, 2), "float32"):
        n = tir.SizeVar("n", "int32")
        return relay.reshape(relay.softmax(x), shape=[n, 2, 2])
""")
    after = check(transform.InferType()(module), 0, 3)
    assert (callees(after), places(after), loops(after)) == (["softmax"], {}, 0)


def two_uses(last: Any) -> IRModule:
    """Return a module in which an elementwise function is the last use of a product."""
    x = x_of()
    h = x @ const(WEIGHTS)
    return main_of([x], relay.Tuple([relay.sum(h, axis=[1]), last(h, x) @ const(WEIGHTS)]))


def test_an_elementwise_function_writes_over_what_dies_there() -> None:
    after = check(two_uses(lambda h, x: relay.exp(relay.tanh(h))), 0, 1, 9)
    assert callees(after) == ["matmul", "sum", "fused_tanh_exp_in_place", "matmul"]
    assert [var.name_hint for var in after.functions].count("fused_tanh_exp") == 0
    assert len(set(places(after).values())) == 1
    (func,) = (f for var, f in after.functions.items() if "in_place" in var.name_hint)
    assert isinstance(func, tir.PrimFunc)
    assert len(func.buffer_map) == 1
    (store,) = ir.post_order(func.body, tir.BufferStore)
    (load,) = ir.post_order(store.value, tir.BufferLoad)
    assert load.buffer.same_as(store.buffer)


def test_it_is_vectorized_as_elsewhere() -> None:
    target = uir.target.Target("c", "x86-64-v3")
    lowered = uir.lower(two_uses(lambda h, x: relay.exp(h)), target)
    (line,) = schedule.trace_of(lowered)["exp_in_place"]
    assert line == "ScheduleElementwise: exp: vectors(lanes=8, flat=1, parallel=0)"


def test_the_other_operand_may_be_an_input() -> None:
    after = check(two_uses(lambda h, x: relay.maximum(x, h)), 0, 4)
    assert callees(after)[2] == "maximum_in_place"
    (func,) = (f for var, f in after.functions.items() if "in_place" in var.name_hint)
    assert isinstance(func, tir.PrimFunc)
    assert [str(func.buffer_map[p].name) for p in func.params if p in func.buffer_map] == [
        "x",
        "maximum",
    ]


@pytest.mark.parametrize(
    "last",
    [
        lambda h, x: relay.exp(x),
        lambda h, x: relay.transpose(relay.reshape(h, shape=[4, N])),
        lambda h, x: relay.softmax(h),
        lambda h, x: relay.cumsum(h, axis=1),
        lambda h, x: relay.strided_slice(h, begin=[-1], end=[-9], axes=[1], strides=[-1]),
    ],
    ids=["an input", "another order", "several loops", "sums of elements", "elements reversed"],
)
def test_what_does_not_write_over_an_operand(last: Any) -> None:
    after = check(two_uses(last), 1, 4)
    assert not [one for one in callees(after) if "in_place" in one]


def test_a_value_that_is_used_later_stays() -> None:
    x = x_of()
    h = relay.softmax(x)
    product = relay.exp(h) @ const(WEIGHTS)
    after = check(main_of([x], relay.Tuple([relay.sum(h, axis=[0]), product, h * x])), 1, 4)
    assert callees(after) == ["softmax", "sum", "exp", "matmul", "multiply"]


CHAIN = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((8,), "float32")):
        a = relay.call_destination_passing(Module.next, [x], relay.Tensor((8,), "float32"))
        b = relay.call_destination_passing(Module.next, [a], relay.Tensor((8,), "float32"))
        c = relay.call_destination_passing(Module.next, [b], relay.Tensor((8,), "float32"))
        return relay.call_destination_passing(Module.last, [c, c], relay.Tensor((8,), "float32"))

    @tir.prim_func
    def next(A: tir.Buffer((8,), "float32"), B: tir.Buffer((8,), "float32")):
        for i in range(8):
            B[i] = STORED

    @tir.prim_func(private=True)
    def last(
        A: tir.Buffer((8,), "float32"), B: tir.Buffer((8,), "float32"),
        C: tir.Buffer((8,), "float32"),
    ):
        for i in range(8):
            C[i] = A[i] + B[7 - i]
"""


@pytest.mark.parametrize(
    ("stored", "is_in_place"),
    [
        ("A[i] * 2.0 + 1.0", True),
        ("A[i] + A[7 - i]", False),
        ("A[0] + 1.0", False),
        ("tir.float32(i)", False),
    ],
)
def test_chains_of_ones_own_functions(stored: str, is_in_place: bool) -> None:
    module = transform.InferType()(script.parse(CHAIN.replace("STORED", stored)))
    lower = [transform.LowerEntry(), transform.PlanMemory(), transform.BindConstants()]
    after = transform.VerifyWellFormed()(transform.Sequential(lower)(module))
    expected = ["next", "next_in_place", "next_in_place", "last"]
    assert callees(after) == (expected if is_in_place else ["next"] * 3 + ["last"])
    offsets = list(places(after).values())
    assert offsets == (["tir.int64(0)"] * 3 if is_in_place else offsets)
    assert "next" in [var.name_hint for var in after.functions]
    x = np.arange(8, dtype="float32")
    (found,) = run_main(after, [x], x)
    one = {
        "A[i] * 2.0 + 1.0": lambda a: a * 2 + 1,
        "A[i] + A[7 - i]": lambda a: a + a[::-1],
        "A[0] + 1.0": lambda a: np.full_like(a, a[0] + 1),
        "tir.float32(i)": lambda a: np.arange(8, dtype="float32"),
    }[stored]
    c = one(one(one(x)))
    np.testing.assert_array_equal(found, c + c[::-1])
