"""Differences between two lists of lines.

Lines that occur once on both sides anchor the comparison, as in Bram Cohen's patience diff, so that
a moved block shows as such; `difflib` compares the small windows between them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

__all__ = ["Hunk", "line_diff"]

# `difflib` takes quadratic time in the worst case.
CLOSE_LOOK = 60_000


class Hunk(NamedTuple):
    """Lines that are replaced: `removed` lines from the 0-based line `start` by `added`."""

    start: int
    removed: int
    added: list[int]


class Window(NamedTuple):
    """A window of both sides that remains to be compared."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def line_diff(old: Sequence[int], new: Sequence[int]) -> list[Hunk]:
    """Compare two texts.

    Parameters
    ----------
    old, new
        The lines, as numbers that are equal where the lines are.

    Returns
    -------
    list[Hunk]
        The replacements, in the order of the lines, never adjacent.
    """
    hunks: list[Hunk] = []
    windows = [Window(0, len(old), 0, len(new))]
    while windows:
        window = trimmed(old, new, windows.pop())
        if window.old_start == window.old_end and window.new_start == window.new_end:
            continue
        parts = list(split_at_anchors(old, new, window))
        if parts:
            windows.extend(reversed(parts))
        else:
            hunks.extend(close_look(old, new, window))
    return hunks


def trimmed(old: Sequence[int], new: Sequence[int], window: Window) -> Window:
    """Strip equal lines from both ends."""
    old_start, old_end, new_start, new_end = window
    while old_start < old_end and new_start < new_end and old[old_start] == new[new_start]:
        old_start, new_start = old_start + 1, new_start + 1
    while old_start < old_end and new_start < new_end and old[old_end - 1] == new[new_end - 1]:
        old_end, new_end = old_end - 1, new_end - 1
    return Window(old_start, old_end, new_start, new_end)


def split_at_anchors(old: Sequence[int], new: Sequence[int], window: Window) -> Iterator[Window]:
    """Yield the windows between the anchors of a window; none without anchors."""
    anchors = ordered(pairs_of_equals(old, new, window))
    old_start, new_start = window.old_start, window.new_start
    for old_line, new_line in anchors:
        yield Window(old_start, old_line, new_start, new_line)
        old_start, new_start = old_line + 1, new_line + 1
    if anchors:
        yield Window(old_start, window.old_end, new_start, window.new_end)


def pairs_of_equals(
    old: Sequence[int], new: Sequence[int], window: Window
) -> list[tuple[int, int]]:
    """Return the anchors as pairs of line numbers, in the order of the old side.

    Anchors are lines that occur once on each side. If there are none, as in repetitive programs,
    the i-th occurrences of lines that occur equally often are paired.
    """
    olds = places(old, window.old_start, window.old_end)
    news = places(new, window.new_start, window.new_end)
    common = [line for line, found in olds.items() if len(found) == len(news.get(line, ()))]
    once = [(olds[line][0], news[line][0]) for line in common if len(olds[line]) == 1]
    if once:
        return once
    return sorted(pair for line in common for pair in zip(olds[line], news[line], strict=True))


def places(lines: Sequence[int], start: int, end: int) -> dict[int, list[int]]:
    """Return the positions of each line of a window."""
    found: dict[int, list[int]] = {}
    for place in range(start, end):
        found.setdefault(lines[place], []).append(place)
    return found


def ordered(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest increasing subsequence of the pairs."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, new_line) in enumerate(pairs):
        length = bisect_left(ends, new_line)
        ends[length : length + 1] = [new_line]
        last[length : length + 1] = [index]
        before.append(last[length - 1] if length else -1)
    chosen = []
    index = last[-1] if last else -1
    while index >= 0:
        chosen.append(pairs[index])
        index = before[index]
    return chosen[::-1]


def close_look(old: Sequence[int], new: Sequence[int], window: Window) -> Iterator[Hunk]:
    """Yield the replacements in a window without anchors."""
    old_start, old_end, new_start, new_end = window
    if (old_end - old_start) * (new_end - new_start) > CLOSE_LOOK:
        yield Hunk(old_start, old_end - old_start, list(new[new_start:new_end]))
        return
    olds, news = old[old_start:old_end], new[new_start:new_end]
    matcher = SequenceMatcher(None, olds, news, autojunk=False)
    for tag, start, end, added_start, added_end in matcher.get_opcodes():
        if tag != "equal":
            yield Hunk(old_start + start, end - start, list(news[added_start:added_end]))
