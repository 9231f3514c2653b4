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


def test_a_file_of_the_package_that_would_be_emitted_twice(stages) -> None:
    below = node("A").replace("toy.A", "toy.ir.A")
    made = stages(registry=node("A"), ir__registry=below)
    check_names(made.resolved(), made.reporter)
    assert [(one.code, str(one.message)) for one in made.reporter.diagnostics] == [
        ("TS021", "file `registry` has a name which emitted C++ code uses itself")
    ]
