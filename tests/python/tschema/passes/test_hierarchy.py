"""What a class gets from those above and below it."""

from __future__ import annotations

from tschema.passes.hierarchy import child_slots, inherit_options, init_order

from .schemas import node


def test_leaves_are_final_and_kinds_are_inherited(stages) -> None:
    resolved = stages(
        node("A", 'structural = "dag"')
        + node("B", base="ANode")
        + node("C", "final = False", "structural = None", base="ANode")
        + node("D", "abstract = True")
    ).resolved()
    inherit_options(resolved)
    found = {one.name: (one.options.final, one.options.structural) for one in resolved.nodes()}
    assert found == {
        "ANode": (False, "dag"),
        "BNode": (True, "dag"),
        "CNode": (False, None),
        "DNode": (False, "tree"),
    }


def test_a_parent_has_a_slot_for_each_type_below_it(stages) -> None:
    resolved = stages(
        node("A", "reserve = 2") + node("B", base="ANode") + node("C", base="BNode")
    ).resolved()
    assert child_slots(resolved) == {"toy.A": 4, "toy.B": 1, "toy.C": 0}


def test_arguments_stand_in_order(stages) -> None:
    made = stages(
        node("A", "x: int", "y: int = 1", "z: int = field(kw_only=True)")
        + node("B", "w: int", "y: int", base="ANode")
        + node("C", "w: int = field(init=False)", "x: int", base="BNode")
    )
    assert init_order(made.node("BNode")) == ("x", "w", "y", "z")
    assert init_order(made.node("CNode")) == ("y", "x", "z")
