"""Intrinsics: calls of operators, their operands checked, constants computed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uir import ir, script, tir
from uir.ir import FloatImm, IntImm, Op, PrimExpr, SourceName, Span, StringImm
from uir.tir import Call, CallEffectKind, Var, decl_buffer, effect_kind

from ..support import FLAG, I32, X, refuses

F = Var("f", "float32")
D = Var("d", "float64")

UNARY = (
    "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "erf",
    "sigmoid",
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "floor", "ceil", "trunc", "round", "nearbyint", "abs",
)  # fmt: skip
BINARY = ("atan2", "hypot", "copysign", "fmod", "nextafter")


def call_of(expr: PrimExpr) -> tuple[str, list[Any], str]:
    assert isinstance(expr, Call)
    assert isinstance(expr.op, Op)
    return expr.op.name, list(expr.args), str(expr.dtype) or "void"


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_a_number(name: str) -> None:
    function = getattr(tir, name)
    op, args, dtype = call_of(function(F))
    assert (op, dtype) == (f"tir.{name}", "float32")
    assert args[0].same_as(F)
    with pytest.raises(TypeError, match=f"^{name}: operand `x` must be .*, got `bool`"):
        function(FLAG)


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name: str) -> None:
    op, args, dtype = call_of(getattr(tir, name)(F, 2.0))
    assert (op, dtype) == (f"tir.{name}", "float32")
    assert args[1].value == 2.0
    assert call_of(getattr(tir, name)(F, D))[2] == "float64"
    with pytest.raises(TypeError, match=f"^{name}: operand `x` must be a floating-point number"):
        getattr(tir, name)(X, X)


def test_powers_of_numbers() -> None:
    assert call_of(tir.pow(F, 2.0))[2] == "float32"
    assert call_of(tir.pow(X, 2))[2] == "int32"
    with pytest.raises(TypeError, match="^pow: operand `x` must be a number, got `bool`"):
        tir.pow(FLAG, FLAG)


def test_every_operator_says_what_it_may_do() -> None:
    for name in Op.list():
        if name.startswith("tir."):
            op = Op.get(name)
            assert op.get_attr("TCallEffectKind") is not None, name
            assert op.description.endswith("."), name
    effects = {
        "tir.exp": CallEffectKind.PURE,
        "tir.call_extern": CallEffectKind.UPDATE_STATE,
        "tir.call_pure_extern": CallEffectKind.PURE,
        "tir.atomic_add": CallEffectKind.UPDATE_STATE,
        "tir.memory_barrier": CallEffectKind.UPDATE_STATE,
        "tir.ret": CallEffectKind.UPDATE_STATE,
    }
    assert {name: effect_kind(Op.get(name)) for name in effects} == effects


def test_the_number_of_arguments_is_checked() -> None:
    for name, count in {"tir.exp": 1, "tir.fma": 3, "tir.memory_barrier": 0}.items():
        with pytest.raises(ValueError, match=f"of `{name}` must be {count}, got 2"):
            tir.call_intrin("float32", name, [F, F])


@given(value=st.floats(width=32))
def test_constants_are_rounded_here(value: float) -> None:
    functions = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": np.round}
    for name, numpy_function in {**functions, "abs": np.abs}.items():
        folded = getattr(tir, name)(FloatImm("float32", value))
        assert isinstance(folded, FloatImm)
        expected = float(numpy_function(np.float32(value)))
        assert folded.value == expected or (math.isnan(folded.value) and math.isnan(expected))
    for name, question in {
        "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite,
    }.items():  # fmt: skip
        answer = getattr(tir, name)(FloatImm("float32", value))
        assert isinstance(answer, IntImm)
        assert bool(answer.value) == bool(question(value))


def test_integers_are_round_already() -> None:
    for name in ("floor", "ceil", "trunc", "round"):
        assert getattr(tir, name)(X).same_as(X)
    assert tir.abs(Var("u", "uint8")).dtype == "uint8"
    three = tir.abs(IntImm("int32", -3))
    assert isinstance(three, IntImm)
    assert three.value == 3
    never = tir.isnan(X)
    assert isinstance(never, IntImm)
    assert never.value == 0
    assert call_of(tir.isnan(F))[2] == "bool"


def test_bits() -> None:
    assert call_of(tir.popcount(X)) == ("tir.popcount", [X], "int32")
    assert call_of(tir.clz(X))[0] == "tir.clz"
    with pytest.raises(TypeError, match="popcount: operand `x` must be an integer"):
        tir.popcount(F)


def test_products_and_sums_that_are_rounded_once() -> None:
    assert call_of(tir.multiply_add(F, F, 1.5))[::2] == ("tir.multiply_add", "float32")
    with pytest.raises(TypeError, match="multiply_add: operand `a` must be a floating-point"):
        tir.multiply_add(X, X, X)


def test_products_of_four_bytes() -> None:
    assert call_of(tir.dot4(X, X, 5))[::2] == ("tir.dot4", "int32")
    wide = tir.dot4(0, X, Var("v", "int32x4"))
    assert wide.dtype == "int32x4" and all(one.dtype == "int32x4" for one in wide.args)
    folded = tir.dot4(-5, -1, 0x7F80FF01)  # 255 times 1, -1, -128 and 127, bytes from the last on
    assert isinstance(folded, IntImm) and folded.value == 255 * (1 - 1 - 128 + 127) - 5
    wrapped = tir.dot4(2**31 - 1, 1, 1)
    assert isinstance(wrapped, IntImm) and wrapped.value == -(2**31)
    for operands in [(F, X, X), (X, Var("l", "int64"), X), (X, X, Var("u", "uint32"))]:
        with pytest.raises(TypeError, match="dot4: operand `(sum|a|b)` must be of `int32`, got"):
            tir.dot4(*operands)


def test_divisors_that_are_checked() -> None:
    message = StringImm("the divisor is 0")
    checked = tir.call_intrin("int32", "tir.nonzero", [X, message])
    assert call_of(checked) == ("tir.nonzero", [X, message], "int32")


def test_choices_compute_one_side() -> None:
    op, args, dtype = call_of(tir.if_then_else(FLAG, X, 2.5))
    assert (op, dtype) == ("tir.if_then_else", "float32")
    assert args[0].same_as(FLAG)
    assert tir.if_then_else(True, X, 1).same_as(X)
    with pytest.raises(TypeError, match="operand `condition` must be a scalar boolean"):
        tir.if_then_else(X, X, X)


def test_conditions() -> None:
    assert call_of(tir.likely(FLAG))[0] == "tir.likely"
    assert isinstance(tir.likely(True), IntImm)
    assert tir.all().value == 1  # type: ignore[attr-defined]
    assert tir.all(FLAG, True).same_as(FLAG)
    assert isinstance(tir.any(FLAG, X < 3), tir.Or)


def test_division_that_rounds_up() -> None:
    for a in range(-9, 10):
        folded = tir.ceildiv(a, 4)
        assert isinstance(folded, IntImm)
        assert folded.value == math.ceil(a / 4)
    with pytest.raises(TypeError, match="ceildiv: operand `a` must be an integer"):
        tir.ceildiv(F, 2)


def test_bits_of_another_type() -> None:
    assert call_of(tir.reinterpret("int32", F)) == ("tir.reinterpret", [F], "int32")
    assert tir.reinterpret("float32", F).same_as(F)
    with refuses(
        TypeError, "reinterpret: `dtype` must have as many bits as `float32`, got `int64`"
    ):
        tir.reinterpret("int64", F)


def test_memory() -> None:
    load = decl_buffer((4,), name="A")[X]
    assert call_of(tir.address_of(load)) == ("tir.address_of", [load], "handle")
    assert call_of(tir.prefetch(load))[2] == "void"
    assert call_of(tir.isnullptr(Var("p", "handle")))[2] == "bool"
    assert call_of(tir.storage_sync("shared"))[1][0].value == "shared"
    weights = tir.constant_data(2)
    assert call_of(weights) == ("tir.constant_data", [weights.args[0]], "handle")
    assert weights.args[0].value == 2
    assert effect_kind(weights.op) == CallEffectKind.PURE
    with pytest.raises(TypeError, match="address_of: operand `load` must be a `BufferLoad`"):
        tir.address_of(X)
    made = tir.call_intrin("handle", "tir.allocate_output", [Var("slot", "handle"), F, X, I32])
    assert effect_kind(made.op) == CallEffectKind.UPDATE_STATE
    assert ir.structural_equal(script.parse_value(script.print(made)), made, map_free_vars=True)


def test_the_data_type_of_a_result_is_no_argument() -> None:
    address = Var("p", "handle")
    load = tir.vload(address, X, "int8x4")
    assert call_of(load) == ("tir.vload", [address, X], "int8x4")
    assert ir.structural_equal(script.parse_value(script.print(load)), load, map_free_vars=True)
    for name, count in {"tir.vload": 2, "tir.reinterpret": 1, "tir.call_extern": -1}.items():
        assert Op.get(name).num_inputs == count
        assert "dtype" not in [argument.name for argument in Op.get(name).arguments]
    arguments = [(one.name, one.type_info) for one in Op.get("tir.call_packed").arguments]
    assert arguments == [("name", "handle"), ("args", "any...")]


def test_calls_by_name() -> None:
    op, args, dtype = call_of(tir.call_packed("print", X, "text", 1.5))
    assert (op, dtype) == ("tir.call_packed", "int32")
    assert isinstance(args[0], StringImm)
    assert isinstance(args[2], StringImm)
    assert [args[0].value, args[2].value] == ["print", "text"]
    assert call_of(tir.call_extern("float32", "sinf", F))[0::2] == ("tir.call_extern", "float32")
    assert call_of(tir.call_pure_extern("float32", "sinf", F))[0] == "tir.call_pure_extern"
    assert call_of(tir.ret(X)) == ("tir.ret", [X], "void")
    assert call_of(tir.fma(F, F, F))[0] == "tir.fma"


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint32"])
def test_ends_of_integers(dtype: str) -> None:
    low, high = tir.min_value(dtype), tir.max_value(dtype)
    assert isinstance(low, IntImm)
    assert isinstance(high, IntImm)
    assert (low.value, high.value) == (np.iinfo(dtype).min, np.iinfo(dtype).max)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_ends_of_numbers(dtype: str) -> None:
    low, high, infinity = tir.min_value(dtype), tir.max_value(dtype), tir.infinity(dtype)
    assert isinstance(low, FloatImm)
    assert isinstance(high, FloatImm)
    assert isinstance(infinity, FloatImm)
    assert (low.value, high.value) == (-float(np.finfo(dtype).max), float(np.finfo(dtype).max))
    assert infinity.value == math.inf


def test_ends_that_there_are_not() -> None:
    with refuses(ValueError, "max_value: constants of `uint64` reach 2^63-1 only"):
        tir.max_value("uint64")
    with pytest.raises(TypeError, match="max_value: `dtype` must be a scalar number, got `handle`"):
        tir.max_value("handle")
    with pytest.raises(TypeError, match="infinity: `dtype` must be a scalar floating-point type"):
        tir.infinity("int32")


def test_spans_are_kept() -> None:
    span = Span(SourceName("a.py"), 3, 1)
    for expr in (tir.exp(F, span), tir.pow(F, 2.0, span), tir.ret(I32, span), tir.floor(F, span)):
        assert expr.span is not None
        assert expr.span.same_as(span)


def test_what_runs_in_parallel_is_a_call_of_a_function_on_a_range() -> None:
    function = ir.GlobalVar("f")
    call = Call("void", function, [tir.const(0), tir.const(4)])
    assert tir.parallel_for(call).args[0].same_as(call)
    wrong = [
        tir.const(0),
        Call("int32", function, [tir.const(0), tir.const(4)]),
        Call("void", function, [tir.const(0)]),
        Call("void", function, [tir.const(0), tir.const(4, "int64")]),
    ]
    for operand in wrong:
        with pytest.raises(TypeError, match="parallel_for: operand `call` must be a call of a"):
            tir.parallel_for(operand)
