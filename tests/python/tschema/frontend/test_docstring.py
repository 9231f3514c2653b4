"""Numpy docstrings: sections, entries and what stays text."""

from __future__ import annotations

import pytest

from tschema.diagnostics.source import Place, SourceFile
from tschema.frontend import docstring
from tschema.ir.declarations import DocItem, Docstring

SOURCE = SourceFile("shape.py", "")


def parse_docstring(raw: str) -> Docstring:
    """Parse a docstring whose first line is line 0."""
    return docstring.parse_docstring(raw, lambda line, _name: Place(SOURCE, (line, 0, line, 0)))


def items(found: tuple[DocItem, ...]) -> list[tuple[str, str, int]]:
    """Return the name, the text and the line of each item."""
    return [(item.name, item.text, item.place.at[0]) for item in found]


def test_summary_alone() -> None:
    assert parse_docstring("  A node.  ").text == "A node."


def test_indentation_goes_and_paragraphs_stay() -> None:
    assert parse_docstring("\n    A node.\n\n    More:\n\n      indented\n    ").text == (
        "A node.\n\nMore:\n\n  indented"
    )


def test_attributes_have_names_texts_and_lines() -> None:
    raw = """
    A node.

    Attributes
    ----------
    a
        The first;
        on two lines.

        Its second paragraph.
    b, c : int
        Both.
    d
    """
    assert items(parse_docstring(raw).attributes) == [
        ("a", "The first;\non two lines.\n\nIts second paragraph.", 5),
        ("b", "Both.", 10),
        ("c", "Both.", 10),
        ("d", "", 12),
    ]


def test_see_also() -> None:
    raw = "A node.\n\nSee Also\n--------\nFoo, Bar\nBaz : like a node\n    in more words"
    parsed = parse_docstring(raw)
    assert (parsed.text, parsed.see_also) == ("A node.", ("Foo", "Bar", "Baz"))


def test_returns_without_and_with_a_name() -> None:
    assert parse_docstring("F.\n\nReturns\n-------\nint\n    The size.").returns == "The size."
    assert parse_docstring("F.\n\nReturns\n-------\nThe size.").returns == "The size."


def test_raises() -> None:
    raw = "F.\n\nRaises\n------\nValueError\n    If `x` is 0.\nTypeError\n    If it is text."
    parsed = parse_docstring(raw)
    assert parsed.text == "F."
    assert [(item.name, item.text) for item in parsed.raises] == [
        ("ValueError", "If `x` is 0."),
        ("TypeError", "If it is text."),
    ]


def test_other_sections_stay_where_they_are() -> None:
    raw = (
        "F.\n\nNotes\n-----\nSlow.\n\nParameters\n----------\nx\n    An x.\n\n"
        "Examples\n--------\n>>> f(1)"
    )
    parsed = parse_docstring(raw)
    assert parsed.text == "F.\n\nNotes\n-----\nSlow.\n\nExamples\n--------\n>>> f(1)"
    assert items(parsed.params) == [("x", "An x.", 8)]


@pytest.mark.parametrize("title", ["Attributes", "Parameters", "Raises", "Returns", "See Also"])
def test_a_section_without_entries(title: str) -> None:
    parsed = parse_docstring(f"F.\n\n{title}\n{'-' * len(title)}\n")
    assert parsed.text == "F."
    assert (parsed.attributes, parsed.params, parsed.raises) == ((), (), ())
    assert (parsed.returns, parsed.see_also) == ("", ())


def test_rules_that_underline_nothing() -> None:
    raw = "\n    A table:\n\n        x\n        ---\n        1\n    "
    assert parse_docstring(raw).text == "A table:\n\n    x\n    ---\n    1"
