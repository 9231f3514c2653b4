"""What a type cannot hold: compiled, evaluated and folded conversions have one table."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tvm_ffi

import uir
from uir import ir, relay
from uir.runtime import as_array, as_tensor

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
TARGETS = (*INTEGERS, *FLOATS, "bool")
BORDERS = [
    np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, -0.5, 1.0, -1.75, 127.0, 128.0, -129.0, 255.5, 256.0,
    300.7, 32768.0, 65504.0, 65536.0, -(2.0**31), 2.0**31, 2.0**32 + 512, -(2.0**32) - 512, 2.0**53,
    -(2.0**63), 2.0**63, 2.0**64, 2.0**64 + 4096, -(2.0**64) - 4096, 1e30, -1e30, 3e38, 1e300,
]  # fmt: skip
WHOLE = [0, 1, -1, 127, 128, 255, 256, 2**15, 65504, 65520, 2**24 + 1, 2**31, 2**32 + 512, 2**53]


def numbers(dtype: str) -> np.ndarray[Any, Any]:
    with np.errstate(all="ignore"):
        if dtype == "bool":
            return np.array([False, True])
        if dtype in INTEGERS:
            limits = np.iinfo(dtype)
            inside = [one for one in WHOLE if limits.min <= one <= limits.max]
            return np.array([*inside, limits.min, limits.max], dtype)
        kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
        return np.array(BORDERS).astype(kind)


def exact(value: float, dtype: str) -> int:
    """Return a float as an integer of so many bits."""
    if not np.isfinite(value):
        return 0
    bits, signed = int(dtype.lstrip("uint")), dtype[0] == "i"
    low = -(1 << (bits - 1)) if signed else 0
    return (int(value) - low) % (1 << bits) + low


def converted(dtype: str, x: Any) -> relay.Tuple:
    return relay.Tuple([relay.cast(x, one) for one in TARGETS if one != dtype])


@pytest.fixture(scope="module")
def library() -> Any:
    functions = {}
    for dtype in TARGETS:
        x = relay.Var("x", relay.Tensor((len(numbers(dtype)),), dtype))
        func = relay.Function([x], relay.Block([], converted(dtype, x)))
        functions[ir.GlobalVar(dtype)] = ir.with_attr(func, "global_symbol", f"from_{dtype}")
    return uir.build(ir.IRModule(functions))


def same(one: Any, other: Any) -> None:
    assert one.dtype == other.dtype
    wide = [np.asarray(x, "float64") if x.dtype.kind in "fV" else x for x in (one, other)]
    np.testing.assert_array_equal(*wide)


@pytest.mark.parametrize("dtype", TARGETS)
def test_one_table(library: Any, dtype: str) -> None:
    values = numbers(dtype)
    x = relay.Var("x", relay.Tensor(values.shape, dtype))
    function = relay.Function([x], relay.Block([], converted(dtype, x)))
    evaluated = relay.evaluate(function, values)
    compiled = [as_array(one) for one in library[f"from_{dtype}"](as_tensor(values))]
    constant = relay.Function([], relay.Block([], converted(dtype, relay.const(values, dtype))))
    folded = [as_array(one) for one in uir.build(constant).main()]
    wanted = [one for one in TARGETS if one != dtype]
    for name, first, second, third in zip(wanted, evaluated, compiled, folded, strict=True):
        same(first, second)
        same(second, third)
        if dtype in FLOATS and name in INTEGERS:
            assert first.tolist() == [exact(float(one), name) for one in values]
        if name == "bool":
            assert first.tolist() == [bool(one != 0) for one in values]


def test_evaluate_takes_tensors_of_bfloat16() -> None:
    x = relay.Var("x", relay.Tensor((3,), "bfloat16"))
    function = relay.Function([x], relay.Block([], relay.add(x, x)))
    values = np.array([1.5, -2.0, np.inf], ml_dtypes.bfloat16)
    tensor: tvm_ffi.Tensor = as_tensor(values)
    for given in (values, tensor):
        found = relay.evaluate(function, given)
        assert found.dtype == values.dtype
        assert found.tolist() == [3.0, -4.0, np.inf]
