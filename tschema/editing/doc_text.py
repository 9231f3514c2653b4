"""Names in docs: in backticks, in `See Also`, and as entries of a section.

In: the text of a docstring or a comment.  Out: the names with their places.  It decides nothing
about the meaning of a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

_CODE = re.compile(r"(`+)([^`]+?)\1(?!`)")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*")
_UNDERLINE = re.compile(r"^\s*-{3,}\s*$")
_ENTRY = re.compile(r"^[\w*.]+(\s*,\s*[\w*.]+)*\s*(:.*)?$")
_ENTRIES = frozenset({"Attributes", "Parameters"})


class Mention(Struct, frozen=True):
    """A name in a doc."""

    kind: Literal["code", "see_also", "entry"]
    name: str
    """With dots, or as C++ writes it."""
    start: int
    """Characters from the start of the doc."""


def mentions(doc: str) -> Iterator[Mention]:
    """Yield the names of a doc."""
    for span in _CODE.finditer(doc):
        for match in _NAME.finditer(span[2]):
            yield Mention("code", match[0], span.start(2) + match.start())
    if "---" in doc:
        yield from _section_names(doc)


def _section_names(doc: str) -> Iterator[Mention]:
    for title, margin, start, line in _section_lines(doc):
        text = line.strip()
        if len(line) - len(line.lstrip()) != margin or not _ENTRY.match(text):
            continue
        names = line.partition(":")[0]
        kind: Literal["see_also", "entry"] = "see_also" if title == "See Also" else "entry"
        for match in _NAME.finditer(names):
            yield Mention(kind, match[0], start + match.start())


def _section_lines(doc: str) -> Iterator[tuple[str, int, int, str]]:
    """Yield title, margin, start and text of each line of a section that names something."""
    lines = doc.splitlines(keepends=True)
    title, margin, start = "", 0, 0
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if line.strip() and _UNDERLINE.match(following):
            title, margin = line.strip(), len(line) - len(line.lstrip())
        elif (title == "See Also" or title in _ENTRIES) and not _UNDERLINE.match(line):
            yield title, margin, start, line.rstrip("\r\n")
        start += len(line)
