"""Names of the functors that dispatch roots get."""

from __future__ import annotations

from tschema.passes.functor_names import check_functor_names

from .schemas import node


def test_a_class_that_is_named_as_a_functor(stages) -> None:
    made = stages(node("A", "dispatch = True", "final = False") + node("AVisitor", base="ANode"))
    check_functor_names(made.resolved(), made.reporter)
    assert made.codes() == ["TS020"]


def test_a_root_alone(stages) -> None:
    made = stages(node("A", "dispatch = True", "final = False") + node("B", base="ANode"))
    check_functor_names(made.resolved(), made.reporter)
    assert made.codes() == []
