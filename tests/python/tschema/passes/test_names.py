"""Names that a target language cannot have."""

from __future__ import annotations

from pathlib import Path

import pytest

from tschema.diagnostics.errors import SchemaError
from tschema.ir.model import Namespace, Schema
from tschema.passes.names import check_imported_guards, check_names

from ...support.schemas import build as build_package
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


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("template", "template_"), "are both `template_` in C++"),
        (("crate", "crate_"), "are both `crate_` in Rust"),
        (("type", "type_"), ""),
    ],
)
def test_fields_that_become_one_by_escaping(stages, names: tuple[str, str], message: str) -> None:
    made = stages(node("A", *(f"{name}: int" for name in names)))
    check_names(made.resolved(), made.reporter)
    first, second = names
    said = f"field `{second}` of `ANode` and field `{first}` {message}"
    assert [str(one.message) for one in made.reporter.diagnostics] == ([said] if message else [])


@pytest.mark.parametrize(("first", "second"), [("None_", "none"), ("mro", "mro_")])
def test_members_that_become_one_by_escaping(stages, first: str, second: str) -> None:
    text = f'@declare\nclass Kind(ty.IntEnum):\n    """K."""\n    {first} = 0\n    {second} = 1\n'
    made = stages(text)
    check_names(made.resolved(), made.reporter)
    [found] = [str(one.message) for one in made.reporter.diagnostics]
    assert found.startswith(f"member `{second}` of enum `Kind` and member `{first}` are both `k")


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


def test_imported_packages_whose_headers_have_one_include_guard(tmp_path: Path) -> None:
    """Neither imports the other, and each is right by itself: the one that uses both is told."""
    place = {"toy_a": ("b.py", "toy_a.Leaf"), "toy": ("a_b.py", "toy.Leaf")}
    imports = {}
    for package, (file, key) in place.items():
        text = node("Leaf").replace("toy.Leaf", key)
        imports[package] = build_package(tmp_path / package, {file: text}, package)
    uses = "from toy.schema.a_b import LeafNode\n{}" + node("Own").replace("toy.Own", "user.Own")
    uses_both = uses.format("from toy_a.schema.b import LeafNode as OtherNode\n")
    uses_both += "    one: LeafNode\n    other: OtherNode\n"
    uses_one = uses.format("") + "    one: LeafNode\n"
    assert build_package(tmp_path / "one", {"own.py": uses_one}, "user", imports)
    with pytest.raises(SchemaError) as caught:
        build_package(tmp_path / "both", {"own.py": uses_both}, "user", imports)
    found = caught.value.diagnostics[0]
    assert (found.code, found.message) == (
        "TS008",
        "`schema/a_b.py` of the imported package `toy` and `schema/b.py` of the imported package "
        "`toy_a` have the same include guard in C++",
    )
    assert found.span is not None
    assert found.span.file.path == "schema/own.py"


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
