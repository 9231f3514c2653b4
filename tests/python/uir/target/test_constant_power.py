"""Powers with constant exponents: products, quotients and roots with the values of `pow`.

All functions are compiled into one library. An array of NumPy holds the bits of bfloat16.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tvm_ffi

import uir
from uir import relay, script
from uir.ir import GlobalVar, IRModule, TensorType, with_attr
from uir.target import Target, emit_c
from uir.tir import const

from ...support.raw_tensor import RawTensor

Array = np.ndarray[Any, Any]

COUNT = 1001
BFLOAT16 = (4, 16, 1)
ULPS = {2.0: 0.5, 3.0: 1.5, 4.0: 2.5, -1.0: 0.5, 0.5: 0.5, -0.5: 1.5}
"""The greatest errors that docs/compiler/target-c.md states, in units in the last place."""
EXPONENTS = list(ULPS)
FLOATS = ["float16", "float32", "float64", "bfloat16"]
INTEGERS = ["int8", "uint8", "int32", "int64", "uint64"]
INTEGER_EXPONENTS = [0, 1, 2, 3, 4, 5]
MAIN = ("global_symbol", "main")
SPECIAL = [0.0, 1.0, 2.0, 0.5, np.inf, np.nan, 1e-40, 1e-45, 5e-324, 6e-8, 3e38, 65504.0, 1.8e19]

ON_TENSORS = """
    @relay.function
    def tensor_{dtype}(x: relay.Tensor(({count},), "{dtype}")):
        return ({powers})
"""
ON_ELEMENTS = """
    @tir.prim_func
    def element_{dtype}(A: tir.Buffer((n,), "{dtype}"), B: tir.Buffer((6, n), "{dtype}")):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            {powers}
"""
GUARDED = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((n,), "float32"), B: tir.Buffer((8,), "float32")):
        n = tir.SizeVar("n", "int32")
        for i in range(8):
            B[i] = tir.if_then_else(i < n, tir.pow(A[i] + 1.0, 3.0), 7.0)
"""


def program(dtypes: list[str]) -> IRModule:
    """Return functions whose results are all powers of a data type, on tensors and elements."""
    text = "@uir.script.ir_module\nclass Module:\n"
    for dtype in dtypes:
        exponents = INTEGER_EXPONENTS if dtype in INTEGERS else EXPONENTS
        on_tensors = ", ".join(f"relay.power(x, {exponent})" for exponent in exponents)
        on_elements = "\n            ".join(
            f"B[{place}, i] = tir.pow(A[i], tir.{dtype}({exponent}))"
            for place, exponent in enumerate(exponents)
        )
        text += ON_TENSORS.format(dtype=dtype, count=COUNT, powers=on_tensors)
        text += ON_ELEMENTS.format(dtype=dtype, powers=on_elements)
    module = script.parse(text)
    assert isinstance(module, IRModule)
    return module


@pytest.fixture(scope="module")
def library() -> tvm_ffi.Module:
    return uir.build(program([*FLOATS, *INTEGERS]))


def reals(kind: str) -> Array:
    """Return numbers of a type: all kinds of special ones, and random ones of all exponents."""
    random = np.random.default_rng(0)
    limits = np.finfo(kind)
    exponents = random.uniform(limits.minexp / 2.2, limits.maxexp / 2.2, COUNT)
    drawn = random.uniform(1, 2, COUNT) * 2.0**exponents * random.choice([-1, 1], COUNT)
    drawn[: 2 * len(SPECIAL)] = [*SPECIAL, *(-x for x in SPECIAL)]
    with np.errstate(over="ignore"):
        made: Array = drawn.astype(kind)
        return made


def exact(x: Array, exponent: float) -> Any:
    """Return powers in a type with more bits, as C's `pow` defines them for special values."""
    wide = x.astype(np.longdouble if x.dtype == np.float64 else np.float64)
    with np.errstate(all="ignore"):
        # NumPy has roots for a scalar exponent, which differ.
        return np.power(wide, np.full_like(wide, exponent))


