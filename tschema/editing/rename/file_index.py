"""The names and texts of one schema file, by name.

In: a schema file and its syntax.  Out: the places of names, found without a search through the
file.  They depend on the text of the file alone, and last as long as the text does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import cached_property

from msgspec import Struct

from tschema.editing.doc_text import Mention, mentions
from tschema.editing.edits import line_starts
from tschema.editing.quick_syntax import find_syntax
from tschema.editing.syntax import Definition, FileSyntax, Owner, Text
from tschema.ir.declarations import FileDecl

_WORD = re.compile(r"\w+")


class Part(Struct, frozen=True, gc=False):
    """A part of a dotted name in code."""

    name: str
    start: int
    end: int


class FileIndex(Struct, frozen=True, dict=True):
    """A schema file, with the places of the names in it."""

    file: FileDecl
    syntax: FileSyntax

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset of each line, in bytes."""
        return line_starts(self.file.source.text.encode())

    @cached_property
    def references(self) -> dict[str, list[Part]]:
        """The names in code by the absolute names that they have there."""
        found: dict[str, list[Part]] = {}
        for reference in self.syntax.references:
            parts = reference.dotted.split(".")
            for count, name in enumerate(parts, 1):
                absolute = self.file.qualify(".".join(parts[:count]))
                part = Part(name, *reference.component(count - 1))
                found.setdefault(absolute, []).append(part)
        return found

    @cached_property
    def imports(self) -> dict[str, list[Part]]:
        """The names in imports by their absolute names."""
        found: dict[str, list[Part]] = {}
        for one in self.file.imports:
            if one.name is not None:
                line, offset, _, _ = one.place.at
                start = self.line_starts[line - 1] + offset
                part = Part(one.name, start, start + len(one.name.encode()))
                found.setdefault(f"{one.module}.{one.name}", []).append(part)
        return found

    @cached_property
    def definitions(self) -> dict[tuple[Owner, str], list[Definition]]:
        """The declared names, by owner and name."""
        found: dict[tuple[Owner, str], list[Definition]] = {}
        for one in self.syntax.definitions:
            found.setdefault((one.owner, one.name), []).append(one)
        return found

    def texts(self, words: Set[str]) -> Iterator[Text]:
        """Yield the texts that have a word of a set, in the order of the file."""
        numbers = {number for word in words for number in self._texts_by_word.get(word, ())}
        yield from (self.syntax.texts[number] for number in sorted(numbers))

    def mentions(self, text: Text) -> tuple[Mention, ...]:
        """Return the names in a doc."""
        if text.start not in self._mentions:
            self._mentions[text.start] = tuple(mentions(text.raw))
        return self._mentions[text.start]

    @cached_property
    def _mentions(self) -> dict[int, tuple[Mention, ...]]:
        """The names in docs that were asked for, by the start of the doc."""
        return {}

    @cached_property
    def _texts_by_word(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, text in enumerate(self.syntax.texts):
            for word in set(_WORD.findall(text.raw)):
                found.setdefault(word, []).append(number)
        return found

    def prepare(self) -> None:
        """Build the tables before a request asks for them."""
        self.references, self.imports, self.definitions, self._texts_by_word  # noqa: B018
        for text in self.syntax.texts:
            if text.kind != "string" or text.keyword == "doc":
                self.mentions(text)


def quick_index(file: FileDecl) -> FileIndex:
    """Return the index of a file as Python's own parser reads it."""
    return FileIndex(file, find_syntax(file.source.text))
