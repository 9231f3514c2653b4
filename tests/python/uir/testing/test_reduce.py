"""`uir.testing.reduce` finds the few calls that show a planted fault."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

import uir
from uir import ir, relay, tir, transform
from uir.ir import GlobalVar, IRModule
from uir.testing import reduce

from ....differential.programs.relay_programs import random_program

Predicate = Callable[[IRModule], bool]


def module_of(params: list[relay.Var], result: ir.RelayExpr) -> IRModule:
    function = relay.Function(params, relay.Block([], result))
    return transform.ToANormalForm()(IRModule({GlobalVar("main"): function}))


def calls(module: IRModule) -> list[str]:
    """Return the operators that `main` calls."""
    values = [binding.value for binding in module.lookup("main").body.bindings]
    return [one.op.name.removeprefix("relay.") for one in values if isinstance(one, relay.Call)]


def has(*names: str) -> Predicate:
    """Return a fault that a module shows which calls some operators."""
    return lambda module: "main" in str(module) and set(names) <= set(calls(module))


def chain() -> IRModule:
    x = relay.Var("x", relay.Tensor((7, 33), "float64"))
    w = relay.Var("w", relay.Tensor((33, 5), "float64"))
    y = relay.tanh(relay.matmul(relay.exp(x + 1.0), w))
    z = relay.concatenate([relay.softmax(y), y, relay.abs(y)], 1)
    return module_of([x, w], relay.Tuple([relay.negative(z), relay.sum(x), y]))


def test_one_call_is_left() -> None:
    small = reduce(chain(), has("tanh"))
    assert str(small["main"]) == (
        "@relay.function(private=True)\n"
        'def main(v2: relay.Tensor((1, 1), "float32")) -> relay.Tensor((1, 1), "float32"):\n'
        "    v3 = relay.tanh(v2)\n"
        "    return v3"
    )


def test_calls_that_must_meet_are_left() -> None:
    def is_fed(module: IRModule) -> bool:
        """Return whether a `negative` has a `concatenate` of several parts."""
        made = {one.var: one.value for one in module.lookup("main").body.bindings}
        return any(
            isinstance(value, relay.Call)
            and value.op.name == "relay.negative"
            and isinstance(of := made.get(value.args[0]), relay.Call)
            and of.op.name == "relay.concatenate"
            and len(of.args[0].fields) > 1
            for value in made.values()
        )

    small = reduce(chain(), is_fed)
    assert calls(small) == ["concatenate", "negative"]
    assert len(small["main"].params) == 1


def test_dimensions_that_matter_stay() -> None:
    def is_long(module: IRModule) -> bool:
        dims = [dim.value for one in module["main"].params for dim in one.type_annotation.shape]
        return "exp" in calls(module) and max(dims, default=0) >= 16

    small = reduce(chain(), is_long)
    assert [str(one.type_annotation) for one in small["main"].params] == [
        'relay.Tensor((1, 16), "float32")'
    ]


def test_symbolic_dimensions_become_constant() -> None:
    n = tir.SizeVar("n")
    x, y = relay.Var("x", relay.Tensor((n, 2))), relay.Var("y", relay.Tensor((n + 3,)))
    module = module_of([x, y], relay.Tuple([relay.exp(x), relay.log(y)]))
    small = reduce(module, lambda module: {"exp", "log"} <= set(calls(module)))
    assert [str(one.type_annotation) for one in small["main"].params] == [
        'relay.Tensor((1, 1), "float32")',
        'relay.Tensor((1,), "float32")',
    ]


def test_values_of_the_first_module_have_names() -> None:
    """A predicate runs smaller modules on the values that variables had."""
    module = chain()
    random = np.random.default_rng(0)
    arguments = [random.normal(size=shape) for shape in ((7, 33), (33, 5))]

    def overflows(module: IRModule) -> bool:
        function = module.lookup("main")
        if any(one.name not in ("x", "w") for one in function.params):
            return False
        given = {"x": arguments[0] * 1000, "w": arguments[1]}
        arrays = []
        for one in function.params:
            dims = [dim.value for dim in one.type_annotation.shape]
            part = given[one.name][tuple(slice(dim) for dim in dims)]
            arrays.append(part.astype(str(one.type_annotation.dtype)))
        with np.errstate(all="ignore"):
            found = relay.evaluate(function, *arrays)
        fields = found if isinstance(found, tuple) else (found,)
        return any(np.isinf(field).any() for field in fields)

    with pytest.raises(ValueError, match="the predicate does not hold"):
        reduce(module, overflows)


def test_a_fault_may_be_in_a_loop() -> None:
    text = """
@relay.function
def main(x: relay.Tensor((4, 6), "float32"), c: relay.Tensor((), "bool")):
    y = relay.sin(x) + 1.0
    for s, t in relay.loop(c, [y, relay.exp(y)]):
        a = relay.tanh(s * 2.0)
        b = relay.cos(t)
        z = (relay.less(relay.sum(b), 1.0), a, b)
    return relay.negative(z[0]), z[1]
"""
    module = IRModule({GlobalVar("main"): uir.script.parse_function(text)})
    small = reduce(module, lambda one: "relay.loop" in str(one) and "relay.tanh" in str(one))
    assert not ir.verify(small)
    assert "relay.sin" not in str(small) and "relay.negative" not in str(small)


def test_functions_are_left_out() -> None:
    program = random_program(Random(1))
    small = reduce(program.module, lambda module: " @ " in str(module))
    assert len(small.functions) == 1
    assert calls(small) == ["matmul"]
    assert ir.verify(small) == []
    assert ir.structural_equal(uir.script.parse(uir.script.print(small)), small)


def test_attempts_are_bounded() -> None:
    tried = []

    def fault(module: IRModule) -> bool:
        tried.append(module)
        return "tanh" in str(module)

    reduce(chain(), fault, attempts=5)
    assert len(tried) == 6
