"""Fields and restated fields."""

from __future__ import annotations

import pytest

from .schemas import node


def test_a_field_takes_its_options(stages) -> None:
    line = 'x: ty.int64_t = field(default=1, kw_only=True, repr=False, structural="ignore")'
    (info,) = stages(node("A", line)).node("ANode").fields
    model = info.model
    assert (model.default.value, model.kw_only, model.repr) == (1, True, False)
    assert model.structural == "ignore"


def test_a_restated_field_changes_what_it_may(stages) -> None:
    text = node("A", "final = False", "x: ty.int64_t")
    made = stages(text + node("B", "x: ty.int64_t = 3", base="ANode"))
    child = made.node("BNode")
    assert child.fields == []
    assert child.restated[0].model.default.value == 3


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("x: ty.String", "TS023"),
        ("x: ty.int64_t = field(structural='ignore')", "TS023"),
    ],
)
def test_a_restated_field_keeps_its_type_and_flags(stages, line: str, code: str) -> None:
    text = node("A", "final = False", "x: ty.int64_t") + node("B", line, base="ANode")
    assert stages(text).resolved_codes() == [code]


def test_an_unknown_option_is_reported(stages) -> None:
    assert stages(node("A", "x: ty.int64_t = field(defualt=1)")).resolved_codes() == ["TS026"]
