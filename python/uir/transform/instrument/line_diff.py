"""Differences between two lists of lines: what to remove from one and add to get the other.

Lines that occur once on both sides hold a comparison together (Bram Cohen's patience diff), so that
a block that moved shows as such; between them `difflib` looks closer where that is cheap.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

__all__ = ["Hunk", "line_diff"]

# `difflib` takes time quadratic in the lines, at worst.
CLOSE_LOOK = 60_000


class Hunk(NamedTuple):
    """Lines that are replaced: `removed` lines from the 0-based line `start` by `added`."""

    start: int
    removed: int
    added: list[int]


class Window(NamedTuple):
    """A part of both sides that is still to be compared."""

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
    """Take equal lines off both ends."""
    old_start, old_end, new_start, new_end = window
    while old_start < old_end and new_start < new_end and old[old_start] == new[new_start]:
        old_start, new_start = old_start + 1, new_start + 1
    while old_start < old_end and new_start < new_end and old[old_end - 1] == new[new_end - 1]:
        old_end, new_end = old_end - 1, new_end - 1
    return Window(old_start, old_end, new_start, new_end)


def split_at_anchors(old: Sequence[int], new: Sequence[int], window: Window) -> Iterator[Window]:
    """Yield the windows between the lines that hold a window together; none without such lines."""
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
    """Return places of equal lines, in the order of the old side.

    These are the lines that occur once on each side. Where there are none, as in programs that
    repeat themselves, the first one belongs to the first one, the second one to the second one and
    so on, of those that occur equally often.
    """
    olds = places(old, window.old_start, window.old_end)
    news = places(new, window.new_start, window.new_end)
    common = [line for line, found in olds.items() if len(found) == len(news.get(line, ()))]
    once = [(olds[line][0], news[line][0]) for line in common if len(olds[line]) == 1]
    if once:
        return once
    return sorted(pair for line in common for pair in zip(olds[line], news[line], strict=True))


def places(lines: Sequence[int], start: int, end: int) -> dict[int, list[int]]:
    """Return where each line of a part occurs."""
    found: dict[int, list[int]] = {}
    for place in range(start, end):
        found.setdefault(lines[place], []).append(place)
    return found


def ordered(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of the pairs that rises on both sides."""
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
