"""Edits of text: a range of bytes and what replaces it.

In: bytes, and edits that do not overlap.  Out: the new bytes.  It knows no syntax.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from msgspec import Struct

from tschema.diagnostics.source import Place, SourceFile, Span


class Edit(Struct, frozen=True, order=True):
    """A replacement; equal bounds insert."""

    start: int
    """Bytes from the start of the text."""
    end: int
    text: str


def apply_edits(data: bytes, edits: Iterable[Edit]) -> bytes:
    """
    Return a text with replacements made, all else byte for byte.

    Parameters
    ----------
    edits
        In any order; one that is given twice counts once.

    Raises
    ------
    ValueError
        Two edits overlap.
    """
    parts, done = [], 0
    for edit in sorted(set(edits)):
        if edit.start < done:
            raise ValueError(f"edits overlap at byte {edit.start}")
        parts += [data[done : edit.start], edit.text.encode()]
        done = edit.end
    return b"".join([*parts, data[done:]])


def edit_spans(file: SourceFile, edits: Iterable[Edit], starts: Sequence[int]) -> Iterator[Span]:
    """
    Yield the spans that edits replace, in a text without a byte order mark.

    Parameters
    ----------
    starts
        The `line_starts` of the text.
    """
    for edit in edits:
        first, last = bisect_right(starts, edit.start), bisect_right(starts, edit.end)
        offsets = edit.start - starts[first - 1], edit.end - starts[last - 1]
        yield Place(file, (first, offsets[0], last, offsets[1])).span()


def line_starts(data: bytes) -> list[int]:
    """Return the offset of each line, as Python's parser counts lines."""
    lines = data.splitlines(keepends=True)
    ended = lines if data.endswith((b"\r", b"\n")) else lines[:-1]
    return [*accumulate(map(len, ended), initial=0)]
