"""Where fields lie."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tschema.ir.model import Field, Schema, TypeRef
from tschema.passes.layout import size_and_align

from .schemas import node

Build = Callable[..., Schema]


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        (TypeRef(kind="bool"), (1, 1)),
        (TypeRef(kind="int32"), (4, 4)),
        (TypeRef(kind="DataType"), (4, 2)),
        (TypeRef(kind="Device"), (8, 4)),
        (TypeRef(kind="String"), (16, 8)),
        (TypeRef(kind="Optional", args=(TypeRef(kind="Object"),)), (8, 8)),
        (TypeRef(kind="Optional", args=(TypeRef(kind="int64"),)), (16, 8)),
        (TypeRef(kind="enum", key="toy.Mood"), (4, 4)),
    ],
)
def test_sizes_are_those_of_the_abi(ref: TypeRef, expected: tuple[int, int]) -> None:
    assert size_and_align(Field(name="x", type=ref)) == expected


def test_fields_follow_each_other_and_the_padding_of_parents(build: Build) -> None:
    schema = build(
        node(
            "Narrow", "final = False", "a: ty.int8_t", "b: ty.int16_t", "c: ty.DataType",
            "d: ty.Device", "e: ty.int32_t",
        )
        + node("Empty", base="NarrowNode")
        + node("Child", "f: ty.int32_t", "g: ty.String", base="EmptyNode")
        + node(
            "Last", "h: ty.Optional[ty.Object]", "i: ty.Optional[ty.int8_t]", "j: int | str",
            base="ChildNode",
        )
    )  # fmt: skip
    laid_out = {
        one.ref: (
            {field.name: field.offset for field in one.fields}, one.layout.size,
            one.layout.depth, one.layout.child_slots, one.layout.padded,
        )
        for one in schema.types()
    }  # fmt: skip
    assert laid_out == {
        "Narrow": ({"a": 24, "b": 26, "c": 28, "d": 32, "e": 40}, 48, 1, 3, False),
        "Empty": ({}, 48, 2, 2, True),
        "Child": ({"f": 48, "g": 56}, 72, 3, 1, True),
        "Last": ({"h": 72, "i": 80, "j": 96}, 112, 4, 0, False),
    }


def test_fields_below_a_table_pointer_start_behind_the_fields_above(build: Build) -> None:
    schema = build(
        node("A", "polymorphic = True", "final = False", "x: ty.int64_t")
        + node("B", "y: ty.int64_t", base="ANode")
    )
    a, b = schema.types()
    assert (a.layout.size, b.layout.offset, b.layout.size) == (40, 32, 48)
    assert (a.fields[0].offset, b.fields[0].offset) == (24, 32)
