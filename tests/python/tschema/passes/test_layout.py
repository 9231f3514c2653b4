"""Where fields lie."""

from __future__ import annotations

import pytest

from tschema.ir.model import Field, TypeRef
from tschema.passes.layout import size_and_align

from .schemas import node


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        (TypeRef(kind="bool"), (1, 1)),
        (TypeRef(kind="int32"), (4, 4)),
        (TypeRef(kind="DataType"), (4, 2)),
        (TypeRef(kind="String"), (16, 8)),
        (TypeRef(kind="Optional", args=(TypeRef(kind="Object"),)), (8, 8)),
        (TypeRef(kind="Optional", args=(TypeRef(kind="int64"),)), (16, 8)),
        (TypeRef(kind="enum", key="toy.Mood"), (4, 4)),
    ],
)
def test_sizes_are_those_of_the_abi(ref: TypeRef, expected: tuple[int, int]) -> None:
    assert size_and_align(Field(name="x", type=ref)) == expected


def test_own_fields_start_at_a_multiple_of_8(build) -> None:
    schema = build(
        node("A", "final = False", "x: ty.int8_t", "y: ty.int32_t")
        + node("B", "z: ty.int8_t", base="ANode")
    )
    a, b = schema.namespaces[0].types
    assert [field.offset for field in a.fields] == [24, 28]
    assert (a.layout.size, b.layout.offset, b.fields[0].offset, b.layout.size) == (32, 32, 32, 40)
