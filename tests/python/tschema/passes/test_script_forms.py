"""The option `script`: which forms fit a class, and what the others are told."""

from __future__ import annotations

import pytest

from tschema.diagnostics.errors import SchemaError

from .schemas import node

FIELDS = ("value: ty.int64_t", "low: ty.int64_t", "more: ty.int64_t = 0")

FAULTS = {
    "toy.clamp": "is not a form in script",
    "clamp({value}, {low})": "is not a form in script",
    "toy.clamp({value}, 3)": "is not a form in script",
    "for {value} of toy.clamp({low})": "is not a form in script",
    "toy.clamp({value})": "lacks `low`, which has no default",
    "toy.clamp({value}, {lov})": "has no field `lov` to write",
    "toy.clamp({value}, {low}, {value})": "has `{value}` twice",
    "toy.clamp(at={value}, {low})": "has `{low}` after an argument with a name",
    "toy.clamp(at={value}, at={low})": "has two arguments `at`",
    "toy.clamp(more={value}, low={low})": "gives the field `value` the name of another field",
    "toy.clamp({value}, {low}) as {more}": "has `as` without `with`",
    "for {value} in toy.clamp({low})": "has no suite",
    "for {value} in toy.clamp()": None,
    "with toy.clamp({value})": None,
    "with toy.clamp() as {value}": None,
    "{value} = toy.clamp({low}, most={more})": None,
    "toy.dialect.clamp({value}, {low})": None,
}


@pytest.mark.parametrize("form", FAULTS)
def test_a_form_fits_its_class(build, form: str) -> None:
    text = node("Clamp", f'script = "{form}"', *FIELDS)
    expected = FAULTS[form]
    if expected is None:
        assert next(iter(build(text).types())).options.script == form
        return
    with pytest.raises(SchemaError) as caught:
        build(text)
    first = caught.value.diagnostics[0]
    assert (first.code, first.message) == ("TS038", f"`script` of `ClampNode` {expected}")
    assert first.span is not None
    line = first.span.file.text.split("\n")[first.span.line - 1]
    assert line[first.span.column - 1 : first.span.end_column - 1] == f'"{form}"'


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("abstract = True", "is the form of an abstract class, which has no objects"),
        ("register = False", "needs a class that generated code registers"),
    ],
)
def test_only_classes_with_objects_have_forms(build, option: str, expected: str) -> None:
    with pytest.raises(SchemaError, match=expected):
        build(node("Clamp", 'script = "toy.clamp()"', option))


def test_two_classes_have_two_names(build) -> None:
    with pytest.raises(SchemaError) as caught:
        build(node("A", 'script = "toy.a()"') + node("B", 'script = "toy.a()"'))
    (fault,) = caught.value.diagnostics
    assert fault.message == "`ANode` and `BNode` have the form `toy.a` both"
    assert len(fault.notes) == 1


def test_forms_are_not_inherited(build) -> None:
    text = node("A", 'script = "toy.a()"', "final = False") + node("B", base="ANode")
    assert [one.options.script for one in build(text).types()] == ["toy.a()", None]
