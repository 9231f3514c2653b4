"""Side-by-side comparison of two scripts, with the changes marked."""

from __future__ import annotations

import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from .printer import print as print_script

if TYPE_CHECKING:
    from difflib import SequenceMatcher

__all__ = ["diff"]

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_COLOURS = {"-": ("\033[31m", "\033[1;37;41m"), "+": ("\033[32m", "\033[1;30;42m")}
_RESET = "\033[0m"
_LEAST_SIMILARITY = 0.5
# Larger blocks are paired in order: the alignment takes quadratic time.
_MOST_PAIRS = 4000

Span = tuple[int, int]


def diff(
    a: object,
    b: object,
    *,
    width: int | None = None,
    color: bool | None = None,
    context: int | None = 3,
) -> str:
    """Return the scripts of two values side by side.

    `<` marks a removed line on the left, `>` an added line on the right, and `|` a changed line;
    without colours, `^` underlines the changed words. Lines that share words are side by side.

    Parameters
    ----------
    a
        A node, or a text.
    b
        A node, or a text.
    width
        The number of columns; by default, that of the terminal.
    color
        Whether to use colours; by default, if the output is a terminal.
    context
        The number of equal lines to keep around changes; None keeps all.

    Returns
    -------
    str
        The lines; `no difference` if the scripts are equal.
    """
    left, right = (_text(value).splitlines() for value in (a, b))
    if left == right:
        return "no difference"
    columns = max((width or shutil.get_terminal_size().columns) - 3, 20) // 2
    paint = sys.stdout.isatty() if color is None else color
    rows = _keep([*_rows(left, right)], context)
    lines = (line for row in rows for line in _layout(row, columns, paint))
    return "\n".join(line.rstrip() for line in lines)


def _text(value: object) -> str:
    return value if isinstance(value, str) else print_script(value)


def _matcher(left: list[str], right: list[str]) -> SequenceMatcher[str]:
    # Imported on use, to keep `import uir` fast.
    from difflib import SequenceMatcher

    return SequenceMatcher(None, left, right, autojunk=False)


class _Row:
    """A line of each side, or None; both are None if lines are omitted."""

    def __init__(self, mark: str, left: str | None, right: str | None) -> None:
        self.mark = mark
        self.left = left
        self.right = right


def _rows(left: list[str], right: list[str]) -> Iterator[_Row]:
    matcher = _matcher(left, right)
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if tag == "equal":
            yield from (_Row(" ", line, line) for line in left[i:i_end])
        else:
            for one, other in _paired(left[i:i_end], right[j:j_end]):
                mark = ">" if one is None else "<" if other is None else "|"
                yield _Row(mark, one, other)


def _paired(gone: list[str], new: list[str]) -> Iterator[tuple[str | None, str | None]]:
    """Align removed and added lines: the most similar pairs that do not cross."""
    if len(gone) * len(new) > _MOST_PAIRS:
        yield from zip_longest(gone, new)
        return
    similarity = _similarities(gone, new)
    # Needleman-Wunsch: the best total similarity of gone[i:] and new[j:].
    best = [[0.0] * (len(new) + 1) for _ in range(len(gone) + 1)]
    for i in range(len(gone) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            paired = similarity[i][j] and similarity[i][j] + best[i + 1][j + 1]
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    i = j = 0
    while i < len(gone) or j < len(new):
        if i < len(gone) and best[i][j] == best[i + 1][j]:
            yield gone[i], None
            i += 1
        elif j < len(new) and best[i][j] == best[i][j + 1]:
            yield None, new[j]
            j += 1
        else:
            yield gone[i], new[j]
            i, j = i + 1, j + 1


def _similarities(gone: list[str], new: list[str]) -> list[list[float]]:
    """Return the fraction of words that each pair of lines shares; 0 below the threshold."""
    bags = [[_words(line) for line in lines] for lines in (gone, new)]
    return [[_similarity(one, other) for other in bags[1]] for one in bags[0]]


def _words(line: str) -> Counter[str]:
    return Counter(word for word in _WORD.findall(line) if not word.isspace())


def _similarity(one: Counter[str], other: Counter[str]) -> float:
    share = 2 * (one & other).total() / max(one.total() + other.total(), 1)
    return share if share > _LEAST_SIMILARITY else 0


def _keep(rows: list[_Row], context: int | None) -> Iterator[_Row]:
    """Omit rows far from changes."""
    if context is None:
        yield from rows
        return
    changed = [index for index, row in enumerate(rows) if row.mark != " "]
    kept = {near for at in changed for near in range(at - context, at + context + 1)}
    was_kept = True
    for index, row in enumerate(rows):
        if index in kept:
            yield row
        elif was_kept:
            yield _Row("", None, None)
        was_kept = index in kept


def _layout(row: _Row, columns: int, paint: bool) -> Iterator[str]:
    """Return the lines of a row: long lines are wrapped, and `^` follow below."""
    if not row.mark:
        yield "..."
        return
    spans = _changed_spans(row) if row.mark == "|" else ([], [])
    left = _wrapped(row.left or "", columns)
    right = _wrapped(row.right or "", columns)
    for index, (one, other) in enumerate(zip_longest(left, right, fillvalue="")):
        at = index * columns
        shown = _painted(one, "-", row, spans[0], at, paint) + " " * (columns - len(one))
        yield f"{shown} {row.mark} {_painted(other, '+', row, spans[1], at, paint)}"
        if not paint and row.mark == "|":
            marks = [_carets(part, spans[side], at) for side, part in enumerate((one, other))]
            if any(mark.strip() for mark in marks):
                yield f"{marks[0]:<{columns}}   {marks[1]}"


def _wrapped(line: str, columns: int) -> list[str]:
    return [line[at : at + columns] for at in range(0, len(line), columns)] or [""]


def _changed_spans(row: _Row) -> tuple[list[Span], list[Span]]:
    """Return where the words of two lines differ."""
    words = [_WORD.findall(row.left or ""), _WORD.findall(row.right or "")]
    places = [[0], [0]]
    for side in (0, 1):
        for word in words[side]:
            places[side].append(places[side][-1] + len(word))
    spans: tuple[list[Span], list[Span]] = ([], [])
    matcher = _matcher(words[0], words[1])
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        for side, begin, end in ((0, i, i_end), (1, j, j_end)):
            if end > begin:
                spans[side].append((places[side][begin], places[side][end]))
    return spans


def _carets(part: str, spans: list[Span], at: int) -> str:
    inside = (any(begin <= at + place < end for begin, end in spans) for place in range(len(part)))
    return "".join("^" if is_changed else " " for is_changed in inside)


def _painted(part: str, sign: str, row: _Row, spans: list[Span], at: int, paint: bool) -> str:
    is_changed = row.mark == "|" or (row.mark == "<") == (sign == "-")
    if not paint or row.mark == " " or not is_changed or not part:
        return part
    plain, strong = _COLOURS[sign]
    marks = _carets(part, spans, at)
    painted = (
        f"{strong}{character}{_RESET}" if mark == "^" else f"{plain}{character}{_RESET}"
        for character, mark in zip(part, marks, strict=True)
    )
    return "".join(painted)
