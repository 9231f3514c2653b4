"""What is replaced between two texts: applied to the first, it gives the second."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from uir.transform.instrument.line_diff import Hunk, line_diff
from uir.transform.instrument.versions import Versions


def patched(old: list[int], hunks: list[Hunk]) -> list[int]:
    new: list[int] = []
    place = 0
    for start, removed, added in hunks:
        assert start >= place, "the replacements are in order"
        new += old[place:start] + added
        place = start + removed
    return new + old[place:]


lines = st.lists(st.integers(0, 6), max_size=30)


@given(lines, lines)
def test_the_replacements_give_the_other_text(old: list[int], new: list[int]) -> None:
    assert patched(old, line_diff(old, new)) == new


def test_equal_texts_differ_nowhere() -> None:
    assert line_diff([1, 2, 3], [1, 2, 3]) == []


def test_a_changed_line_is_one_replacement() -> None:
    assert line_diff([1, 2, 3, 4], [1, 9, 3, 4]) == [Hunk(1, 1, [9])]


def test_lines_that_occur_once_hold_the_rest_together() -> None:
    blank = 0
    old = [blank, 1, blank, 2, blank, 3, blank]
    new = [blank, 1, blank, 5, blank, 2, blank, 3, blank]
    assert line_diff(old, new) in ([Hunk(2, 0, [blank, 5])], [Hunk(3, 0, [5, blank])])


def test_a_program_that_repeats_itself() -> None:
    old, new = [1, 2, 3, 4] * 500, [1, 2, 9, 4] * 500
    assert line_diff(old, new) == [Hunk(2 + 4 * n, 1, [9]) for n in range(500)]


def test_long_texts_without_anchors_are_replaced_whole() -> None:
    old, new = [1, 2] * 400, [2, 3] * 400
    assert patched(old, line_diff(old, new)) == new


def test_versions_keep_each_line_once() -> None:
    versions = Versions()
    assert [versions.add(text) for text in ("a\nb\na\n", "a\nb\na", "a\nc\n")] == [0, 0, 1]
    assert versions.lines == ["a", "b", "c"]
    assert versions.encoded() == [[Hunk(0, 0, [0, 1, 0])], [Hunk(1, 2, [2])]]


def test_many_lines_take_little_more_than_their_changes() -> None:
    source = Random(1)
    old = list(range(200_000))
    new = list(old)
    for place in source.sample(range(200_000), 50):
        new[place] = -1
    assert patched(old, line_diff(old, new)) == new
