"""Layout of docs in the target languages, and templates that take text as data."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from tschema.emit.render import Renderer, block_comment, docstring, line_comment
from tschema.regions.blocks import scan

marker_texts = st.lists(
    st.sampled_from(["# tschema: X", "tschema: end", "\\", '"""', "*/", "\n", " ", "x"]), max_size=8
).map("".join)
texts = (
    st.text(st.sampled_from("ab \n\t\r\\\"'#/*:{}%") | st.characters(), max_size=40) | marker_texts
)


def test_schema_text_is_never_template_source(tmp_path: Path) -> None:
    (tmp_path / "a.jinja").write_text("{{ doc }}\n")
    rendered = Renderer(tmp_path).render("a.jinja", doc="{{ 1 + 1 }}{% if %}<&>")
    assert rendered == "{{ 1 + 1 }}{% if %}<&>\n"


def test_an_unknown_name_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.jinja").write_text("{{ nobody }}")
    with pytest.raises(UndefinedError):
        Renderer(tmp_path).render("a.jinja")


def test_line_comments_keep_blank_lines_bare() -> None:
    assert line_comment("One.  \n\nTwo.\n", "///") == "/// One.\n///\n/// Two."


def test_block_comments_take_one_line_where_they_fit() -> None:
    assert block_comment("\\brief One.") == "/*! \\brief One. */"
    assert block_comment("One.\n\nTwo.") == "/*!\n * One.\n *\n * Two.\n */"
    assert len(block_comment("x" * 92).split("\n")) == 3


def test_a_very_long_line_of_a_doc_is_broken() -> None:
    # To break it, clang-format takes time by the square of its length.
    words = ["word" * (number % 7 + 1) for number in range(200_000)]
    lines = block_comment(" ".join(words)).split("\n")
    assert max(map(len, lines)) <= 95
    assert " ".join(line.removeprefix(" * ") for line in lines[1:-1]).split() == words
    assert block_comment("x" * 2000).split("\n")[1] == f" * {'x' * 2000}"


def test_a_block_comment_cannot_be_ended_or_opened_by_its_text() -> None:
    assert block_comment("a */ b /* c") == "/*! a * / b / * c */"


def test_docstrings() -> None:
    assert docstring("One.") == '"""One."""'
    assert docstring("One.\n\nTwo.") == '"""One.\n\nTwo.\n"""'
    assert docstring("\\alpha") == 'r"""\\alpha"""'
    assert docstring("# tschema: end") == '"""\\x23 tschema: end"""'
    assert line_comment("tschema: end") == "// tschema : end"


@given(st.text("ab \n\\\"'#:", max_size=30) | marker_texts)
def test_a_docstring_is_one_literal_whose_value_is_the_text(text: str) -> None:
    expected = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
    assert ast.literal_eval(docstring(text)).rstrip("\n") == expected
    assert not scan("a.py", docstring(text).encode()).blocks


@given(texts)
def test_a_docstring_of_odd_characters_is_a_literal(text: str) -> None:
    assert isinstance(ast.literal_eval(docstring(text)), str)


@given(texts, st.sampled_from(["//", "///", "//!", "#"]))
def test_a_line_comment_stays_a_comment(text: str, prefix: str) -> None:
    lines = line_comment(text, prefix).split("\n") if text.strip() else []
    assert all(not line or line.startswith(prefix) for line in lines)
    assert not any(line.endswith(("\\", " ")) for line in lines)
    for suffix in (".py", ".rs"):
        assert not scan(f"a{suffix}", "\n".join(lines).encode()).blocks


@given(texts)
def test_a_block_comment_ends_once(text: str) -> None:
    comment = block_comment(text)
    assert comment.count("*/") == (1 if comment else 0)
    assert comment.count("/*") == (1 if comment else 0)
    assert not scan("a.h", comment.encode()).blocks
