"""Conflict markers: what is one, in any style and size, and what only looks like one."""

from __future__ import annotations

import pytest

from tschema.diagnostics.conflict_markers import (
    Hunk,
    Side,
    find_hunks,
    hunks_of,
    may_have_hunks,
    report_conflicts,
    side_text,
)
from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import SourceFile

MERGE = b"a\n<<<<<<< HEAD\nb\n=======\nc\nd\n>>>>>>> topic\ne\n"
DIFF3 = b"a\n<<<<<<< HEAD\nb\n||||||| 1a2b3c\nz\n=======\n>>>>>>> topic\ne"


def side(data: bytes, name: Side) -> bytes:
    """Return one side of a file."""
    return side_text(find_hunks(data), name).joined()


def test_both_styles() -> None:
    assert [side(MERGE, name) for name in ("ours", "base", "theirs")] == [
        b"a\nb\ne\n",
        b"a\ne\n",
        b"a\nc\nd\ne\n",
    ]
    assert [side(DIFF3, name) for name in ("ours", "base", "theirs")] == [
        b"a\nb\ne",
        b"a\nz\ne",
        b"a\ne",
    ]
    (hunk,) = hunks_of(find_hunks(DIFF3))
    assert (hunk.style.ours, hunk.style.base, hunk.style.theirs) == (b"HEAD", b"1a2b3c", b"topic")
    assert hunk.style.has_base
    assert not hunks_of(find_hunks(MERGE))[0].style.has_base


@pytest.mark.parametrize("size", [3, 5, 7, 8, 30])
def test_any_size(size: int) -> None:
    data = b"%b o\nb\n%b\nc\n%b t\n" % (b"<" * size, b"=" * size, b">" * size)
    (hunk,) = hunks_of(find_hunks(data))
    assert (hunk.style.size, hunk.ours, hunk.theirs) == (size, (b"b\n",), (b"c\n",))


def test_line_ends_and_lone_carriage_returns() -> None:
    (hunk,) = hunks_of(find_hunks(MERGE.replace(b"\n", b"\r\n")))
    assert hunk.theirs == (b"c\r\n", b"d\r\n")
    assert side(MERGE.replace(b"b\n", b"b\rb\n"), "ours") == b"a\nb\rb\ne\n"


def test_nested_markers_of_the_base_are_text() -> None:
    base = b"<<<<<<<<< x\n1\n=========\n2\n>>>>>>>>> y\n"
    data = b"<<<<<<< o\n||||||| merged common ancestors\n" + base + b"=======\n>>>>>>> t\n"
    assert side(data, "base") == base


@pytest.mark.parametrize(
    "data",
    [
        b"<<<<<<< HEAD\nno end\n",
        b"Title\n=======\n",
        b"<<<<<<< HEAD\n>>>>>>> topic\n",
        b" <<<<<<< HEAD\n=======\n>>>>>>> topic\n",
        b"<<<<<<<HEAD\n=======\n>>>>>>> topic\n",
        b"<<<<<<< a\n======\n>>>>>>> b\n",
        b"std::cout << x\n<<< y\n",
    ],
)
def test_what_only_looks_like_markers(data: bytes) -> None:
    assert hunks_of(find_hunks(data)) == []
    assert side(data, "ours") == data


def test_a_conflict_whose_sides_cannot_be_told_apart() -> None:
    data = b"<<<<<<< o\nTitle\n=======\n=======\nText\n>>>>>>> t\n"
    assert [hunk.is_ambiguous for hunk in hunks_of(find_hunks(data))] == [True]


def test_opaque_conflicts_stay() -> None:
    pieces = find_hunks(MERGE + MERGE)
    text = side_text(pieces, "theirs", {0})
    assert text.joined() == MERGE + b"a\nc\nd\ne\n"
    assert [(place.start, place.stop) for place in text.places] == [(1, 7), (9, 11)]
    assert isinstance(pieces[1], Hunk)
    assert b"".join(pieces[1].raw) == MERGE[2:-2]


def test_a_quick_look() -> None:
    assert may_have_hunks(MERGE)
    assert may_have_hunks(b"x\n<<< y\n")
    assert not may_have_hunks(b"x <<< y\n#<<<<<<<\n")


def test_each_conflict_is_reported() -> None:
    reporter = Reporter()
    assert report_conflicts(SourceFile("x.py", (MERGE + DIFF3).decode()), reporter)
    assert [str(one.span) for one in reporter.diagnostics] == ["x.py:2:1", "x.py:10:1"]
    assert not report_conflicts(SourceFile("x.py", "a << b\n"), reporter)
