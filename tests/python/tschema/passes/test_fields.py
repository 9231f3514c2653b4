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


def test_a_restated_field_keeps_the_doc_of_the_nearest_class(stages) -> None:
    text = node("A", "final = False", 'x: ty.int64_t = field(doc="First.")')
    text += node("B", "final = False", 'x: ty.int64_t = field(doc="Second.")', base="ANode")
    made = stages(text + node("C", "x: ty.int64_t = 3", base="BNode"))
    assert made.node("CNode").restated[0].model.doc == "Second."


@pytest.mark.parametrize(
    "line",
    [
        "x: ty.String", "x: ty.int64_t = field(structural='ignore')",
        "x: ty.int64_t = field(cpp_init='1')", "x: ty.int64_t = field(repr=False)",
        "x: ty.int64_t = field(renamed_from='y')", "x: ty.int64_t = field(access='private')",
        "x: ty.foreign('int')",
    ],
)  # fmt: skip
def test_a_restated_field_keeps_its_type_and_flags(stages, line: str) -> None:
    text = node("A", "final = False", "x: ty.int64_t") + node("B", line, base="ANode")
    assert stages(text).resolved_codes() == ["TS023"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("x: ty.int64_t = field(defualt=1)", "TS026"),
        ("x: ty.int64_t = field(default=1, default_factory=list)", "TS026"),
        ('from_: ty.int64_t = field(key="other")', "TS026"),
        ('other: ty.int64_t = field(key="from")', "TS026"),
        ('x: ty.foreign("std::vector<int>") = field(default_factory=list)', "TS037"),
        ('x: ty.foreign("int") = field(cpp_type="int")', "TS037"),
        ('x: ty.foreign("int") = field(register=True)', "TS037"),
        ("x: ty.int64_t = field(register=False, kw_only=True)", "TS037"),
    ],
)
def test_options_that_a_field_cannot_have(stages, line: str, code: str) -> None:
    assert stages(node("A", 'register = "hand"', line)).resolved_codes() == [code]


def test_a_name_that_python_reserves_is_registered_as_it_is(stages) -> None:
    line = 'from_: ty.int64_t = field(key="from")'
    (info,) = stages(node("A", 'register = "hand"', line)).node("ANode").fields
    assert info.model.name == "from"
    assert stages(node("A", line)).resolved_codes() == ["TS026"]
