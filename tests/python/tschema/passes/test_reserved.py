"""The tables of reserved names, and the spellings that names get."""

from __future__ import annotations

import keyword

import tvm_ffi

from tschema.ir.keywords import (
    ENUM_MEMBERS,
    KEYWORDS,
    MEMBERS,
    SCOPE_NAMES,
    attribute_name,
    escaped,
)
from tschema.runtime import reserved_names


def test_python_has_its_own_keywords() -> None:
    assert set(keyword.kwlist) <= KEYWORDS["Python"]


def test_declared_classes_have_the_names_of_generated_ones() -> None:
    for name in {*SCOPE_NAMES["Python"], *ENUM_MEMBERS["Python"], *KEYWORDS["Python"], "For"}:
        assert reserved_names.class_name(name) == escaped(name, "Python", SCOPE_NAMES)
        assert reserved_names.member_name(name) == escaped(name, "Python", ENUM_MEMBERS)


def test_members_of_existing_classes_have_attributes_that_python_takes() -> None:
    spelled = {"from": "from_", "self": "self_", "__dict__": "dict_", "__x": "x_", "_y": "_y"}
    assert {name: attribute_name(name) for name in spelled} == spelled
    for name in {*spelled, *KEYWORDS["Python"], *MEMBERS["Python"], "a__b", "class_"}:
        assert reserved_names.attribute_name(name) == attribute_name(name)


def test_no_field_hides_a_member_of_every_object() -> None:
    public = {name for name in dir(tvm_ffi.Object) if not name.startswith("_")}
    assert {"same_as"} <= public <= MEMBERS["Python"]


def test_each_language_escapes_what_it_reserves() -> None:
    assert [escaped("where", language) for language in KEYWORDS] == ["where", "where", "r#where"]
    assert [escaped("crate", language) for language in KEYWORDS] == ["crate", "crate", "crate_"]
    assert escaped("template", "C++") == "template_"
    assert [escaped("new", one, MEMBERS) for one in KEYWORDS] == ["new_", "new", "new_"]
    assert [escaped("Self", one, SCOPE_NAMES) for one in KEYWORDS] == ["Self", "Self", "Self_"]
