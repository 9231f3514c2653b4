"""Splitting of generated text into units whose formatting does not depend on their position.

In: the text of a file.  Out: its units (its blocks, and the text between the lines `//@ unit` or
`//@ rows` and `//@ end`, which are dropped) and the remaining frame; and the joined text after
formatting.  It runs no formatter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

_UNIT = re.compile(
    # A Python class has its end in its body.
    r"^(//|\#)[ ]tschema:[ ](?!file$|custom-|end\b)\w+\n.*?^[ ]*\1[ ]tschema:[ ]end\b[^\n]*\n"
    r"|^//@[ ](unit|rows)\n(.*?)^//@[ ]end\n",
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)


class Parts(Struct, frozen=True):
    """A text split into units and a frame, in which a comment replaces every run of units."""

    frame: str
    runs: list[list[str]]
    """The units and the blank lines between them, in turns."""
    rows: frozenset[str]
    """Units of table rows."""

    def units(self) -> Iterator[str]:
        """Yield the units."""
        for run in self.runs:
            yield from run[::2]

    def put_together(self, known: Mapping[str, str], comment: str, blank_lines: int) -> str:
        """
        Replace the comments in the formatted frame by the formatted units.

        Parameters
        ----------
        known
            The formatted text of the frame and of each unit.
        comment
            What starts a comment.
        blank_lines
            Blank lines that the formatter leaves between two units at most.
        """
        head, *tails = _split(known[self.frame], comment)
        pieces = [head]
        for run, tail in zip(self.runs, tails, strict=True):
            pieces += (
                "\n" * min(piece.count("\n"), blank_lines) if index % 2 else known[piece]
                for index, piece in enumerate(run)
            )
            pieces.append(tail)
        return "".join(pieces)


def take_apart(text: str, comment: str) -> Parts:
    """Take the text of a file apart, given what starts a comment in it."""
    frame: list[str] = []
    runs: list[list[str]] = []
    rows: set[str] = set()
    done, carried = 0, ""
    for match in _UNIT.finditer(text):
        found = match[3] or match[0]
        unit = found.strip("\n") + "\n"
        if match[2] == "rows":
            rows.add(unit)
        # Blank lines belong between the units, where they stay.
        lead, trail = (len(found) - len(strip("\n")) for strip in (found.lstrip, found.rstrip))
        between = carried + text[done : match.start()] + "\n" * lead
        if runs and not between.strip():
            runs[-1] += [between, unit]
        else:
            frame += [between, _mark(comment)]
            runs.append([unit])
        done, carried = match.end(), "\n" * (trail - 1)
    return Parts("".join([*frame, carried, text[done:]]), runs, frozenset(rows))


def join_units(units: Iterable[str], comment: str) -> str:
    """Return a text of units, for a formatter to take at once."""
    return "".join(f"{_mark(comment)}\n{unit}\n" for unit in units)


def split_units(text: str, comment: str) -> list[str]:
    """Return the units of such a text, now that it is formatted."""
    return [unit.strip("\n") + "\n" for unit in _split(text, comment)[1:]]


def _mark(comment: str) -> str:
    """Return what parts units; no doc has such a line outside its own comment."""
    return f"{comment} tschema-unit\n"


def _split(text: str, comment: str) -> list[str]:
    """Split a text at the lines that separate units, no two of which are adjacent."""
    first, *rest = f"\n{text}".split(f"\n{_mark(comment)}")
    if not rest:
        return [text]
    *middle, last = rest
    return [f"{first}\n"[1:], *(f"{piece}\n" for piece in middle), last]
