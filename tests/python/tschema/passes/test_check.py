"""Checks of a resolved package."""

from __future__ import annotations

import pytest

from tschema.passes.check import check

from .schemas import node


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (node("A", "x: int", "x: int"), "TS024"),
        (
            node("V", 'structural = "var"')
            + node("A", "body: VNode", 'v: VNode = field(structural="def")'),
            "TS027",
        ),
        (node("A", "x: ty.Object = field(init=False)"), "TS028"),
    ],
)
def test_a_fault_of_a_class(stages, text: str, code: str) -> None:
    made = stages(text)
    check(made.resolved(), made.reporter)
    assert [one for one in made.codes() if one != "TS036"] == [code]
