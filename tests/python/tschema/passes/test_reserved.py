"""The tables of reserved names, and the spellings that names get."""

from __future__ import annotations

import keyword

from tschema.ir.keywords import KEYWORDS, escaped
from tschema.passes.reserved import languages_of


def test_python_has_its_own_keywords() -> None:
    assert set(keyword.kwlist) <= KEYWORDS["Python"]


def test_languages_that_reserve_a_name() -> None:
    assert languages_of("while", KEYWORDS) == ["C++", "Python", "Rust"]
    assert languages_of("template", KEYWORDS) == ["C++"]
    assert languages_of("value", KEYWORDS) == []


def test_each_language_escapes_what_it_reserves() -> None:
    assert [escaped("where", language) for language in KEYWORDS] == ["where", "where", "r#where"]
    assert [escaped("crate", language) for language in KEYWORDS] == ["crate", "crate", "crate_"]
    assert escaped("template", "C++") == "template_"
