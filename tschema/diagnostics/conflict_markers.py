"""Conflict markers of git: the hunks of a file, and its sides.

In: the bytes of a file.  Out: its lines and hunks, or one of its sides; for a file in which no
conflict may stand, a diagnostic for each.  It knows both styles of markers (`merge`, and `diff3`
with `zdiff3`) in any size from 3 on, and no blocks.

    <<<<<<< HEAD
    ours
    ||||||| 1a2b3c4
    base
    =======
    theirs
    >>>>>>> branch
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import SourceFile, Span

Side = Literal["ours", "base", "theirs"]

_BEGIN = re.compile(rb"(<{3,})(?: ([^\r\n]*))?\r?\n?")
_ENDS = re.compile(rb"(\|{3,}|={3,}|>{3,})(?: ([^\r\n]*))?\r?\n?")
_ANY_BEGIN = re.compile(rb"^<{3,}(?: [^\n]*)?\r?$", re.MULTILINE)

DEFAULT_SIZE = 7
"""Characters of a marker, where the attribute `conflict-marker-size` says no other number."""


class Style(Struct, frozen=True):
    """How conflicts are marked."""

    ours: bytes = b"ours"
    """The label of the first marker; the others alike."""
    base: bytes = b"base"
    theirs: bytes = b"theirs"
    size: int = DEFAULT_SIZE
    has_base: bool = False
    """Whether a hunk shows the base as well, as in the style `diff3`."""


class Hunk(Struct, frozen=True):
    """A conflict as git marks it; all lines are with their ends."""

    ours: tuple[bytes, ...]
    base: tuple[bytes, ...] | None
    theirs: tuple[bytes, ...]
    style: Style
    raw: tuple[bytes, ...]
    """With the markers."""
    is_ambiguous: bool = False
    """Whether the text itself has lines that look like the markers between the sides."""

    def side(self, side: Side) -> tuple[bytes, ...]:
        """Return the lines of a side; none where the base is not shown."""
        return getattr(self, side) or ()


Piece = bytes | Hunk
"""A line, or a conflict."""


class SideText(Struct, frozen=True):
    """One side of a file with conflicts."""

    lines: tuple[bytes, ...]
    places: tuple[range, ...]
    """The lines of each hunk."""

    def joined(self) -> bytes:
        """Return the whole text."""
        return b"".join(self.lines)


def may_have_hunks(data: bytes) -> bool:
    """Return whether a line looks like the first marker of a conflict; it takes no time."""
    return b"<<<" in data and _ANY_BEGIN.search(data) is not None


def find_hunks(data: bytes) -> list[Piece]:
    """
    Cut a file into lines and conflicts.

    Returns
    -------
    pieces
        Its lines, with their ends, and its conflicts, in order.  A marker without its counterparts
        is a line like any other.
    """
    lines = data.splitlines(keepends=True) if b"\r" not in data else _lines(data)
    return list(_pieces(lines))


def _lines(data: bytes) -> list[bytes]:
    """Return the lines; a lone CR is a byte like any other."""
    return [line for line in re.split(rb"(?<=\n)", data) if line]


def _pieces(lines: Sequence[bytes]) -> Iterator[Piece]:
    index = 0
    while index < len(lines):
        line = lines[index]
        begin = _BEGIN.fullmatch(line) if line.startswith(b"<<<") else None
        hunk = _hunk(lines, index, len(begin[1]), begin[2] or b"") if begin else None
        yield hunk or line
        index += len(hunk.raw) if hunk else 1


def _hunk(lines: Sequence[bytes], first: int, size: int, label: bytes) -> Hunk | None:
    """Return the conflict whose first marker is on a line, if it has the others."""
    found: dict[bytes, list[tuple[int, bytes]]] = {b"|": [], b"=": []}
    for index in range(first + 1, len(lines)):
        line = lines[index]
        if line.startswith(b"<" * size) and _is_marker(_BEGIN.fullmatch(line), size):
            return None
        end = _ENDS.fullmatch(line) if line[:1] in b"|=>" else None
        if not _is_marker(end, size):
            continue
        assert end is not None
        kind, name = end[1][:1], end[2] or b""
        if kind != b">":
            found[kind].append((index, name))
        elif found[b"="]:
            return _made(lines, (first, index), found, (label, name), size)
        else:
            return None
    return None


def _is_marker(match: re.Match[bytes] | None, size: int) -> bool:
    return match is not None and len(match[1]) == size


def _made(
    lines: Sequence[bytes],
    ends: tuple[int, int],
    found: dict[bytes, list[tuple[int, bytes]]],
    labels: tuple[bytes, bytes],
    size: int,
) -> Hunk:
    first, last = ends
    middle = found[b"="][0][0]
    bases = [one for one in found[b"|"] if one[0] < middle]
    has_base = bool(bases)
    base, name = bases[0] if bases else (middle, b"base")
    style = Style(labels[0], name, labels[1], size, has_base)
    return Hunk(
        tuple(lines[first + 1 : base]),
        tuple(lines[base + 1 : middle]) if has_base else None,
        tuple(lines[middle + 1 : last]),
        style,
        tuple(lines[first : last + 1]),
        is_ambiguous=len(found[b"="]) > 1 or len(bases) > 1,
    )


def hunks_of(pieces: Sequence[Piece]) -> list[Hunk]:
    """Return the conflicts alone."""
    return [piece for piece in pieces if isinstance(piece, Hunk)]


def side_text(pieces: Sequence[Piece], side: Side, opaque: Collection[int] = ()) -> SideText:
    """
    Return one side of a file.

    Parameters
    ----------
    pieces
        Its lines and conflicts.
    opaque
        Numbers of conflicts that stay as they are, with their markers.
    """
    lines: list[bytes] = []
    places: list[range] = []
    for piece in pieces:
        first = len(lines)
        if isinstance(piece, Hunk):
            lines += piece.raw if len(places) in opaque else piece.side(side)
            places.append(range(first, len(lines)))
        else:
            lines.append(piece)
    return SideText(tuple(lines), tuple(places))


def report_conflicts(source: SourceFile, reporter: Reporter) -> bool:
    """
    Report the conflicts of a file that people write.

    Parameters
    ----------
    reporter
        Told of each conflict.
    """
    data = source.text.encode("utf-8", "surrogatepass")
    if not may_have_hunks(data):
        return False
    line, found = 1, False
    for piece in find_hunks(data):
        if isinstance(piece, Hunk):
            found = True
            span = Span(source, line, 1, line, len(source.line(line)) + 1)
            reporter.error(
                "TS171",
                "a conflict of a merge in a file that people write",
                span,
                help="edit the text to combine both sides, and remove the markers; `tschema gen` "
                "then merges the generated text",
            )
        line += len(piece.raw) if isinstance(piece, Hunk) else 1
    return found
