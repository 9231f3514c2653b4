"""A docstring, cut into its sections and their entries.

In: the lines of a docstring.  Out: an `Item`, whose parts are the summary, and for each section of
numpy's style its entries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from tschema.editing.schema_merge.item import END, Item, cut_lines

_UNDERLINE = re.compile(r"[ \t]*-{3,}[ \t]*\r?\n?")
_NAME = re.compile(r"[*`\w.]+")
_KEY = "docstring"


def read_docstring(lead: str, text: str) -> Item:
    """
    Cut a docstring.

    Parameters
    ----------
    lead
        The lines above it.
    text
        Its lines, with the quotes.

    Returns
    -------
    item
        The docstring; without parts where its quotes do not end on a line of their own.
    """
    lines = cut_lines(text)
    closing = [
        index
        for index, line in enumerate(lines)
        if index and line.strip() in ('"""', "'''") and index >= len(lines) - 1
    ]
    if not closing:
        return Item(_KEY, lead, text)
    end = closing[-1]
    starts = [
        index
        for index in range(1, end - 1)
        if lines[index].strip() and _UNDERLINE.fullmatch(lines[index + 1])
    ]
    bounds = [*starts, end]
    first, _ = _without_blanks(lines[: bounds[0]])
    items = [Item("summary", "", "".join(first))]
    done = len(first)
    for start, stop in zip(starts, bounds[1:], strict=True):
        section, _ = _without_blanks(lines[start:stop])
        items.append(_section("".join(lines[done:start]), section))
        done = start + len(section)
    items.append(Item(END, "".join(lines[done:end]), "".join(lines[end:])))
    names = [one.key for one in items]
    if len(set(names)) != len(names):
        return Item(_KEY, lead, text)
    return Item(_KEY, lead, text, inner=tuple(items))


def _without_blanks(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return lines without the blank ones at the end, and these."""
    blank = [*takewhile(lambda line: not line.strip(), reversed(lines))]
    count = len(lines) - len(blank)
    return [*lines[:count]], [*lines[count:]]


def _section(lead: str, lines: Sequence[str]) -> Item:
    """Return a section: its title, the line below, and an entry for each name at their level."""
    key, text = f"section {lines[0].strip()}", "".join(lines)
    level = _indent(lines[0])
    starts = [
        index
        for index, line in enumerate(lines)
        if index > 1 and line.strip() and _indent(line) == level
    ]
    if not starts or starts[0] != 2:
        return Item(key, lead, text)
    entries: list[Item] = []
    done = 2
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        entry, _ = _without_blanks(lines[start:stop])
        match = _NAME.match(entry[0].strip())
        above = "".join(lines[done:start])
        entries.append(Item(f"entry {match[0] if match else entry[0]}", above, "".join(entry)))
        done = start + len(entry)
    entries.append(Item(END, "".join(lines[done:]), ""))
    names = [one.key for one in entries]
    if len(set(names)) != len(names):
        return Item(key, lead, text)
    return Item(key, lead, text, head="".join(lines[:2]), inner=tuple(entries))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