def check_reals(found: Array, x: Array, exponent: float, bits: int = 0) -> None:
    """Compare with exact powers; `bits` of the mantissa are missing, as in bfloat16."""
    wanted = exact(x, exponent)
    with np.errstate(all="ignore"):
        rounded = wanted.astype(found.dtype)
        step = np.spacing(np.abs(rounded)).astype(wanted.dtype) * 2.0**bits
        error = np.abs(found.astype(wanted.dtype) - wanted) / step
    finite = np.isfinite(rounded) & np.isfinite(found)
    assert np.nanmax(np.where(finite, error, 0)) <= ULPS[exponent] + 1e-3
    # What is next to the greatest number may be rounded to an infinity.
    limit = np.finfo(found.dtype).max
    is_close = np.isinf(found) & (np.abs(wanted) > limit * (1 - 2.0**-6))
    same = (np.isnan(found) & np.isnan(wanted)) | (np.isinf(found) & (found == rounded))
    assert (finite | same | is_close).all()
    signed = ~np.isnan(found)
    assert (np.signbit(found) == np.signbit(wanted))[signed].all()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.filterwarnings("ignore:overflow")
def test_powers_of_reals(library: tvm_ffi.Module, dtype: str) -> None:
    x = reals(dtype)
    on_elements = np.empty((len(EXPONENTS), COUNT), dtype)
    library[f"element_{dtype}"](x, on_elements)
    on_tensors = library[f"tensor_{dtype}"](x)
    for place, exponent in enumerate(EXPONENTS):
        check_reals(np.from_dlpack(on_tensors[place]), x, exponent)
        check_reals(on_elements[place], x, exponent)


def test_powers_of_bfloat16(library: tvm_ffi.Module) -> None:
    bits = (reals("float32").view(np.uint32) >> 16).astype(np.uint16)
    x = (bits.astype(np.uint32) << 16).view(np.float32)
    results = np.empty((len(EXPONENTS), COUNT), np.uint16)
    arrays = {(COUNT,): bits, results.shape: results}
    tensors = [
        RawTensor(one.ctypes.data, list(shape), dtype=BFLOAT16) for shape, one in arrays.items()
    ]
    library.element_bfloat16(*tensors)
    for exponent, result in zip(EXPONENTS, results, strict=True):
        found = (result.astype(np.uint32) << 16).view(np.float32)
        normal = ~(np.abs(exact(x, exponent)) < 1e-37)
        check_reals(found[normal], x[normal], exponent, bits=16)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_powers_of_integers_wrap_around(library: tvm_ffi.Module, dtype: str) -> None:
    limits = np.iinfo(dtype)
    x = np.random.default_rng(1).integers(limits.min, limits.max, COUNT, dtype, endpoint=True)
    x[:5] = [0, 1, 2, limits.min, limits.max]
    on_elements = np.empty((len(INTEGER_EXPONENTS), COUNT), dtype)
    library[f"element_{dtype}"](x, on_elements)
    on_tensors = library[f"tensor_{dtype}"](x)
    wanted = np.ones_like(x)
    for exponent in INTEGER_EXPONENTS:
        np.testing.assert_array_equal(np.from_dlpack(on_tensors[exponent]), wanted)
        np.testing.assert_array_equal(on_elements[exponent], wanted)
        wanted = wanted * x


@pytest.mark.parametrize("isa", ["generic", "x86-64-v3", "x86-64-v4", "x86-64"])
def test_no_call_of_pow_is_left(isa: str) -> None:
    target = Target("c", isa)
    text = str(emit_c(uir.lower(program(FLOATS), target), target))
    assert "pow(" not in text and "powf(" not in text and "pow_float" not in text


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_the_exponent_is_a_constant_of_one_element(shape: tuple[int, ...]) -> None:
    builder = relay.builder()
    x = builder.param("x", TensorType([const(3), const(5)], "float32"))
    power = relay.power(x, relay.const(np.full(shape, 2.0, "float32")))
    module = IRModule({GlobalVar("main"): with_attr(builder.make_func(power), *MAIN)})
    target = Target("c", "generic")
    assert "pow_" not in str(emit_c(uir.lower(module, target), target))


def test_a_guarded_power_reads_nothing_else() -> None:
    """The base of a power that is not chosen may be no element at all."""
    library = uir.build(script.parse(GUARDED))
    for n in (0, 3, 8):
        x = np.zeros(n, np.float32)
        result = np.empty(8, np.float32)
        library.main(x, result)
        assert result.tolist() == [1.0] * n + [7.0] * (8 - n)
