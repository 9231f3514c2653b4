"""Tensors of bfloat16: what compiled functions compute is what the interpreter does.

An array of NumPy holds their bits. All functions are compiled into one library.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tvm_ffi

import uir
from uir import relay, te, tir, transform
from uir.ir import GlobalVar, IRModule, PrimExpr, with_attr
from uir.tir import PrimFunc, Var, call_intrin, const

from ...support.interpreter import run
from ...support.raw_tensor import RawTensor

Array = np.ndarray[Any, Any]

COUNT = 67
BFLOAT16 = (4, 16, 1)
HALF = const(0.5, "bfloat16")

OPERATIONS: dict[str, Callable[[PrimExpr, PrimExpr], PrimExpr]] = {
    "add": tir.add,
    "sub": tir.sub,
    "mul": tir.mul,
    "div": tir.div,
    "min": tir.min,
    "max": tir.max,
    "negated": lambda x, y: -x,
    "constant": lambda x, y: x * HALF + y,
    "chosen": lambda x, y: tir.Select(tir.less(x, y), x, HALF),
    "equal": lambda x, y: tir.if_then_else(tir.equal(x, y), HALF, y),
    "of_integer": lambda x, y: tir.cast(tir.cast(x, "int32"), "bfloat16") + y,
    "of_float64": lambda x, y: tir.cast(tir.cast(x, "float64") * const(2.0, "float64"), "bfloat16"),
    "of_float16": lambda x, y: tir.cast(tir.cast(x, "float16"), "bfloat16"),
    "sqrt": lambda x, y: tir.sqrt(tir.abs(x)),
    "finite": lambda x, y: tir.Select(tir.isfinite(x), x, y),
    "defined": lambda x, y: tir.Select(tir.isnan(x), y, x),
}
CLOSE: dict[str, Callable[[PrimExpr, PrimExpr], PrimExpr]] = {
    "exp": lambda x, y: tir.exp(x),
    "sigmoid": lambda x, y: tir.sigmoid(x),
    "pow": lambda x, y: tir.pow(tir.abs(x), y),
    "gelu": lambda x, y: HALF * x * (tir.erf(x * HALF) + const(1.0, "bfloat16")),
}


def elementwise(operation: Callable[[PrimExpr, PrimExpr], PrimExpr]) -> PrimFunc:
    x, y = (te.placeholder((COUNT,), "bfloat16", name) for name in "xy")
    made = te.compute((COUNT,), lambda i: operation(x[i], y[i]), "z")
    return te.create_prim_func([x, y, made])


def rounded() -> PrimFunc:
    """Return a function that converts float32 to bfloat16."""
    x = te.placeholder((COUNT,), "float32", "x")
    return te.create_prim_func([x, te.compute((COUNT,), lambda i: tir.cast(x[i], "bfloat16"), "z")])


def scaled() -> PrimFunc:
    """Return a function of numbers, which returns one."""
    a, b = Var("a", "bfloat16"), Var("b", "bfloat16")
    return PrimFunc([a, b], tir.Evaluate(call_intrin("void", "tir.ret", [a * b + HALF])))


FUNCTIONS = {name: elementwise(made) for name, made in (OPERATIONS | CLOSE).items()}
FUNCTIONS |= {"rounded": rounded(), "scaled": scaled()}


@pytest.fixture(scope="module")
def library() -> tvm_ffi.Module:
    named = {
        GlobalVar(name): with_attr(func, "global_symbol", name) for name, func in FUNCTIONS.items()
    }
    return uir.build(IRModule(named))


def bits(values: Array) -> Array:
    """Return the bits of the nearest bfloat16, of two such those of the even one."""
    wide = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    near = (wide + 0x7FFF + (wide >> 16 & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, near).astype(np.uint16)


def numbers(found: Array) -> Array:
    return (found.astype(np.uint32) << 16).view(np.float32)


def tensor(array: Array) -> RawTensor:
    return RawTensor(array.ctypes.data, list(array.shape), dtype=BFLOAT16)


def operands() -> tuple[Array, Array]:
    source = np.random.default_rng(0)
    special = np.array([0, -0.0, 1, -1, 0.5, np.inf, -np.inf, np.nan, 3e38, 1e-40], np.float32)
    first, second = np.meshgrid(special[:7], special[3:])
    x, y = (source.uniform(-4, 4, COUNT).astype(np.float32) for _ in range(2))
    x[: first.size], y[: first.size] = first.ravel(), second.ravel()
    return bits(x), bits(y)


@pytest.mark.parametrize("name", [*OPERATIONS, *CLOSE])
def test_operations_are_those_of_the_interpreter(library: tvm_ffi.Module, name: str) -> None:
    x, y = operands()
    if name in CLOSE:
        # Ranges in which no operation is infinite.
        x, y = (bits(np.linspace(*ends, COUNT, dtype=np.float32)) for ends in ((-6, 6), (-3, 5)))
    found, expected = np.zeros(COUNT, np.uint16), np.zeros(COUNT, np.uint16)
    if name == "of_integer":
        x = bits(np.linspace(-300, 300, COUNT, dtype=np.float32))
    library[name](*map(tensor, (x, y, found)))
    with np.errstate(all="ignore"):
        run(FUNCTIONS[name], x, y, expected)
    if name in CLOSE:
        np.testing.assert_allclose(numbers(found), numbers(expected), rtol=2**-7)
    else:
        assert np.array_equal(numbers(found), numbers(expected), equal_nan=True)
        defined = ~np.isnan(numbers(expected))
        assert (found[defined] == expected[defined]).all()


def test_conversions_round_to_nearest_even(library: tvm_ffi.Module) -> None:
    source = np.random.default_rng(1)
    values = source.integers(0, 1 << 32, 40 * COUNT, dtype=np.uint32)
    # Halves between two numbers, and NaNs whose upper bits are those of an infinite number.
    values[::3] = values[::3] & 0xFFFF0000 | 0x8000
    values[:4] = [0x7F800001, 0xFFFFFFFF, 0x7F7FFFFF, 0xFF800000]
    for given in values.view(np.float32).reshape(40, COUNT):
        found = np.zeros(COUNT, np.uint16)
        library.rounded(given, tensor(found))
        assert np.array_equal(numbers(found), numbers(bits(given)), equal_nan=True)


def test_entries_check_the_type_and_take_numbers(library: tvm_ffi.Module) -> None:
    x = np.zeros(COUNT, np.float32)
    with pytest.raises(TypeError, match="`x` must have data type bfloat16, got float32"):
        library["add"](x, x, x)
    # 3.14159 is rounded to 3.140625, and the product to 6.28125.
    assert library.scaled(3.14159, 2.0) == 6.78125


@pytest.mark.parametrize("name", ["silu", "softmax", "matmul", "layer_norm", "mean"])
def test_operators_on_tensors(name: str) -> None:
    source = np.random.default_rng(2)
    x = numbers(bits(source.standard_normal((6, 24), np.float32)))
    weight = numbers(bits(source.standard_normal((24, 24), np.float32)))
    make = {
        "silu": lambda a, w: relay.silu(a),
        "softmax": lambda a, w: relay.softmax(a),
        "matmul": lambda a, w: relay.matmul(a, w),
        "layer_norm": lambda a, w: relay.layer_norm(a, relay.take(w, relay.const(0)), axis=-1),
        "mean": lambda a, w: relay.mean(a, axis=[1]),
    }[name]
    results = []
    for dtype in ("bfloat16", "float32"):
        given = [relay.Var("x", relay.Tensor((6, 24), "float32"))]
        given.append(relay.Var("w", relay.Tensor((24, 24), "float32")))
        value = make(*(relay.cast(one, dtype=dtype) for one in given))
        func = relay.Function(given, relay.Block([], relay.cast(value, dtype="float32")))
        results.append(np.from_dlpack(uir.build(func)["main"](x, weight)))
    found, expected = results
    assert not np.array_equal(found, expected)
    np.testing.assert_allclose(found, expected, rtol=0.04, atol=0.06)


def test_functions_without_bfloat16_stay() -> None:
    x = te.placeholder((COUNT,), "float16", "x")
    func = te.create_prim_func([x, te.compute((COUNT,), lambda i: x[i] * x[i], "z")])
    module = IRModule({GlobalVar("main"): func})
    assert transform.WidenBFloat16()(module).lookup("main").same_as(func)
