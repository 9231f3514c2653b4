"""Operators of another package, each one declaration and no C++: typed, printed, parsed, run."""

from __future__ import annotations

import copy
import pickle
from types import ModuleType

import numpy as np
import pytest

import uir
from uir import ir, relay, tir
from uir.relay import Tensor, reference
from uir.transform import DecomposeOps, InferType, VerifyWellFormed

N = tir.SizeVar("n", "int64")
TEXT = """
@uir.script.ir_module
class Module:
    @relay.function(private=True)
    def main(x: relay.Tensor((n, 4), "float32")) -> ir.TupleType([relay.Tensor((n, n), "float32"), relay.Tensor((n * 3, 4), "float32")]):
        n = tir.SizeVar("n", "int64")
        soft = loom.soften(x, scale=2.0)
        cloth = loom.weave(soft, x)
        dyed = loom.dye(x, soft)
        long = loom.stretch(dyed, times=3)
        return (cloth, long)
""".strip()  # fmt: skip # noqa: E501


@pytest.fixture
def module(loom: ModuleType) -> ir.IRModule:
    """Make a function with a call of each operator."""
    rb = relay.builder()
    x = rb.param("x", Tensor((N, 4)))
    soft = rb.emit(loom.soften(x, 2.0), "soft")
    cloth = rb.emit(loom.weave(soft, x), "cloth")
    dyed = rb.emit(loom.dye(x, soft), "dyed")
    result = relay.Tuple([cloth, rb.emit(loom.stretch(dyed, times=3), "long")])
    return ir.IRModule({ir.GlobalVar("main"): rb.make_func(result)})


def test_script_has_the_operators(module: ir.IRModule) -> None:
    assert uir.script.print(module) == TEXT
    assert ir.structural_equal(uir.script.parse(TEXT), module)


def test_calls_are_typed_verified_and_copied(module: ir.IRModule) -> None:
    typed = InferType()(module).lookup("main")
    assert ir.structural_equal(typed.ret_type, module.lookup("main").ret_type)
    even = tir.equal(tir.floormod(N, 2), 0)
    assert ir.structural_equal(next(iter(typed.attrs.dict["shape_assumptions"])), even)
    assert VerifyWellFormed()(module).same_as(module)
    for back in (
        ir.load_json(ir.save_json(module)),
        ir.load_binary(ir.save_binary(module)),
        pickle.loads(pickle.dumps(module)),
        copy.deepcopy(module),
    ):
        assert ir.structural_equal(back, module)


@pytest.mark.parametrize(
    ("name", "operands", "attributes", "error", "message"),
    [
        (
            "weave",
            [Tensor((2, 3)), Tensor((4, 5))],
            {},
            TypeError,
            "operand `weft`: dimension 1, `k`, is 5, expected 3, where `k` is 3 in operand `warp` "
            "(the shape of `weft` is (4, 5))",
        ),
        (
            "soften",
            [Tensor((2,), "int8")],
            {},
            TypeError,
            "operand `x` has data type `int8`, expected floating-point",
        ),
        (
            "dye",
            [Tensor((2,)), Tensor((3,))],
            {},
            TypeError,
            "operand `y` of shape (3,) does not broadcast to (2,)",
        ),
        (
            "stretch",
            [Tensor((3, 2))],
            {"times": 2},
            ValueError,
            "`times >= 1 and n % 2 == 0` must hold, where `n` is 3 in operand `x` and `times` is 2",
        ),
    ],
)
def test_what_is_refused(
    loom: ModuleType,
    name: str,
    operands: list[ir.TensorType],
    attributes: dict[str, int],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error) as raised:
        getattr(loom, name)(*(relay.Var("x", one) for one in operands), **attributes)
    assert str(raised.value) == f"loom.{name}: {message}"


def function_of(loom: ModuleType, name: str, *params: relay.Var, **attributes: int) -> ir.BaseFunc:
    call = getattr(loom, name)(*params, **attributes)
    return relay.Function(list(params), relay.Block([], call))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_rules_compute_the_values(loom: ModuleType, dtype: str) -> None:
    x = np.linspace(-1, 1, 6).reshape(2, 3).astype(dtype)
    y = x[::-1] * 2
    params = [relay.Var(name, Tensor((2, 3), dtype)) for name in "xy"]
    soft = relay.evaluate(function_of(loom, "soften", params[0]), x)
    assert np.allclose(soft, x / (1 + np.abs(x)), rtol=1e-2)
    cloth = relay.evaluate(function_of(loom, "weave", *params), x, y)
    assert np.allclose(cloth, x @ y.T, rtol=1e-2, atol=1e-2)
    dyed = relay.evaluate(function_of(loom, "dye", *params), x, y)
    assert np.allclose(dyed, x / (1 + 0.5 * np.abs(x)) * y + 1, rtol=1e-2, atol=1e-2)
    assert {str(one.dtype) for one in (soft, cloth, dyed)} == {dtype}


def test_decompositions_use_operators_of_relay(loom: ModuleType) -> None:
    x, y = (relay.Var(name, Tensor((2, 3))) for name in "xy")
    function = function_of(loom, "dye", x, y)
    module = DecomposeOps()(ir.IRModule({ir.GlobalVar("main"): function}))
    text = uir.script.print(module)
    assert "loom.soften(x, scale=0.5)" in text and "* y" in text and "+ 1.0" in text
    values = [np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3)] * 2
    expected = relay.evaluate(function, *values)
    assert np.array_equal(relay.evaluate(module, *values), expected)


def test_an_optional_operand_stands_after_an_attribute(loom: ModuleType) -> None:
    x, y = (relay.Var(name, Tensor((2, 3))) for name in "xy")
    values = np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3)
    for call, text, params in (
        (loom.hem(x, 2.0), "loom.hem(x, width=2.0)", [x]),
        (loom.hem(x, 2.0, y), "loom.hem(x, width=2.0, lining=y)", [x, y]),
    ):
        assert call.args[0].same_as(x) and len(call.args) == 2
        module = ir.IRModule({ir.GlobalVar("main"): relay.Function(params, relay.Block([], call))})
        assert text in uir.script.print(module)
        short = uir.script.print(module).replace("width=", "").replace("lining=", "")
        assert ir.structural_equal(uir.script.parse(short), module)
        expected = values * 2 + (values if len(params) == 2 else 0)
        for one in (module, DecomposeOps()(module)):
            assert np.allclose(relay.evaluate(one, *[values] * len(params)), expected)


def test_a_reference_is_registered_once(loom: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference.registry, "_registered", {})
    stretch = function_of(loom, "stretch", relay.Var("x", Tensor((2, 3))), times=2)
    x = np.arange(6, dtype="float32").reshape(2, 3)
    with pytest.raises(TypeError) as raised:
        relay.evaluate(stretch, x)
    assert str(raised.value) == (
        "evaluate: `loom.stretch` has neither a rule to compute it nor a reference; give it one "
        "with `uir.relay.reference.register`"
    )

    @reference.register("loom.stretch")
    def repeat(x: np.ndarray, *, times: int) -> np.ndarray:
        return np.repeat(x, times, axis=0)

    assert relay.evaluate(stretch, x).tolist() == np.repeat(x, 2, axis=0).tolist()
    with pytest.raises(ValueError, match="`loom.stretch` has a reference, `.*repeat`"):
        reference.register("loom.stretch")
    with pytest.raises(ValueError, match="`relay.exp` is one of relay, which all have references"):
        reference.register("relay.exp")
