"""Names that a target language cannot have."""

from __future__ import annotations

import pytest

from tschema.ir.model import Namespace, Schema
from tschema.passes.names import check_imported_guards, check_names

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


def test_files_with_the_include_guard_of_an_imported_package(stages) -> None:
    """`toy/a_b.h` and `toy_a/b.h` have one, and a unit may include both."""
    theirs = Namespace(name="toy_a", file="b", doc="", source="schema/b.py")
    imported = Schema(version=1, package="toy_a", imports=(), namespaces=(theirs,))
    made = stages(a_b=node("A"), c=node("C"))
    check_imported_guards(made.resolved().files, {"toy_a": imported}, made.reporter)
    assert [str(one.message) for one in made.reporter.diagnostics] == [
        "`schema/a_b.py` and `schema/b.py` of the imported package `toy_a` have the same include "
        "guard in C++"
    ]


@pytest.mark.parametrize(
    ("files", "codes"),
    [
        ({"a__b": "A", "a_b": "B"}, ["TS008"]),
        ({"a__b_c": "A", "a_b__c": "B"}, ["TS008"]),
        ({"a__b": "A", "ab": "B"}, []),
    ],
)
def test_files_with_one_include_guard(stages, files: dict[str, str], codes: list[str]) -> None:
    texts = {}
    for path, name in files.items():
        space = ".".join(["toy", *path.split("__")[:-1], name])
        texts[path] = node(name).replace(f"toy.{name}", space)
    made = stages(**texts)
    check_names(made.resolved(), made.reporter)
    assert made.codes() == codes
    if codes:
        assert "include guard in C++" in str(made.reporter.diagnostics[0].message)
