"""Side-by-side comparison of two scripts, with the changes marked."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from .printer import print as print_script

if TYPE_CHECKING:
    from difflib import SequenceMatcher
    from typing import Any

__all__ = ["diff"]

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_COLOURS = {"-": ("\033[31m", "\033[1;37;41m"), "+": ("\033[32m", "\033[1;30;42m")}
_RESET = "\033[0m"

Span = tuple[int, int]


def diff(
    a: Any,
    b: Any,
    *,
    width: int | None = None,
    color: bool | None = None,
    context: int | None = 3,
) -> str:
    """Return the scripts of two values side by side.

    `<` marks a removed line on the left, `>` an added line on the right, and `|` a changed line;
    without colours, `^` underlines the changed words.

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
        The lines; empty if the scripts are equal.
    """
    left, right = (_text(value).splitlines() for value in (a, b))
    columns = max((width or shutil.get_terminal_size().columns) - 3, 20) // 2
    paint = sys.stdout.isatty() if color is None else color
    rows = _keep([*_rows(left, right)], context)
    lines = (line for row in rows for line in _layout(row, columns, paint))
    return "\n".join(line.rstrip() for line in lines)


def _text(value: Any) -> str:
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
            for one, other in zip_longest(left[i:i_end], right[j:j_end]):
                mark = ">" if one is None else "<" if other is None else "|"
                yield _Row(mark, one, other)


def _keep(rows: list[_Row], context: int | None) -> Iterator[_Row]:
    """Omit rows far from changes."""
    changed = [index for index, row in enumerate(rows) if row.mark != " "]
    if context is None:
        yield from rows if changed else ()
        return
    kept = {near for at in changed for near in range(at - context, at + context + 1)}
    was_kept = True
    for index, row in enumerate(rows):
        if index in kept:
            yield row
        elif was_kept and changed:
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
