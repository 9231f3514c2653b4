"""Positions of the protocol and spans of tschema.

In: spans, and lines of text.  Out: ranges of the protocol, whose columns count the units on which
client and server agreed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from lsprotocol import types as lsp
from msgspec import Struct
from pygls.workspace import PositionCodec

from tschema.diagnostics.source import Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line with its end; the protocol knows no other line ends."""


class Positions(Struct, frozen=True):
    """Converts positions, as one client counts columns."""

    codec: PositionCodec

    def range(self, span: Span) -> lsp.Range:
        """Return the range of a span."""
        text = span.file.line(span.line)
        if span.end_line == span.line and text.isascii() and span.end_column <= len(text) + 1:
            line = span.line - 1
            return lsp.Range(
                lsp.Position(line, span.column - 1), lsp.Position(line, span.end_column - 1)
            )
        start = self._position(text, span.line, span.column)
        if span.end_line == span.line:
            return lsp.Range(start, self._position(text, span.line, span.end_column))
        end = self._position(span.file.line(span.end_line), span.end_line, span.end_column)
        return lsp.Range(start, end)

    def _position(self, text: str, line: int, column: int) -> lsp.Position:
        return lsp.Position(line - 1, self._units(text[: column - 1]))

    def _units(self, text: str) -> int:
        """Return how many units a text has; ASCII has one for each character in every encoding."""
        return len(text) if text.isascii() else self.codec.client_num_units(text)

    def column(self, line: str, character: int) -> int:
        """Return the 1-based column of a character of the protocol in a line."""
        if line.isascii():
            return min(character, len(line)) + 1
        units = 0
        for index, char in enumerate(line):
            if units >= character:
                return index + 1
            units += self.codec.client_num_units(char)
        return len(line) + 1


def changed_lines(old: str, new: str) -> Iterator[lsp.TextEdit]:
    """Yield the edits of whole lines that make one text of another."""
    before, after = _LINE.findall(old), _LINE.findall(new)
    first = _common(before, after)
    last = _common(before[first:][::-1], after[first:][::-1])
    middle = before[first : len(before) - last], after[first : len(after) - last]
    for tag, start, end, begin, stop in SequenceMatcher(
        None, *middle, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            text = "".join(middle[1][begin:stop])
            yield lsp.TextEdit(lines(first + start, first + end), text)


def lines(first: int, end: int) -> lsp.Range:
    """Return the range of whole lines, 0-based, without the last one."""
    return lsp.Range(lsp.Position(first, 0), lsp.Position(end, 0))


def _common(one: list[str], other: list[str]) -> int:
    """Return how many lines two texts begin with alike."""
    return next(
        (index for index, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )
