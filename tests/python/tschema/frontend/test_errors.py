"""How a diagnostic looks."""

from __future__ import annotations

import pytest

from tschema.diagnostics.errors import Diagnostic, Note, Reporter, SchemaError, render
from tschema.diagnostics.helps import suggest
from tschema.diagnostics.source import SourceFile, Span

SOURCE = SourceFile("schema/a.py", "first\n\twide 日本 x\nlast line")


def at(line: int, column: int, end_line: int, end_column: int) -> Span:
    return Span(SOURCE, line, column, end_line, end_column)


def test_message_source_line_note_and_help() -> None:
    diagnostic = Diagnostic(
        "TS012",
        "error",
        "unknown type `x`",
        at(3, 6, 3, 10),
        (Note("it is here", at(1, 1, 1, 6)), Note("nowhere")),
        "did you mean `y`?",
    )
    assert render(diagnostic).splitlines() == [
        "schema/a.py:3:6: error[TS012]: unknown type `x`",
        "    3 | last line",
        "      |      ^^^^",
        "  note: schema/a.py:1:1: it is here",
        "  note: nowhere",
        "  help: did you mean `y`?",
    ]


def test_carets_stand_below_tabs_and_wide_characters() -> None:
    lines = render(Diagnostic("TS036", "warning", "m", at(2, 10, 2, 11))).splitlines()
    assert lines[1:] == ["    2 | \twide 日本 x", "      | \t          ^"]
    lines = render(Diagnostic("TS036", "warning", "m", at(2, 7, 2, 9))).splitlines()
    assert lines[2] == "      | \t     ^^^^"


def test_a_span_over_lines_marks_the_first() -> None:
    lines = render(Diagnostic("TS001", "error", "m", at(1, 3, 3, 2))).splitlines()
    assert lines[1:] == ["    1 | first", "      |   ^^^"]


def test_a_span_after_the_end_marks_one_column() -> None:
    assert render(Diagnostic("TS001", "error", "m", at(1, 6, 1, 7))).endswith("|      ^")


def test_without_a_place() -> None:
    assert render(Diagnostic("TS002", "error", "no file")) == "error[TS002]: no file"


def test_errors_come_in_the_order_of_their_places_and_once() -> None:
    reporter = Reporter()
    for line in (3, 1, 3):
        reporter.error("TS001", "m", at(line, 1, line, 2))
    reporter.warning("TS036", "w", at(2, 1, 2, 2))
    with pytest.raises(SchemaError) as raised:
        reporter.stop_on_error()
    assert [one.span.line for one in raised.value.diagnostics if one.span] == [1, 3]


def test_suggestions() -> None:
    assert suggest("fielld", ("field", "function")) == "did you mean `field`?"
    assert suggest("xyz", ("field", "function")) is None
    assert suggest("field", ("field",)) is None
    # A prefix that all names have makes none of them near.
    assert suggest("ty.Set", ("ty.Shape", "ty.Array")) is None
    assert suggest("ty.int46_t", ("ty.int64_t", "ty.float64")) == "did you mean `ty.int64_t`?"
