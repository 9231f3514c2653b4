"""The functions of a script as texts of their own: those that did not change are not read again.

In: lines.  Out: the text around the functions, and the text of each function.  Indentation ends a
function; a text for which that is wrong, such as one with long strings, is left in one piece, and
so is one whose pieces Python cannot read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

__all__ = ["Split", "split_functions"]

_DEF = re.compile(r"([ \t]*)def\b")
_STATEMENT = re.compile(r"([ \t]*)[^\s#)\]}]")
"""The start of a line that may end a function: no comment, and no end of brackets."""
_LONG_STRINGS = ('"""', "'''")


class Split(Struct, frozen=True):
    """A text without its functions, and these."""

    around: str
    """The text with a function without statements in place of each one, on the same line."""
    functions: dict[int, str]
    """From `def`, with its indentation, by the line, 1-based."""


def split_functions(lines: Sequence[str]) -> Split:
    """Split a text, given as its lines; functions in functions stay in these."""
    if any(quotes in line for line in lines for quotes in _LONG_STRINGS):
        return Split("\n".join(lines), {})
    around = [*lines]
    functions: dict[int, str] = {}
    end = 0
    for index, line in enumerate(lines):
        found = _DEF.match(line)
        if index < end or found is None:
            continue
        end = _end(lines, index, len(found[1]))
        functions[index + 1] = "\n".join(lines[index:end])
        around[index:end] = [f"{found[1]}def _(): pass", *[""] * (end - index - 1)]
    return Split("\n".join(around), functions)


def _end(lines: Sequence[str], start: int, indentation: int) -> int:
    """Return the index behind the last line of the function at `start`."""
    for index in range(start + 1, len(lines)):
        found = _STATEMENT.match(lines[index])
        if found is not None and len(found[1]) <= indentation:
            return index
    return len(lines)
