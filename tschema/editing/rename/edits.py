"""The edits of one schema file for a rename.

In: an index of a file, and the names that change.  Out: edits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set

from msgspec import Struct
from msgspec.structs import replace

from tschema.editing.doc_text import Mention
from tschema.editing.edits import Edit
from tschema.editing.rename.file_index import FileIndex
from tschema.editing.rename.meaning import DocNames
from tschema.editing.rename.names import Names
from tschema.editing.syntax import Text
from tschema.ir.declarations import FileDecl

_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?!\w)")
_CALLED = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?=\s*\()")
_KEYWORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?=\s*=)")
_CPP_NAME = re.compile(r"(?<![\w.>])[A-Za-z_]\w*")
_CPP_MEMBER = re.compile(r"(?<=(?:->|.\.|::))[A-Za-z_]\w*\b(?!\s*\()")
_FORM_FIELD = re.compile(r"(?<=\{)\w+(?=\})")
_CPP_OPTIONS = frozenset({"cpp", "cpp_init", "cpp_type", "cpp_base"})
_RULES = frozenset({"scalar", "compute", "decompose", "relation", "require", "result"})
"""Arguments of `@operator` that name operands and attributes."""


class FileRenamer(Struct, frozen=True):
    """Finds the edits of one file."""

    index: FileIndex
    names: Names
    docs: DocNames
    words: Set[str]
    """The words of the names, of which an edited text has one."""

    @property
    def file(self) -> FileDecl:
        """The file itself."""
        return self.index.file

    def edits(self) -> Iterator[Edit]:
        """Yield every edit."""
        yield from self._definitions()
        yield from self._imports()
        yield from self._references()
        words = self.names.words()
        for text in self.index.texts(self.words):
            if text.kind == "string":
                yield from self._string(text)
                yield from self._rule(text)
                yield from self._cpp(text)
                yield from self._form(text)
            is_doc = text.kind != "string" or text.keyword == "doc"
            if is_doc and any(word in text.raw for word in words):
                yield from self._doc(text)

    def _definitions(self) -> Iterator[Edit]:
        for (path, owner, name), new in self.names.definitions.items():
            if path == self.file.source.path:
                found = self.index.definitions.get((owner, name), ())
                yield from (Edit(one.start, one.end, new) for one in found)

    def _imports(self) -> Iterator[Edit]:
        for absolute, new in self.names.references.items():
            found = self.index.imports.get(absolute, ())
            yield from (Edit(one.start, one.end, new) for one in found)

    def _references(self) -> Iterator[Edit]:
        """Yield the edits of names in code, without aliases of the renamed one."""
        for absolute, new in self.names.references.items():
            for one in self.index.references.get(absolute, ()):
                if one.name in self.names.spellings:
                    yield Edit(one.start, one.end, new)

    def _string(self, text: Text) -> Iterator[Edit]:
        """Yield the edit of a literal that is a key, or begins with one."""
        for old, new in self.names.keys.items():
            is_bare = text.keyword == "type_key" and text.raw == old.rpartition(".")[2]
            if is_bare and self._owns(text, old):
                yield Edit(text.start, text.start + len(text.raw.encode()), new.rpartition(".")[2])
            elif text.raw == old or text.raw.startswith(f"{old}."):
                yield Edit(text.start, text.start + len(old.encode()), new)

    def _owns(self, text: Text, key: str) -> bool:
        """Return whether a literal is in the class of a key."""
        owner = (self.file.source.path, text.owner[:-1], text.owner[-1] if text.owner else "")
        return owner in self.names.definitions and key in self.names.keys

    def _rule(self, text: Text) -> Iterator[Edit]:
        """Yield the edits of a rule of an operator."""
        if text.keyword == "upgrade" and len(text.owner) == 1:
            yield from self._upgrade(text)
        if text.keyword not in _RULES or len(text.owner) != 1:
            return
        renamed = self.names.rules.get((self.file.source.path, text.owner), {})
        yield from _words(text, _WORD, renamed)
        steps = self.names.steps.get(self.file.namespace, {})
        called = steps if text.keyword == "decompose" else self.names.functions
        yield from _words(text, _CALLED, called)

    def _cpp(self, text: Text) -> Iterator[Edit]:
        """Yield the edits of C++ that an option quotes."""
        if text.keyword in _CPP_OPTIONS:
            yield from _words(text, _CPP_NAME, self.names.cpp)
            for depth in range(len(text.owner), 0, -1):
                place = self.file.source.path, text.owner[:depth]
                yield from _words(text, _CPP_MEMBER, self.names.members.get(place, {}))

    def _form(self, text: Text) -> Iterator[Edit]:
        """Yield the edits of the fields in a form in script; names of its arguments stay."""
        if text.keyword == "script":
            renamed = self.names.locals.get((self.file.source.path, text.owner), {})
            yield from _words(text, _FORM_FIELD, renamed)

    def _upgrade(self, text: Text) -> Iterator[Edit]:
        """Yield the edits of a rule for stored calls, whose right side has the names of now."""
        path, (operator,) = self.file.source.path, text.owner
        new = self.names.definitions.get((path, (), operator))
        arrow = len(text.raw.partition("->")[0])
        right = replace(
            text, raw=text.raw[arrow:], start=text.start + len(text.raw[:arrow].encode())
        )
        yield from _words(right, _CALLED, {operator: new} if new is not None else {})
        yield from _words(right, _KEYWORD, self.names.rules.get((path, text.owner), {}))

    def _doc(self, text: Text) -> Iterator[Edit]:
        words = self.words
        for mention in self.index.mentions(text):
            if mention.name not in words and mention.name.isidentifier():
                continue
            new = self._mentioned(mention, text)
            if new is not None:
                start = text.start + len(text.raw[: mention.start].encode())
                yield Edit(start, start + len(mention.name.encode()), new)

    def _mentioned(self, mention: Mention, text: Text) -> str | None:
        """Return the new name for a mention in a doc, if the name changes."""
        if mention.kind != "see_also":
            for depth in range(len(text.owner), 0, -1):
                local = self.names.locals.get((self.file.source.path, text.owner[:depth]), {})
                if mention.name in local and not self._is_hidden(mention.name, text, depth):
                    return local[mention.name]
        parts = mention.name.replace("::", ".").split(".")
        if mention.kind == "entry" or self.names.spellings.keys().isdisjoint(parts):
            return None
        found = self.docs.resolve(mention.name, self.file)
        if found is None:
            return None
        key, count = found
        return self._renamed(mention.name, key, count)

    def _is_hidden(self, name: str, text: Text, depth: int) -> bool:
        """Return whether a method's own parameter has the name of the member."""
        inner = text.owner[:-1] if len(text.owner) > depth else ()
        return bool(inner) and self.index.syntax.definition(text.owner, name) is not None

    def _renamed(self, name: str, key: str, count: int) -> str | None:
        """Return a dotted name with its renamed part replaced, if it has one."""
        separator = "::" if "::" in name else "."
        parts = name.split(separator)
        for index in range(count - 1, len(parts)):
            full = ".".join([key, *parts[count : index + 1]])
            if full in self.names.keys and parts[index] in self.names.spellings:
                parts[index] = self.names.spellings[parts[index]]
                return separator.join(parts)
        return None


def _words(text: Text, pattern: re.Pattern[str], renamed: Mapping[str, str]) -> Iterator[Edit]:
    for match in pattern.finditer(text.raw) if renamed else ():
        if match[0] in renamed:
            start = text.start + len(text.raw[: match.start()].encode())
            yield Edit(start, start + len(match[0].encode()), renamed[match[0]])
