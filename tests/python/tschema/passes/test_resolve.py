"""Names to what they stand for."""

from __future__ import annotations

from .schemas import node


def test_a_program_has_the_classes_with_their_parents(stages) -> None:
    made = stages(node("A", "final = False") + node("B", "x: ANode", base="ANode"))
    b = made.node("BNode")
    assert b.parent is not None and b.parent.key == "toy.A"
    assert str(b.fields[0].model.type) == "toy.A"
    assert made.codes() == []


def test_one_mistake_is_one_error(stages) -> None:
    made = stages(node("A", "x: Missing") + node("B", base="ANode"))
    b = made.node("BNode")
    assert b.is_broken
    assert made.codes() == ["TS012"]
