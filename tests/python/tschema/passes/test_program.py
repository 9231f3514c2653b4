"""What lies between names that are resolved and the JSON IR."""

from __future__ import annotations

from .schemas import node


def test_a_class_knows_those_above_it(stages) -> None:
    made = stages(
        node("A", "final = False")
        + node("B", "final = False", base="ANode")
        + node("C", base="BNode")
    )
    c = made.node("CNode")
    assert [one.name for one in c.ancestors()] == ["BNode", "ANode"]
    assert [one.name for one in c.lineage()] == ["ANode", "BNode", "CNode"]
    assert (c.parent_key, c.lineage()[0].parent_key) == ("toy.B", "ffi.Object")


def test_an_option_is_placed_where_it_is_given(stages) -> None:
    c = stages(node("A", "final = True")).node("ANode")
    assert c.option_place("final").span().line > c.place.span().line
    assert c.option_place("mutable") is c.place
