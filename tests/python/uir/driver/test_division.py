"""Integers divided by 0 are an error that names the place, or NumPy's result."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, tir, transform
from uir.relay import reference
from uir.runtime import as_array
from uir.target import Target

from ...support.interpreter import Undefined, run

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
# Operators of relay, with what NumPy computes.
RELAY: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "divide": (relay.divide, reference.divide),
    "floor_divide": (relay.floor_divide, np.floor_divide),
    "mod": (relay.mod, np.mod),
    "fmod": (lambda x, y: relay.mod(x, y, truncated=True), np.fmod),
}
NUMPY = Target("c", division="numpy")


def entry(name: str) -> str:
    return name.replace("fmod", "mod")


def pairs(dtype: str, zeros: bool = False) -> list[np.ndarray[Any, Any]]:
    """Return each number at the border of a type beside each."""
    limits = np.iinfo(dtype)
    near = {int(limits.min), limits.min + 1, limits.max, limits.max - 1, -3, -2, -1, 0, 1, 2, 3, 7}
    numbers = [one for one in near if one >= limits.min]
    found = [(x, y) for x, y in itertools.product(numbers, numbers) if zeros or y]
    return [np.array(side, dtype) for side in zip(*found, strict=True)]


def module_of_all() -> ir.IRModule:
    functions = {}
    for dtype in INTEGERS:
        for name, (make, _) in RELAY.items():
            size = tir.SizeVar("n", "int64")
            x, y = (relay.Var(name, relay.Tensor((size,), dtype)) for name in "xy")
            func = relay.Function([x, y], relay.Block([], make(x, y)))
            symbol = f"{name}_{dtype}"
            functions[ir.GlobalVar(symbol)] = ir.with_attr(func, "global_symbol", symbol)
    return ir.IRModule(functions)


@pytest.fixture(scope="module")
def checked() -> Any:
    return uir.build(module_of_all())


@pytest.fixture(scope="module")
def like_numpy() -> Any:
    return uir.build(module_of_all(), NUMPY)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", RELAY)
def test_borders_are_those_of_numpy(checked: Any, like_numpy: Any, name: str, dtype: str) -> None:
    x, y = pairs(dtype)
    with np.errstate(all="ignore"):
        wanted = RELAY[name][1](x, y)
    for library in (checked, like_numpy):
        np.testing.assert_array_equal(as_array(library[f"{name}_{dtype}"](x, y)), wanted)


def many_pairs(dtype: str) -> list[np.ndarray[Any, Any]]:
    """Return all pairs of a narrow type; of others, numbers near multiples of their divisors."""
    limits = np.iinfo(dtype)
    if limits.bits == 8:
        numbers = np.arange(limits.min, limits.max + 1).astype(dtype)
        return [side.ravel() for side in np.meshgrid(numbers, numbers[numbers != 0])]
    random = np.random.default_rng(0)
    bits = random.integers(1, limits.bits, 20_000)
    divisors = random.integers(limits.min, limits.max, 20_000, dtype, endpoint=True)
    divisors = divisors >> bits.astype(dtype)
    divisors[divisors == 0] = 1
    dividends = random.integers(limits.min, limits.max, 20_000, dtype, endpoint=True)
    with np.errstate(all="ignore"):
        near = dividends // divisors * divisors + random.integers(0, 2, 20_000).astype(dtype)
        return [np.concatenate([near, near - 2]), np.tile(divisors, 2)]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", RELAY)
def test_vectors_divide_as_numpy(checked: Any, name: str, dtype: str) -> None:
    x, y = many_pairs(dtype)
    with np.errstate(all="ignore"):
        wanted = RELAY[name][1](x, y)
    np.testing.assert_array_equal(as_array(checked[f"{name}_{dtype}"](x, y)), wanted)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", RELAY)
def test_a_divisor_of_0(checked: Any, like_numpy: Any, name: str, dtype: str) -> None:
    message = f"{entry(name)}: the divisor `y` is 0"
    for size, place in ((1, 0), (7, 6), (16, 3), (33, 32), (1000, 999)):
        x, y = np.arange(size).astype(dtype), np.ones(size, dtype)
        y[place] = 0
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            checked[f"{name}_{dtype}"](x, y)
        with np.errstate(all="ignore"):
            wanted = np.where(y == 0, 0, x if name.endswith("divide") else 0)
        np.testing.assert_array_equal(as_array(like_numpy[f"{name}_{dtype}"](x, y)), wanted)


def test_evaluate_agrees() -> None:
    x, y = np.array([1, 2], "int32"), np.array([1, 0], "int32")
    params = [relay.Var(name, relay.Tensor((2,), "int32")) for name in "xy"]
    for make, _ in RELAY.values():
        function = relay.Function(params, relay.Block([], make(*params)))
        with pytest.raises(ValueError, match="the divisor `y` is 0"):
            relay.evaluate(function, x, y)


def test_constants_fail_in_the_call_alone() -> None:
    x = relay.Var("x", relay.Tensor((2,), "int32"))
    zeros = relay.const(np.array([4, 0], "int32"))
    for divisor in (zeros, relay.const(np.array(0, "int32"))):
        for dividend in (relay.const(np.array([4, 5], "int32")), relay.const(0, "int32")):
            for make, _ in RELAY.values():
                body = relay.add(x, make(dividend, divisor))
                library = uir.build(relay.Function([x], relay.Block([], body)))
                with pytest.raises(ValueError, match="the divisor `y` is 0"):
                    library.main(np.zeros(2, "int32"))


def test_the_error_names_the_source() -> None:
    module = uir.script.parse(
        """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((4,), "int32"), y: relay.Tensor((4,), "int32")):
        a = relay.add(x, y)
        b = relay.divide(a, y)
        return relay.add(b, x)
