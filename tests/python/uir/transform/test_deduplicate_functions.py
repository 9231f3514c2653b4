"""Private functions that are equal become one."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from uir import ir, relay, script
from uir.ir import GlobalVar, IRModule
from uir.tir import PrimFunc
from uir.transform import (
    BindConstants,
    BindingRewriter,
    DeadCodeElimination,
    DeduplicateFunctions,
    LowerEntry,
    Sequential,
    VerifyWellFormed,
)

from ....differential.programs.entries import expected, random_entry, run_main

KERNEL = """
    @tir.prim_func(private={private})
    def {name}({a}: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            B[i] = {a}[i] + {value}
"""
CALLER = """
    @tir.prim_func(private={private})
    def {name}(A: tir.Buffer((4,), "float32"), B: tir.Buffer((4,), "float32")):
        Module.{callee}(A.data, B.data)
"""
RELAY = """
    @relay.function
    def entry(x: relay.Tensor((4,), "float32")):
        y = relay.call_destination_passing(Module.g, [x], relay.Tensor((4,), "float32"))
        z: relay.Tensor((4,), "float32") = Module.inner(y)
        w: relay.Tensor((4,), "float32") = Module.inner_1(z)
        return w

    @relay.function(private=True)
    def inner(x: relay.Tensor((4,), "float32")) -> relay.Tensor((4,), "float32"):
        return relay.exp(x)

    @relay.function(private=True)
    def inner_1(y: relay.Tensor((4,), "float32")) -> relay.Tensor((4,), "float32"):
        return relay.exp(y)
"""


def kernel(name: str, a: str = "A", value: str = "1.0", private: bool = True) -> str:
    return KERNEL.format(name=name, a=a, value=value, private=private)


def caller(name: str, callee: str, private: bool = True) -> str:
    return CALLER.format(name=name, callee=callee, private=private)


def module_of(*functions: str) -> IRModule:
    return script.parse("@uir.script.ir_module\nclass Module:" + "".join(functions))


def names(module: IRModule) -> list[str]:
    return sorted(str(var.name_hint) for var in module.functions)


def after_of(*functions: str) -> IRModule:
    """Return a module after the pass, which changes nothing when it runs again."""
    after = VerifyWellFormed()(DeduplicateFunctions()(module_of(*functions)))
    assert DeduplicateFunctions()(after).same_as(after)
    return after


def test_the_first_of_equal_functions_stays() -> None:
    after = after_of(
        kernel("g"), kernel("f", "X"), kernel("other", value="2.0"), caller("main", "f", False)
    )
    assert names(after) == ["g", "main", "other"]
    wanted = module_of(kernel("g"), kernel("other", value="2.0"), caller("main", "g", False))
    assert ir.structural_equal(after, wanted)


def test_callers_of_equal_functions_are_equal() -> None:
    after = after_of(
        kernel("f"), kernel("g"), caller("p", "f"), caller("q", "g"), caller("r", "q"),
        caller("s", "p"), caller("main", "r", False),
    )  # fmt: skip
    assert names(after) == ["f", "main", "p", "r"]


def test_high_level_functions_are_compared_too() -> None:
    after = after_of(kernel("f"), kernel("g", "X"), RELAY)
    assert names(after) == ["entry", "f", "inner"]
    bindings = after.lookup("entry").body.bindings
    assert [str(b.value.op.name_hint) for b in bindings[1:]] == ["inner", "inner"]
    assert bindings[0].value.checked_type is not None


@pytest.mark.parametrize(
    "functions",
    [
        (kernel("f", private=False), kernel("g", private=False)),
        (kernel("f"), kernel("g", value="2.0")),
        (kernel("f"), kernel("g").replace("float32", "float64")),
        ('\n    f = ir.ExternFunc("f")', '\n    g = ir.ExternFunc("g")'),
        (caller("f", "g"), caller("g", "f")),
    ],
)
def test_what_stays(functions: tuple[str, ...]) -> None:
    module = module_of(*functions)
    assert DeduplicateFunctions()(module).same_as(module)


def test_functions_of_other_attributes_are_others() -> None:
    module = module_of(kernel("f"), kernel("g"))
    marked = ir.with_attr(module.lookup("g"), "mark", 1)
    changed = ir.with_function(module, module.get_global_var("g"), marked)
    assert DeduplicateFunctions()(changed).same_as(changed)


class SecondCalls(BindingRewriter):
    """Calls a copy of a kernel every second time."""

    def __init__(self, copies: dict[GlobalVar, GlobalVar]) -> None:
        super().__init__()
        self.copies, self.calls = copies, 0

    def visit_call(self, node: relay.Call) -> ir.RelayExpr:
        call = super().visit_call(node)
        if not isinstance(call, relay.Call) or not call.args or call.args[0] not in self.copies:
            return call
        self.calls += 1
        callee = call.args[0] if self.calls % 2 else self.copies[call.args[0]]
        return relay.call_destination_passing(callee, call.args[1:], call.attrs.out_types)


@pytest.mark.parametrize("seed", range(8))
def test_entries_that_call_copies_compute_the_same(seed: int) -> None:
    program = random_entry(Random(seed))
    kinds = {var for var, func in program.module.functions.items() if isinstance(func, PrimFunc)}
    copies = {var: GlobalVar(f"{var.name_hint}_copy") for var in kinds}
    main = program.module.get_global_var("main")
    functions = {
        **program.module.functions,
        **{copy: ir.deep_copy(program.module.functions[var]) for var, copy in copies.items()},
        main: SecondCalls(copies).run(program.module.functions[main]),
    }
    lower = Sequential([LowerEntry(), BindConstants(), DeadCodeElimination()])
    doubled = lower(IRModule(functions))
    after = VerifyWellFormed()(DeduplicateFunctions()(doubled))
    assert len(after.functions) == len(lower(program.module).functions)
    for arguments in program.arguments:
        like = expected(program.module, *arguments)
        for found, wanted in zip(run_main(after, like, *arguments), like, strict=True):
            np.testing.assert_array_equal(found, wanted)
