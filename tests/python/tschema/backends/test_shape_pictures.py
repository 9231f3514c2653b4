"""Pictures of shapes show each dimension in a column of its own."""

from __future__ import annotations

import pytest

from tschema.backends.docs.shape_pictures import shape_picture
from tschema.ir.model import Operand, Operator


def operator(relation: str | None, *names: str, attributes: tuple[str, ...] = ()) -> Operator:
    operands = tuple(Operand(name=name.rstrip("?"), optional=name[-1] == "?") for name in names)
    return Operator(name="op", operands=operands, relation=relation, attributes=attributes)


def test_a_pattern_aligns_dimensions_of_the_same_name() -> None:
    matmul = operator("(*b, m, k), (*b, k, n) -> (*b, m, n)", "x", "weight")
    assert shape_picture(matmul).splitlines() == [
        "x       *b  m  k",
        "weight  *b     k  n",
        "result  *b  m     n",
    ]


def test_a_computed_dimension_has_a_column() -> None:
    fold = operator("(n, c, h) -> (n, max(c, 1) * h)", "x")
    assert shape_picture(fold).splitlines() == [
        "x       n  c  h",
        "result  n        max(c, 1) * h",
    ]


def test_an_optional_operand_is_marked() -> None:
    norm = operator("(n, c), (c)? -> (n, c)", "x", "scale?")
    assert shape_picture(norm).splitlines()[1] == "scale?     c"


def test_named_rules_show_an_example() -> None:
    assert shape_picture(operator("broadcast", "x", "y")).splitlines() == [
        "x       3  1  5",
        "y          4  5",
        "result  3  4  5",
    ]
    reduced = shape_picture(operator("reduce", "x", attributes=("axis", "keepdims"))).splitlines()
    assert reduced[1].split() == ["result,", "axis=1", "2", "4"]
    assert reduced[2].split() == ["result,", "axis=1,", "keepdims=True", "2", "1", "4"]


@pytest.mark.parametrize("relation", [None, "same", "custom", "(*s) -> (*s)", " -> (n)"])
def test_other_rules_have_none(relation: str | None) -> None:
    names = () if relation == " -> (n)" else ("x",)
    assert shape_picture(operator(relation, *names)) == ""
