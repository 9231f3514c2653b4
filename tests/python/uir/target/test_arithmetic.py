"""Arithmetic on the extremes of every data type: compiled, it is what the interpreter computes.

One library holds a function for each operation, data type and form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tvm_ffi

from uir import tir, transform
from uir.ir import GlobalVar, IRModule, PrimExpr, with_attr
from uir.target import Target, emit_c
from uir.tir import BufferLoad, BufferStore, For, ForKind, PrimFunc, Var, call_intrin, const

from ...support.compiled_c import load_c
from ...support.interpreter import run

Operation = Callable[[PrimExpr, PrimExpr], PrimExpr]

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "float32", "float64")
FORMS = {"scalar": 6, "vector": 4, "padded": 3}
"""The lanes of a vector; of the scalar form, the iterations of a loop."""

LENGTH = 144


def converted(dtype: str) -> Operation:
    return lambda a, b: tir.cast(a, dtype)


def predicate(name: str) -> Operation:
    return lambda a, b: tir.cast(getattr(tir, name)(a), a.dtype)


def intrinsic(name: str) -> Operation:
    return lambda a, b: call_intrin(a.dtype, f"tir.{name}", [a])


DIVISIONS: dict[str, Operation] = {
    "floordiv": tir.floordiv,
    "floormod": tir.floormod,
    "truncdiv": tir.truncdiv,
    "truncmod": tir.truncmod,
}
BOTH: dict[str, Operation] = {
    "add": tir.add,
    "sub": tir.sub,
    "mul": tir.mul,
    "min": tir.min,
    "max": tir.max,
    "sum": lambda a, b: (a + b) * (a - b) + 3,
    "less": lambda a, b: tir.cast(a < b, a.dtype),
    "chosen": lambda a, b: tir.Select(tir.logical_or(a < b, a == 1), a, b),
    "logic": lambda a, b: tir.cast(tir.logical_not(tir.logical_and(a <= b, b != 2)), a.dtype),
    "abs": lambda a, b: tir.abs(a),
}
ON_INTEGERS: dict[str, Operation] = {
    **BOTH,
    **DIVISIONS,
    "by_four": lambda a, b: tir.floordiv(a, const(4, a.dtype)) + tir.floormod(a, const(8, a.dtype)),
    "by_three": lambda a, b: (
        tir.truncdiv(a, const(3, a.dtype)) - tir.floormod(a, const(3, a.dtype))
    ),
    "and": tir.bitwise_and,
    "or": tir.bitwise_or,
    "xor": tir.bitwise_xor,
    "not": lambda a, b: tir.bitwise_not(a),
    "left": lambda a, b: tir.left_shift(a, const(3, a.dtype)),
    "right": lambda a, b: tir.right_shift(a, const(3, a.dtype)),
    "shifted": lambda a, b: tir.left_shift(a, tir.bitwise_and(b, const(7, a.dtype))),
    "three_right": lambda a, b: tir.right_shift(
        const(3, a.dtype), tir.bitwise_and(b, const(7, a.dtype))
    ),
    "popcount": intrinsic("popcount"),
    "clz": intrinsic("clz"),
}
ON_FLOATS: dict[str, Operation] = {
    **BOTH,
    "div": tir.div,
    "fmod": lambda a, b: call_intrin(a.dtype, "tir.fmod", [a, b]),
    "floordiv": DIVISIONS["floordiv"],
    "copysign": lambda a, b: call_intrin(a.dtype, "tir.copysign", [a, b]),
    **{name: intrinsic(name) for name in ("floor", "ceil", "trunc", "round", "sqrt")},
    **{name: predicate(name) for name in ("isnan", "isinf", "isfinite")},
}
"""Operations whose results are exact, or rounded once."""

ROUGH = ("exp", "exp2", "exp10", "log", "log2", "log1p", "tanh", "erf", "sigmoid", "rsqrt", "sin")
"""Operations whose results may differ in the last digits."""


def extremes(dtype: str) -> list[Any]:
    if dtype in FLOATS:
        info = np.finfo(dtype)
        special = [np.nan, np.inf, -np.inf, -0.0, info.max, info.min, info.tiny]
        return [*special, info.smallest_subnormal, 0.0, 1.0, -1.0, 2.5]
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    near_zero = [0, 1, 2, 3, *([-1, -2] if low else [])]
    return sorted({low, low + 1, high // 2, high - 1, high, *near_zero})


def results(dtype: str) -> dict[str, tuple[Operation, str]]:
    """Return the operations on a data type, with the data types of their results."""
    own = ON_FLOATS if dtype in FLOATS else ON_INTEGERS
    found = {name: (operation, dtype) for name, operation in own.items()}
    if dtype in FLOATS:
        found |= {name: (intrinsic(name), dtype) for name in ROUGH}
    if dtype == "int32":
        found["dot4"] = (lambda a, b: tir.dot4(b, a, b)), dtype
    for other in (*INTEGERS, *FLOATS, "bool"):
        if other != dtype:
            found[f"to_{other}"] = converted(other), other
    return found


def arguments(dtype: str) -> list[np.ndarray[Any, Any]]:
    """Return operands that pair each extreme value with each, and arrays for the results."""
    values = extremes(dtype)
    pairs = [(a, b) for a in values for b in values]
    pairs = [pairs[i % len(pairs)] for i in range(LENGTH)]
    left, right = (np.array(side, dtype) for side in zip(*pairs, strict=True))
    plain = np.where(np.isfinite(left), left, np.array(-3.75).astype(dtype))
    if dtype == "uint64":
        # The interpreter converts to floating-point numbers by way of int64.
        plain = np.minimum(plain, np.uint64(2**63 - 1))
    divisors = np.where(right == 0, np.ones_like(right), right)
    outputs = [np.zeros(LENGTH, result) for _, result in results(dtype).values()]
    return [left, right, divisors, plain, *outputs]


def function(dtype: str, form: str) -> PrimFunc:
    """Return a function that stores the result of each operation in a buffer of its own."""
    inputs = [tir.decl_buffer([const(LENGTH)], dtype, name) for name in "abdp"]
    lanes = FORMS[form]
    i, j = Var("i", "int32"), Var("j", "int32")
    place = [i * lanes + j]
    a, b, divisor, plain = (BufferLoad(buffer, place) for buffer in inputs)
    outputs, stores = [], []
    for name, (operation, result) in results(dtype).items():
        outputs.append(tir.decl_buffer([const(LENGTH)], result, name))
        left = plain if name.startswith("to_") else a
        right = divisor if name in DIVISIONS and dtype in INTEGERS else b
        stores.append(BufferStore(outputs[-1], operation(left, right), place))
    kind = ForKind.SERIAL if form == "scalar" else ForKind.VECTORIZED
    inner = For(j, const(0), const(lanes), kind, tir.SeqStmt(stores))
    body = For(i, const(0), const(LENGTH // lanes), ForKind.SERIAL, inner)
    buffers = [*inputs, *outputs]
    handles = [Var(f"{buffer.name}_handle", "handle") for buffer in buffers]
    made = PrimFunc(handles, body, buffer_map=dict(zip(handles, buffers, strict=True)))
    return with_attr(made, "global_symbol", f"{dtype}_{form}")


FUNCTIONS = {
    (dtype, form): function(dtype, form) for dtype in (*INTEGERS, *FLOATS) for form in FORMS
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tvm_ffi.Module:
    functions = {GlobalVar(f"{dtype}_{form}"): func for (dtype, form), func in FUNCTIONS.items()}
    lowered = transform.VectorizeLoop()(IRModule(functions))
    return load_c(emit_c(lowered, Target()), tmp_path_factory.mktemp("arithmetic"))


def is_same(name: str, one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> Any:
    """Return where the results of an operation agree."""
    if one.dtype.kind != "f":
        return one == other
    both_nan = np.isnan(one) & np.isnan(other)
    if name in ROUGH:
        limit = 4 * float(np.finfo(one.dtype).eps)
        return both_nan | np.isclose(one, other, rtol=limit, atol=float(np.finfo(one.dtype).tiny))
    return both_nan | ((one == other) & (np.signbit(one) == np.signbit(other)))


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_interpreted_and_compiled_agree(library: tvm_ffi.Module, dtype: str) -> None:
    interpreted = arguments(dtype)
    run(FUNCTIONS[dtype, "scalar"], *interpreted)
    different = []
    for form in FORMS:
        compiled = arguments(dtype)
        library[f"{dtype}_{form}"](*compiled)
        for name, one, other in zip(results(dtype), interpreted[4:], compiled[4:], strict=True):
            for place in np.flatnonzero(~is_same(name, one, other))[:2]:
                operands = [x[place] for x in compiled[:4]]
                different.append((form, name, *operands, one[place], other[place]))
    assert different == []
