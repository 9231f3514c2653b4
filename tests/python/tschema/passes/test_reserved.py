"""The tables of reserved names, and the spellings that names get."""

from __future__ import annotations

import keyword

from tschema.passes.reserved import (
    KEYWORDS,
    languages_of,
)


def test_python_has_its_own_keywords() -> None:
    assert set(keyword.kwlist) <= KEYWORDS["Python"]


def test_languages_that_reserve_a_name() -> None:
    assert languages_of("while", KEYWORDS) == ["C++", "Python", "Rust"]
    assert languages_of("template", KEYWORDS) == ["C++"]
    assert languages_of("value", KEYWORDS) == []
