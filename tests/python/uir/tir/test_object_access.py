"""Operators that read objects: their types, and what they refuse."""

from __future__ import annotations

import re

import pytest

from tschema.runtime import layout
from uir import tir
from uir.ir import structural_equal
from uir.tir import Call, Var

LOOP = Var("loop", "handle", tir.reference_to("uir.tir.For"))
ANY = Var("any", "handle")


def test_a_field_has_the_data_type_of_its_member() -> None:
    assert str(tir.get_field(LOOP, "kind").dtype) == "int32"
    assert str(tir.get_field(LOOP, "extent").dtype) == "handle"
    assert str(tir.get_field(ANY, "kind", dtype="int8").dtype) == "int8"


def test_a_field_at_its_offset() -> None:
    load = tir.object_field(LOOP, "uir.tir.For", "kind")
    assert str(load.dtype) == "int32"
    offset = layout("uir.tir.For").field("kind").offset
    assert structural_equal(load, tir.object_field(LOOP, "uir.tir.For", "kind", offset, "int32"))
    with pytest.raises(TypeError, match=f"`kind` of `uir.tir.For` is at byte {offset}, not 8"):
        tir.object_field(LOOP, "uir.tir.For", "kind", 8)
    with pytest.raises(TypeError, match="`kind` of `uir.tir.For` is a `int32`, not a `int64`"):
        tir.object_field(LOOP, "uir.tir.For", "kind", None, "int64")


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("extnt", "type `uir.tir.For` has no field `extnt`; did you mean `extent`?"),
        ("", "type `uir.tir.For` has no field ``"),
    ],
)
def test_fields_that_a_type_lacks(field: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        tir.get_field(LOOP, field)
    with pytest.raises(ValueError, match=re.escape(message)):
        tir.object_field(LOOP, "uir.tir.For", field)


def test_a_field_of_an_object_of_unknown_type() -> None:
    with pytest.raises(TypeError, match="the type of .* is not known"):
        tir.get_field(ANY, "kind")
    with pytest.raises(TypeError, match="operand `object` must be a `handle`, got `int32`"):
        tir.get_field(Var("n"), "kind", dtype="int32")


def test_types_of_objects() -> None:
    cast = tir.as_object(ANY, "uir.tir.For", name="loop")
    assert isinstance(cast, Call)
    assert str(cast.dtype) == "handle"
    assert str(tir.is_object(ANY, "uir.tir.For").dtype) == "bool"


def test_elements_of_arrays() -> None:
    assert str(tir.array_size(ANY).dtype) == "int64"
    assert str(tir.array_item(ANY, 2, dtype="float64").dtype) == "float64"
