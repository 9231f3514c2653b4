"""Constants hold what their data types hold."""

from __future__ import annotations

import math
from typing import Any

import pytest

from uir.ir import BaseExpr, FloatImm, GlobalVar, IntImm, PrimExpr, RelayExpr, StringImm

from ..support import refuses


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        ("bool", 0, 1),
        ("int8", -128, 127),
        ("int32", -(2**31), 2**31 - 1),
        ("int64", -(2**63), 2**63 - 1),
        ("uint1", 0, 1),
        ("uint8", 0, 255),
        ("uint32", 0, 2**32 - 1),
        ("uint64", 0, 2**63 - 1),
    ],
)
def test_integers_are_in_the_range_of_their_type(dtype: str, low: int, high: int) -> None:
    assert [IntImm(dtype, value).value for value in (low, high)] == [low, high]
    for value in (low - 1, high + 1):
        if -(2**63) <= value < 2**63:
            message = f"must be between {low} and {high} for `{dtype}`, got {value}"
            with refuses(ValueError, f"IntImm: `value` {message}"):
                IntImm(dtype, value)


@pytest.mark.parametrize("dtype", ["float32", "int32x4", "handle", "boolx2"])
def test_integers_have_a_scalar_integer_type(dtype: str) -> None:
    with refuses(TypeError, f"IntImm: `dtype` must be a scalar integer or `bool`, got `{dtype}`"):
        IntImm(dtype, 1)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "float8_e4m3fn"])
def test_floats_have_any_format(dtype: str) -> None:
    for value in (0.0, -1.5, math.inf, -math.inf):
        assert FloatImm(dtype, value).value == value
    assert math.isnan(FloatImm(dtype, math.nan).value)


@pytest.mark.parametrize("dtype", ["int32", "float32x2", "bool"])
def test_floats_have_a_scalar_floating_point_type(dtype: str) -> None:
    message = f"`dtype` must be a scalar floating-point type, got `{dtype}`"
    with refuses(TypeError, f"FloatImm: {message}"):
        FloatImm(dtype, 1.0)


@pytest.mark.parametrize(
    ("dtype", "value", "shown"),
    [("float16", 65520.0, "65504 in magnitude for `float16`, got 65520")],
)
def test_floats_are_in_the_range_of_their_type(dtype: str, value: float, shown: str) -> None:
    for sign, prefix in ((1, ""), (-1, "-")):
        with refuses(
            ValueError,
            f"FloatImm: `value` must be at most {shown.replace('got ', f'got {prefix}')}",
        ):
            FloatImm(dtype, sign * value)
    assert FloatImm("float16", 65504.0).value == 65504.0


def test_a_string_is_an_address() -> None:
    assert StringImm("a\0日本").dtype == "handle"
    assert StringImm("a\0日本").value == "a\0日本"


def test_a_global_variable_has_no_type_yet() -> None:
    assert GlobalVar("main").checked_type is None


@pytest.mark.parametrize("base", [BaseExpr, PrimExpr, RelayExpr])
def test_bases_are_abstract(base: Any) -> None:
    with pytest.raises(TypeError, match=base.__name__):
        base()
    with pytest.raises(TypeError, match=base.__name__):
        base("int32")