""",
        "model.py",
    )
    with pytest.raises(ValueError) as raised:
        uir.build(module).main(np.ones(4, "int32"), np.zeros(4, "int32"))
    assert str(raised.value) == "divide at model.py:7: the divisor `y` is 0"


PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((40,), "int32"), B: tir.Buffer((40,), "int32"), n: tir.int32):
        for i in range(40):
            A[i] = {value}
"""
# Elements of functions of tir, with the divisors that the error names.
ELEMENTS = {
    "A[i] // B[i]": "floordiv at <text>:7: the divisor `B[i]` is 0",
    "A[i] % B[i]": "floormod at <text>:7: the divisor `B[i]` is 0",
    "tir.truncdiv(A[i], B[i])": "truncdiv at <text>:7: the divisor `B[i]` is 0",
    "tir.truncmod(A[i], B[i] + n)": "truncmod at <text>:7: the divisor `B[i] + n` is 0",
    "A[i] // A[i] + A[i] % A[i]": "floordiv at <text>:7: the divisor `A[i]` is 0",
    "0 // B[i]": "floordiv at <text>:7: the divisor `B[i]` is 0",
    "A[i // n]": "floordiv at <text>:7: the divisor `n` is 0",
}


@pytest.mark.parametrize("value", ELEMENTS)
def test_functions_of_tir(value: str) -> None:
    func = uir.script.parse(PROGRAM.format(value=value))["main"]
    x, y = np.zeros(40, "int32"), np.zeros(40, "int32")
    with pytest.raises(ValueError) as raised:
        uir.build(func).main(x, y, 0)
    assert str(raised.value) == ELEMENTS[value]
    with pytest.raises(Undefined):
        run(func, x, y, 0)
    like_numpy = uir.build(func, NUMPY)
    like_numpy.main(x, y, 0)
    assert not x.any()
    x, y = np.arange(1, 41, dtype="int32"), np.arange(1, 41, dtype="int32") % 7 + 1
    computed, interpreted = x.copy(), x.copy()
    like_numpy.main(computed, y, 2)
    run(func, interpreted, y, 2)
    np.testing.assert_array_equal(computed, interpreted)


def test_checks_of_indices_keep_the_division() -> None:
    func = uir.script.parse(PROGRAM.format(value=next(iter(ELEMENTS))))["main"]
    x, y = np.ones(40, "int32"), np.zeros(40, "int32")
    uir.build(func, NUMPY, checks="bounds").main(x, y, 0)
    assert not x.any()


def test_what_is_not_computed_does_not_fail() -> None:
    value = "tir.if_then_else(B[i] != 0, A[i] // B[i], -1)"
    func = uir.script.parse(PROGRAM.format(value=value))["main"]
    x, y = np.arange(40, dtype="int32"), np.arange(40, dtype="int32") % 3
    wanted = np.where(y != 0, x // np.maximum(y, 1), -1)
    uir.build(func).main(x, y, 0)
    np.testing.assert_array_equal(x, wanted)


def test_a_parallel_loop_fails_as_a_serial_one() -> None:
    size = 1 << 18
    a, b = (tir.decl_buffer([tir.const(size)], "int32", name) for name in "AB")
    i = tir.Var("i", "int32")
    value = tir.floordiv(tir.BufferLoad(a, [i]), tir.BufferLoad(b, [i]))
    loop = tir.For(
        i, tir.const(0), tir.const(size), tir.ForKind.PARALLEL, tir.BufferStore(a, value, [i])
    )
    handles = [tir.Var(name, "handle") for name in "ab"]
    func = tir.PrimFunc(handles, loop, dict(zip(handles, (a, b), strict=True)))
    library = uir.build(func)
    x, y = np.arange(size, dtype="int32"), np.full(size, 2, "int32")
    library.main(x, y)
    np.testing.assert_array_equal(x, np.arange(size) // 2)
    y[size - 5] = 0
    with pytest.raises(ValueError, match=r"floordiv: the divisor `B\[i\]` is 0"):
        library.main(x, y)


def test_divisors_that_cannot_be_0_are_not_checked() -> None:
    for value in ("A[i] // 3", "A[i % 4]", "A[i // tir.max(n, 1)]", "A[i % (i + 1)]"):
        module = uir.lower(uir.script.parse(PROGRAM.format(value=value)))
        assert "is 0" not in uir.target.emit_c(module, Target()), value


def test_a_division_that_is_not_known() -> None:
    message = "Target: `division` must be one of `checked`, `numpy`, got `wrap`"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Target("c", division="wrap")
    with pytest.raises(ValueError, match="`divisors` must be one of `all`, `data`, got `some`"):
        transform.CheckDivisors("checked", "some")
