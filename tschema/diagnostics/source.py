"""Schema files and places in them.

In: a display path and text.  Out: `SourceFile`, `Span`, and `Place`, which becomes a span only when
needed.  It knows no syntax and does not read files.
"""

from __future__ import annotations

import re
from functools import cached_property

from msgspec import Struct

Extent = tuple[int, int, int, int]
"""Line, offset, end line and end offset: lines are 1-based, offsets count bytes of UTF-8 from 0."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n|\r|\n")


class SourceFile(Struct, frozen=True, dict=True):
    """A file that diagnostics point into."""

    path: str
    """Relative to the project's root, with forward slashes."""
    text: str
    """The whole decoded text; empty where the file could not be decoded."""

    def __repr__(self) -> str:
        """Return the path alone: the text is long."""
        return f"SourceFile({self.path!r})"

    def line(self, number: int) -> str:
        """Return a line (1-based) without its ending; empty if there is no such line."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their endings."""
        return _LINE_END.split(self.text)


class Span(Struct, frozen=True, gc=False):
    """A range of text; lines and columns are 1-based, the end column is exclusive."""

    file: SourceFile
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        """Return `path:line:column`."""
        return f"{self.file.path}:{self.line}:{self.column}"


class Place:
    """A place in the source, as Python's parser counts."""

    __slots__ = ("at", "source")

    def __init__(self, source: SourceFile, at: Extent) -> None:
        """Name a file and a part of it."""
        self.source = source
        self.at = at

    def span(self) -> Span:
        """Return the span, with columns in characters."""
        line, offset, end_line, end_offset = self.at
        column = _characters(self.source.line(line), offset) + 1
        end_column = _characters(self.source.line(end_line), end_offset) + 1
        return Span(self.source, line, column, end_line, end_column)


def _characters(line: str, offset: int) -> int:
    """Return how many characters of a line its first bytes are."""
    return len(line.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace"))


def whole_characters(text: str) -> str:
    """Return a text that has UTF-8: half a surrogate pair, which a literal can state, has none."""
    return _SURROGATE.sub("\ufffd", text)
