"""A fast layout of rows of C++ tables, with the result of clang-format.

In: lines, each a statement or a row `{cell, cell, ...},` of a table.  Out: the same lines with long
rows wrapped, or None if clang-format is required, which spends most of its time on tables.  A test
compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_COLUMNS = 100
"""Columns that a line may take; clang-format's style says the same."""
_OPEN, _CLOSE = "([{<", ")]}>"
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|->|[(\[{<>}\])]|,')
"""What tells where a cell ends: strings, which hide what they hold, brackets and commas."""
_INDENT = " " * 4


def lay_out_rows(text: str) -> str | None:
    """
    Lay out statements and rows.

    Parameters
    ----------
    text
        Lines, each with its indentation; every row of a table on a line of its own.

    Returns
    -------
    text
        The lines, or None if one of them is of another kind, or has to be broken inside a cell.
    """
    lines: list[str] = []
    if '" "' in text:
        # Literals that the compiler joins stand below each other.
        return None
    for line in text.splitlines():
        is_row = line.startswith(f"{_INDENT}{{") and line.endswith("},")
        if is_row and 2 * len(line) <= _COLUMNS:
            # Rows as short as this are set in columns.
            return None
        lines += [line] if len(line) <= _COLUMNS or not is_row else _broken(line)
    if any(len(line) > _COLUMNS for line in lines):
        return None
    return "".join(f"{line}\n" for line in lines)


def _broken(row: str) -> list[str]:
    """Fill lines with the cells of a row, as many as there is room for."""
    lines = [f"{_INDENT}{{"]
    for cell in _cells(row[len(_INDENT) + 1 : -2]):
        gap = "" if lines[-1].endswith("{") else " "
        # The comma, or the brace and the comma, that follow the cell.
        if len(lines[-1]) + len(gap) + len(cell) > _COLUMNS:
            lines.append(f"{_INDENT} {cell}")
        else:
            lines[-1] += gap + cell
    return lines


def _cells(text: str) -> Iterator[str]:
    """Yield the cells of a row, each with the comma after it, the last one with the brace."""
    start = depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in _OPEN:
            depth += 1
        elif token in _CLOSE:
            depth -= 1
        elif token == "," and depth == 0:
            yield text[start : match.end()].strip()
            start = match.end()
    yield text[start:].strip() + "},"
