"""Schema files and places in them.

In: a display path and text.  Out: `SourceFile`, `Span`, and `Place`, whose line and column are
worked out only when somebody asks.  It knows no syntax and reads nothing from disk.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["Place", "SourceFile", "Span", "whole_characters"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that diagnostics point into."""

    path: str
    """Relative to the project's root, with forward slashes."""
    text: str = field(repr=False)
    """The whole decoded text; empty where the file could not be decoded."""

    def line(self, number: int) -> str:
        """Return a line (1-based) without its ending; empty if there is no such line."""
        lines = _LINE_END.split(self.text)
        return lines[number - 1] if 0 < number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of text; lines and columns are 1-based, the end column is exclusive."""

    file: SourceFile
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        """Return `path:line:column`."""
        return f"{self.file.path}:{self.line}:{self.column}"


@dataclass(slots=True, eq=False)
class Place:
    """A syntax node whose span is computed on demand, since that is slow."""

    locate: Callable[[object], Span] = field(repr=False)
    """Finds the span of a node; made by the front end for each file."""
    node: object = field(repr=False)

    def span(self) -> Span:
        """Return where the node stands, which takes a while."""
        return self.locate(self.node)


def whole_characters(text: str) -> str:
    """Return a text that has UTF-8: half a surrogate pair, which a literal can state, has none."""
    return _SURROGATE.sub("\ufffd", text)
