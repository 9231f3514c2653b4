"""Names that a target language cannot have."""

from __future__ import annotations

import pytest

from tschema.passes.names import check_names

from .schemas import node


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (node("A", "value: int"), []),
        (node("A", "template: int"), []),
        (node("A", "lambda_: int", "header_: int"), []),
        (node("A", "same_as: int"), ["TS021"]),
        (node("A", "_hidden: int"), ["TS021"]),
        (node("A", f"{'x' * 81}: int"), ["TS021"]),
    ],
)
def test_names_of_fields(stages, text: str, codes: list[str]) -> None:
    made = stages(text)
    check_names(made.resolved(), made.reporter)
    assert made.codes() == codes


def test_files_that_differ_by_case_only(stages) -> None:
    made = stages(one=node("A"), One=node("B"))
    check_names(made.resolved(), made.reporter)
    assert made.codes() == ["TS008"]
