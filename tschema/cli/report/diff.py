"""A unified diff in the colours of a terminal."""

from __future__ import annotations

_COLOURS = (("+++", "1"), ("---", "1"), ("@@", "36"), ("+", "32"), ("-", "31"))
"""Start of a line to the code that sets its colour; the first that fits counts."""


def colour(diff: str) -> str:
    """Return the diff with the codes that a terminal takes."""
    return "".join(_line(line) for line in diff.splitlines(keepends=True))


def _line(line: str) -> str:
    text = line.rstrip("\r\n")
    code = next((code for start, code in _COLOURS if line.startswith(start)), None)
    return f"\x1b[{code}m{text}\x1b[m{line[len(text) :]}" if code else line
