"""Variables: data types that agree with their annotations."""

from __future__ import annotations

import pytest

from uir.ir import PointerType, PrimType, TupleType
from uir.tir import SizeVar, Var

from ..support import refuses


def test_an_annotation_agrees_with_the_data_type() -> None:
    assert Var("x", "float32", PrimType("float32")).type_annotation is not None
    assert Var("p", "handle", PointerType(PrimType("float32"))).dtype == "handle"
    assert Var("t", "handle", TupleType()).dtype == "handle"
    with refuses(
        TypeError,
        "Var: `dtype` and `type_annotation` of `x` must agree, got `int32` and `float32` "
        "(type_annotation = PrimType(dtype=float32))",
    ):
        Var("x", "int32", PrimType("float32"))
    with pytest.raises(
        TypeError, match=r"got `int32` and `handle` \(type_annotation = PointerType"
    ):
        Var("x", "int32", PointerType(PrimType("float32")))


def test_a_size_is_an_integer() -> None:
    assert SizeVar("n", "int64").dtype == "int64"
    for dtype in ("float32", "int32x2", "bool", "handle"):
        with refuses(TypeError, f"SizeVar: `dtype` must be a scalar integer, got `{dtype}`"):
            SizeVar("n", dtype)
    # The constructor of the concrete parent checks this first.
    with refuses(TypeError, "Var: `dtype` must not be `void`"):
        SizeVar("n", "void")


def test_a_size_is_a_variable() -> None:
    assert isinstance(SizeVar("n"), Var)
    assert not isinstance(Var("n"), SizeVar)


def test_variables_of_one_name_differ() -> None:
    one, other = Var("x"), Var("x")
    assert one != other
    assert not one.same_as(other)
    assert len({one, other, one}) == 2
