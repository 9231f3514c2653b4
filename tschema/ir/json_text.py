"""Positions of values in JSON text.

In: text that is valid JSON, and the keys and indices that lead to a value.  Out: its `Span`.  It is
asked only when a diagnostic is due.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from tschema.diagnostics.source import SourceFile, Span

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def locate(source: SourceFile, path: Sequence[str | int]) -> Span:
    """Return the span of the first line of a value; of the deepest one there is on its path."""
    start = _skip(source.text, 0)
    for part in path:
        child = _child(source.text, start, part)
        if child is None:
            break
        start = child
    end = min(_end(source.text, start), source.text.find("\n", start) % (len(source.text) + 1))
    line = source.text.count("\n", 0, start) + 1
    column = start - source.text.rfind("\n", 0, start)
    return Span(source, line, column, line, column + max(1, end - start))


def _child(text: str, start: int, part: str | int) -> int | None:
    """Return where the member or element of a container starts, or None if there is none."""
    if text[start : start + 1] not in ("{", "["):
        return None
    is_object = text[start] == "{"
    at, index = _skip(text, start + 1), 0
    while at < len(text) and text[at] not in "}]":
        key: object = index
        if is_object:
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        if key == part:
            return at
        at = _skip(text, _end(text, at))
        at = _skip(text, at + 1) if text[at] == "," else at
        index += 1
    return None


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _end(text: str, start: int) -> int:
    return _DECODER.raw_decode(text, start)[1]
