"""Private high-level functions are put where they are called."""

from __future__ import annotations

import uir
from uir import ir, relay
from uir.transform import DeadCodeElimination, InferType, Inline, VerifyWellFormed

MODULE = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((4, 16), "float32"), y: relay.Tensor((5, 16), "float32")):
        a: relay.Tensor((4, 16), "float32") = Module.twice(x)
        b: relay.Tensor((5, 16), "float32") = Module.twice(y)
        return (a, b)

    @relay.function(private=True)
    def twice(x: relay.Tensor((n, 16), "float32")) -> relay.Tensor((n, 16), "float32"):
        n = tir.SizeVar("n", "int32")
        once: relay.Tensor((n, 16), "float32") = Module.kernel(x)
        return relay.call_destination_passing(Module.f, [once], relay.Tensor((n, 16), "float32"))

    @relay.function(private=True)
    def kernel(x: relay.Tensor((m, 16), "float32")) -> relay.Tensor((m, 16), "float32"):
        m = tir.SizeVar("m", "int32")
        relay.func_attr({"primitive": True})
        return x

    f = ir.ExternFunc("f")
""".strip()

EXPECTED = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((4, 16), "float32"), y: relay.Tensor((5, 16), "float32")) -> TYPE:
        once: relay.Tensor((4, 16), "float32") = Module.kernel(x)
        a = relay.call_destination_passing(Module.f, [once], relay.Tensor((4, 16), "float32"))
        once_1: relay.Tensor((5, 16), "float32") = Module.kernel(y)
        b = relay.call_destination_passing(Module.f, [once_1], relay.Tensor((5, 16), "float32"))
        return (a, b)

    @relay.function(private=True)
    def kernel(x: relay.Tensor((m, 16), "float32")) -> relay.Tensor((m, 16), "float32"):
        m = tir.SizeVar("m", "int32")
        relay.func_attr({"primitive": True})
        return x

    f = ir.ExternFunc("f")
""".strip().replace(
    "TYPE",
    'ir.TupleType([relay.Tensor((4, 16), "float32"), relay.Tensor((5, 16), "float32")])',
)


def test_bodies_are_copied_for_the_dimensions_of_the_arguments() -> None:
    before = InferType()(uir.script.parse(MODULE))
    after = DeadCodeElimination()(Inline()(before))
    assert ir.structural_equal(after, uir.script.parse(EXPECTED)), uir.script.print(after)
    VerifyWellFormed()(after)
    assert Inline()(after).same_as(after)


def test_recursion_stays() -> None:
    text = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((2,), "float32")) -> relay.Tensor((2,), "float32"):
        y: relay.Tensor((2,), "float32") = Module.loop(x)
        return y

    @relay.function(private=True)
    def loop(x: relay.Tensor((2,), "float32")) -> relay.Tensor((2,), "float32"):
        y: relay.Tensor((2,), "float32") = Module.loop(x)
        return y
"""
    after = Inline()(uir.script.parse(text))
    value = after.lookup("main").body.bindings[0].value
    assert isinstance(value, relay.Call)
    assert value.op.name_hint == "loop"
    assert ir.structural_equal(VerifyWellFormed()(after), after)
