"""Pictures of shapes show each dimension in a column of its own."""

from __future__ import annotations

import pytest

from tschema.backends.docs import shape_pictures
from tschema.ir.codec import decode
from tschema.ir.model import Function, Operand, Operator, Parameter, TypeRef

from ...support.project import ROOT


def operator(relation: str | None, *names: str, attributes: tuple[str, ...] = ()) -> Operator:
    operands = tuple(Operand(name=name.rstrip("?"), optional=name[-1] == "?") for name in names)
    return Operator(name="op", operands=operands, relation=relation, attributes=attributes)


def shape_picture(declared: Operator, returns_doc: str = "", **docs: str) -> str:
    """Return the picture of an operator whose operands and result have docs."""
    tensor = TypeRef(kind="Object")
    params = tuple(
        Parameter(name=one.name, type=tensor, doc=docs.get(one.name, ""))
        for one in declared.operands
    )
    function = Function(
        name="op", key="toy.op", params=params, returns=tensor, returns_doc=returns_doc
    )
    return shape_pictures.shape_picture(declared, function)


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


def test_docs_name_the_dimensions_where_the_relation_is_custom() -> None:
    conv = operator("custom", "data", "bias?")
    picture = shape_picture(
        conv,
        "Tensor of the data type of `data` and shape `(n, o, *places)`.",
        data="Data of shape `(n, c,\n*spatial)`; floating-point.",
        bias="Summands, of shape `(o,)`.",
    )
    assert picture.splitlines() == [
        "data    n  c  *spatial",
        "bias?                   o",
        "result  n               o  *places",
    ]


def test_dimensions_stand_in_the_order_of_every_shape() -> None:
    pad = operator("custom", "x", "value?")
    picture = shape_picture(
        pad,
        "Of shape `(*a, p + d, *b)`.",
        x="Of shape `(*a, d, *b)`.",
        value="Scalar that is added.",
    )
    assert picture.splitlines() == [
        "x       *a  d         *b",
        "value?",
        "result  *a     p + d  *b",
    ]


def test_each_of_several_results_has_a_row() -> None:
    assert shape_picture(operator("(n, c) -> (n), (c)", "x")).splitlines() == [
        "x          n  c",
        "result[0]  n",
        "result[1]     c",
    ]


def test_examples_meet_at_the_last_dimensions() -> None:
    doc = "A tensor: `(4, 1)` becomes `(3, 4, 5)` by\n`shape=[3, 4, 5]`, `(2)` becomes `()` by `-`."
    assert shape_picture(
        operator("custom", "x"), doc, x="Tensor of shape `(n, c)`."
    ).splitlines() == [
        "x                           4  1",
        "result, shape=[3, 4, 5]  3  4  5",
        "x                              2",
        "result, -",
    ]


def test_shapes_that_contradict_each_other_keep_the_order_of_the_first() -> None:
    picture = shape_picture(operator("(m, n) -> (n, m)", "x"))
    assert picture.splitlines()[0] == "x       m  n"


def test_without_the_shape_of_the_result_there_is_no_picture() -> None:
    assert shape_picture(operator("custom", "x"), "A tensor.", x="Of shape `(n, c)`.") == ""


def test_relay_has_a_picture_for_each_rule_in_cpp() -> None:
    schema = decode((ROOT / "generated" / "schema.json").read_bytes())
    without = {
        one.name
        for space in schema.namespaces
        for one in space.operators
        if one.relation == "custom"
        and not shape_pictures.shape_picture(one, schema.function(f"{space.name}.{one.name}"))
    }
    # The shape of its result has no dimension of the operand.
    assert without == {"nonzero"}
