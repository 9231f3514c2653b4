"""The parts of found classes that schema files lack.

`merging.py` puts it in.  This module imports nothing slow, since most imports change no file that
is there.
"""

from __future__ import annotations

from msgspec import Struct


class NewField(Struct, frozen=True):
    """A field that a class lacks."""

    line: str
    """Its declaration."""
    after: tuple[str, ...]
    """The fields before it in memory, nearest first."""
    name: str
    doc: str = ""


class NewClass(Struct, frozen=True):
    """A class or an enum that a file lacks."""

    text: str
    after: tuple[str, ...]
    """Names of the classes that it comes after, the wanted neighbour first."""


class ClassChanges(Struct):
    """The missing and differing parts of a declared class."""

    fields: list[NewField]
    annotations: dict[str, str]
    """New annotations, by field."""
    options: dict[str, str]
    """New values as text, by option."""
    methods: list[str]
    """Texts of new methods."""
    base: str | None = None

    def __bool__(self) -> bool:
        """Return whether anything changes."""
        return bool(self.fields or self.annotations or self.options or self.methods or self.base)
