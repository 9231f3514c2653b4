"""Three-way merging of text: exact on bytes, and conflicts that can be read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tschema.conflicts.text_merge import merge_texts
from tschema.diagnostics.conflict_markers import Style, find_hunks, hunks_of, side_text

BASE = b"1\n2\n3\n4\n5\n"


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        (b"0\n" + BASE, BASE + b"6\n", b"0\n" + BASE + b"6\n"),
        (BASE[2:], BASE[:-2], b"2\n3\n4\n"),
        (BASE.replace(b"2", b"\xff"), BASE[:-1], b"1\n\xff\n3\n4\n5"),
        (BASE.replace(b"1\n", b"1\r\n"), BASE + b"\r\n", b"1\r\n2\n3\n4\n5\n\r\n"),
        (BASE, b"", b""),
    ],
)
def test_changes_of_both_sides(ours: bytes, theirs: bytes, merged: bytes) -> None:
    for one, other in ((ours, theirs), (theirs, ours)):
        result = merge_texts(BASE, one, other, Style())
        assert (result.text, result.n_conflicts) == (merged, 0)


@pytest.mark.parametrize("has_base", [False, True])
def test_a_conflict_is_marked(has_base: bool) -> None:
    style = Style(b"HEAD", b"old", b"a branch", 9, has_base)
    ours, theirs = BASE.replace(b"3", b"\xff"), BASE.replace(b"3", b"III\r")
    merged = merge_texts(BASE, ours, theirs, style)
    assert merged.n_conflicts == 1
    pieces = find_hunks(merged.text)
    shown = style if has_base else Style(b"HEAD", b"base", b"a branch", 9)
    assert hunks_of(pieces)[0].style == shown
    assert side_text(pieces, "ours").joined() == ours
    assert side_text(pieces, "theirs").joined() == theirs


def test_without_a_base_nothing_goes() -> None:
    assert merge_texts(None, b"1\n2\n", b"", Style()).text == b"1\n2\n"
    merged = merge_texts(None, b"1\n2\n", b"1\n3\n", Style())
    assert (merged.n_conflicts, b"1\n2\n" in merged.text) == (1, False)
    assert merged.text.startswith(b"1\n<<<<<<< ours\n2\n")


def test_lines_that_look_like_markers_make_longer_ones() -> None:
    ours, theirs = b"Title\n=======\n", b"TITLE\n======= x\n<<<<<<<< y\n"
    merged = merge_texts(b"", ours, theirs, Style())
    (hunk,) = hunks_of(find_hunks(merged.text))
    assert hunk.style.size == 9
    assert not hunk.is_ambiguous
    assert side_text(find_hunks(merged.text), "theirs").joined() == theirs


@pytest.mark.parametrize("has_git", [False, True])
def test_text_that_git_cannot_merge_is_one_conflict(
    has_git: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if not has_git:
        monkeypatch.setenv("PATH", str(tmp_path))
    zero = b"\0" if has_git else b""
    merged = merge_texts(BASE, b"0\n" + BASE + zero, BASE + b"6", Style(has_base=True))
    assert merged.n_conflicts == 1
    pieces = find_hunks(merged.text)
    assert side_text(pieces, "base").joined() == BASE
    assert side_text(pieces, "theirs").joined() == BASE + b"6\n"
    assert merge_texts(BASE, BASE + zero, BASE, Style()).text == BASE + zero
