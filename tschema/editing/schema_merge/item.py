"""A piece of a schema file that merges as one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

END = "end"
"""The key of the text below the last piece."""


class Item(Struct, frozen=True):
    """A declaration, or a part of one, on whole lines."""

    key: str
    """An identifier that is unique among the neighbours."""
    lead: str
    """The blank lines and comments above it."""
    text: str
    kind: str = ""
    """`field` for an argument of a constructor, `option` for another field, `number` for a name of
    a number, as the members of an enum are, `import`, or nothing."""
    sort: str = ""
    """The type of a field, or the number."""
    names: tuple[str, ...] = ()
    """The names that an import brings in."""
    head: str = ""
    """The lines above its parts."""
    inner: tuple[Item, ...] = ()
    """Its parts; without them it merges as text."""
    former: tuple[str, ...] = ()
    """The keys that it had before."""

    @property
    def whole(self) -> str:
        """The text with the lines above it."""
        return self.lead + self.text


def cut_lines(text: str) -> list[str]:
    """Return the lines of a text, with their ends."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def is_comment(line: str) -> bool:
    """Return whether a line of Python holds a comment alone."""
    return line.lstrip().startswith("#")


def by_key(items: Sequence[Item]) -> dict[str, Item]:
    """Return items by their keys."""
    return {one.key: one for one in items}
