"""The C++ that tschema emits, read back: each class of the compiler core as its schema has it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tschema.importer.headers import read_headers
from tschema.importer.records import Found, FoundClass
from tschema.ir.codec import load
from tschema.ir.model import Schema, Type

ROOT = Path(__file__).resolve().parents[5]


@cache
def schema() -> Schema:
    return load(ROOT / "generated/schema.json")


@cache
def found() -> Found:
    return read_headers([ROOT / "generated/cpp/include"])


def pairs() -> list[tuple[Type, FoundClass]]:
    by_key = {one.key: one for one in found().classes}
    return [(type_, by_key[type_.key]) for type_ in schema().types()]


def test_every_class_is_found() -> None:
    keys = {type_.key for type_ in schema().types()}
    assert keys == {one.key for one in found().classes}
    assert len(keys) > 150
    assert [one.key for one in found().classes if one.unsaid] == []


def test_classes_are_those_of_the_schema() -> None:
    for type_, one in pairs():
        assert one.reference is not None
        facts = (one.name, one.parent, one.reference.name, one.final, one.structural)
        options = type_.options
        assert facts == (
            *(type_.name, type_.parent, type_.ref),
            *(options.final, options.structural),
        ), type_.key
        # What is emitted after it are references to other classes.
        assert one.doc.partition("See also:")[0].split() == type_.doc.split()
        assert one.child_slots == type_.layout.child_slots


def test_fields_and_layouts_are_those_of_the_schema() -> None:
    for type_, one in pairs():
        ours = [(field.name, field.type, field.offset, field.size) for field in one.fields]
        theirs = [(field.name, field.type, field.offset, field.size) for field in type_.fields]
        assert ours == theirs, type_.key
        assert one.size == type_.layout.size
        docs = [field.doc.split() for field in one.fields]
        assert docs == [field.doc.split() for field in type_.fields]


def test_enums_are_those_of_the_schema() -> None:
    enums = {enum.key: enum for space in schema().namespaces for enum in space.enums}
    assert len(found().enums) >= 5
    for one in found().enums:
        values = [member.value for member in enums[one.key].members]
        assert [member.value for member in one.members] == values
        assert one.doc.split() == enums[one.key].doc.split()
