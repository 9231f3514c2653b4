"""The names of a script with their places and meanings.

In: definitions and words, as `reader` finds them.  Out: the word at a place, and its function.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tschema.diagnostics.source import Span

from .scopes import Definition

__all__ = ["Names", "Role", "Word", "holds"]

Role = Literal["definition", "use", "package", "decorator", "type", "call", "member"]


class Word(Struct, frozen=True, eq=False, gc=False):
    """A name at a place of a text."""

    span: Span
    role: Role
    path: str
    """The dotted name up to this word: `relay.exp` at its second word."""
    definition: Definition | None
    """The meaning; None for names of packages, and for unknown names."""


class Names(Struct, frozen=True):
    """The names of one text."""

    definitions: tuple[Definition, ...]
    words: tuple[Word, ...]
    """In the order of the text."""
    aliases: dict[str, str]
    """The full names of packages and operators that the text imports by other names."""

    def at(self, line: int, column: int) -> Word | None:
        """Return the word at a position, 1-based, the place behind its last character included."""
        return next((word for word in self.words if holds(word.span, line, column)), None)

    def function_at(self, line: int) -> Definition | None:
        """Return the outermost function around a line, 1-based."""
        around = (one for one in self.definitions if one.kind == "function")
        return next((one for one in around if holds(one.extent, line, one.extent.column)), None)


def holds(span: Span, line: int, column: int) -> bool:
    """Return whether a span holds a position, the place behind its last character included."""
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)
