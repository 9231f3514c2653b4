"""The text of a schema file in chunks: what comes before the first declaration, and each of them.

In: the text of a file.  Out: `Chunk`s that make it up.  A chunk begins at a decorator in the first
column.  Where that is inside a string or a bracket, the chunks on both sides do not parse, so that
chunks which Python's parser takes are whole statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tschema.record import record

__all__ = ["Chunk", "class_names", "split_chunks"]

_START = re.compile(r"^@", re.MULTILINE)
_CLASS = re.compile(r"^class\s+(\w+)", re.MULTILINE)


@record
class Chunk:
    """A part of a file."""

    text: str
    line: int
    """Lines of the file before it."""


def split_chunks(text: str) -> list[Chunk]:
    """Return the chunks of a file, in order; the first one holds no decorated declaration."""
    starts = [match.start() for match in _START.finditer(text)]
    # Decorators below each other belong to one declaration.
    heads = [0, *(start for start in starts if not _is_decorated(text, start))]
    return list(_cut(text, heads))


def class_names(text: str) -> frozenset[str]:
    """Return the names of the classes of a file, and perhaps some that strings mention."""
    return frozenset(_CLASS.findall(text))


def _is_decorated(text: str, start: int) -> bool:
    """Return whether the line before another one is a decorator too."""
    before = text.rfind("\n", 0, max(0, start - 1)) + 1
    return start > 0 and text.startswith("@", before)


def _cut(text: str, heads: list[int]) -> Iterator[Chunk]:
    line = 0
    for start, end in zip(heads, [*heads[1:], len(text)], strict=True):
        yield Chunk(text[start:end], line)
        line += text.count("\n", start, end)
