"""The merge of three versions of a schema file.

What only one side changed is taken from it.  A class, its docstring and a section of that merge by
their parts; anything else that both changed merges as text, with git's own algorithm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from msgspec import Struct
from msgspec.structs import replace

from tschema.conflicts.text_merge import MergedText, merge_texts
from tschema.diagnostics.conflict_markers import Style
from tschema.editing.schema_merge.imports import merge_imports, sort_key
from tschema.editing.schema_merge.item import Item, by_key
from tschema.editing.schema_merge.order import merge_orders
from tschema.editing.schema_merge.read_items import read_items

_IMPORT = re.compile(rb"^(?:from tschema import|import tschema)\b", re.MULTILINE)
_DECORATOR = re.compile(rb"^@\w", re.MULTILINE)


class _Unmergeable(Exception):
    """The sides cannot be held against each other part by part."""


class _Piece(Struct, frozen=True):
    """A part of the merged file, and how many conflicts are marked in it."""

    text: str
    n_conflicts: int = 0


def is_schema_file(path: str, data: bytes) -> bool:
    """Return whether a file holds declarations, and no blocks."""
    is_python = path.endswith(".py") and b"tschema: " not in data
    return is_python and bool(_IMPORT.search(data)) and bool(_DECORATOR.search(data))


def merge_schema_files(base: bytes | None, ours: bytes, theirs: bytes, style: Style) -> MergedText:
    """
    Merge two versions of a schema file.

    Parameters
    ----------
    base
        The version that both come from; None if each side added the file.

    Returns
    -------
    merged
        The file, and how many conflicts are marked in it.  What git merges without a conflict is
        as git merges it.
    """
    merged = merge_texts(base, ours, theirs, style)
    if not merged.n_conflicts:
        return merged
    try:
        return _by_declarations(base or b"", ours, theirs, style)
    except (_Unmergeable, UnicodeDecodeError):
        return merged


def _by_declarations(base: bytes, ours: bytes, theirs: bytes, style: Style) -> MergedText:
    line_end = "\r\n" if b"\r\n" in ours else "\n"
    versions = [version.decode() for version in (base, ours, theirs)]
    is_open = not any(version.endswith("\n") for version in versions[1:])
    read = [read_items(_ended(version, line_end)) for version in versions]
    if any(one is None for one in read):
        raise _Unmergeable
    pieces = [*_Merger(style, line_end).merged(*(one or () for one in read))]
    text = "".join(one.text for one in pieces)
    text = text.removesuffix(line_end) if is_open else text
    n_conflicts = sum(one.n_conflicts for one in pieces)
    if not n_conflicts and read_items(text) is None:
        raise _Unmergeable
    return MergedText(text.encode(), n_conflicts)


class _Merger(Struct, frozen=True):
    """Merges lists of parts."""

    style: Style
    line_end: str

    def merged(
        self, base: Sequence[Item], ours: Sequence[Item], theirs: Sequence[Item]
    ) -> Iterator[_Piece]:
        """Yield the parts of the merged text."""
        ours, theirs = (_with_old_keys(side, base) for side in (ours, theirs))
        was, mine, other = by_key(base), by_key(ours), by_key(theirs)
        order = merge_orders([*was], [*mine], [*other])
        if order is None:
            raise _Unmergeable
        for is_new, keys in groupby(
            order, lambda key: key not in was and (key in mine) != (key in other)
        ):
            together = [*keys]
            sides = [[side[key] for key in together if key in side] for side in (mine, other)]
            if is_new and _are_alike(*sides):
                yield self._conflict(*("".join(one.whole for one in side) for side in sides))
                continue
            if is_new and all(sides) and all(map(_is_import, chain(*sides))):
                yield _Piece("".join(_imports(*sides)))
                continue
            for key in together:
                yield self._one(was.get(key), mine.get(key), other.get(key))

    def _one(self, base: Item | None, ours: Item | None, theirs: Item | None) -> _Piece:
        """Return a part, given its text in the versions."""
        if ours is None or theirs is None:
            left = ours or theirs
            assert left is not None, "one side has it"
            if base is None:
                return _Piece(left.whole)
            if left.text == base.text:
                return _Piece("")
            return self._conflict(*(one.whole if one else "" for one in (ours, theirs)))
        lead = self._lead(base, ours, theirs)
        text = self._text(base, ours, theirs)
        return _Piece(lead.text + text.text, lead.n_conflicts + text.n_conflicts)

    def _lead(self, base: Item | None, ours: Item, theirs: Item) -> _Piece:
        """Return the lines above a part; blank lines are those of our side."""
        if not ours.lead.strip() and not theirs.lead.strip():
            is_kept = base is not None and base.lead == ours.lead
            return _Piece(theirs.lead if is_kept else ours.lead)
        return self._as_text(base.lead if base else None, ours.lead, theirs.lead)

    def _text(self, base: Item | None, ours: Item, theirs: Item) -> _Piece:
        was = base.text if base is not None else None
        if ours.text == theirs.text or theirs.text == was:
            return _Piece(ours.text)
        if ours.text == was:
            return _Piece(theirs.text)
        if ours.inner and theirs.inner:
            head = self._as_text(base.head if base else None, ours.head, theirs.head)
            if not head.n_conflicts:
                parts = [*self.merged(base.inner if base else (), ours.inner, theirs.inner)]
                text = "".join(one.text for one in parts)
                return _Piece(head.text + text, sum(one.n_conflicts for one in parts))
        if ours.kind == theirs.kind == "import":
            names = merge_imports(base, ours, theirs)
            if names is not None:
                return _Piece(names)
        return self._as_text(was, ours.text, theirs.text)

    def _as_text(self, base: str | None, ours: str, theirs: str) -> _Piece:
        was = base.encode() if base is not None else None
        merged = merge_texts(was, ours.encode(), theirs.encode(), self.style)
        return _Piece(merged.text.decode(), merged.n_conflicts)

    def _conflict(self, ours: str, theirs: str) -> _Piece:
        """Return both sides, marked."""
        signs = (("<", self.style.ours), ("=", b""), (">", self.style.theirs))
        first, middle, last = (
            sign * self.style.size + (f" {label.decode(errors='replace')}" if label else "")
            for sign, label in signs
        )
        sides = [first, ours, middle, theirs, last]
        return _Piece("".join(_ended(one, self.line_end) for one in sides), 1)


def _ended(text: str, line_end: str) -> str:
    """Return a text whose last line has its end."""
    return text if not text or text.endswith("\n") else text + line_end


def _with_old_keys(items: Sequence[Item], base: Sequence[Item]) -> list[Item]:
    """Return the items of a side; one that was renamed has the key that it had."""
    was, now = by_key(base), by_key(items)
    found: list[Item] = []
    for one in items:
        before = next((key for key in one.former if key in was and key not in now), None)
        found.append(replace(one, key=before) if before and one.key not in was else one)
    return found if len(by_key(found)) == len(found) else [*items]


def _are_alike(ours: Sequence[Item], theirs: Sequence[Item]) -> bool:
    """Return whether each side added the same in one place: an argument of a type, or a number."""
    return any(
        one.kind == other.kind and one.kind in ("field", "number") and one.sort == other.sort
        for one in ours
        for other in theirs
    )


def _imports(ours: Sequence[Item], theirs: Sequence[Item]) -> Iterator[str]:
    """Yield imports that each side added in one place, sorted."""
    yield ours[0].lead
    texts = {one.key: one.lead + one.text for one in (*ours[1:], *theirs[1:])}
    texts |= {one.key: one.lead.lstrip("\r\n") + one.text for one in (ours[0], theirs[0])}
    texts[ours[0].key] = ours[0].text
    yield from (texts[key] for key in sorted(texts, key=lambda key: (_module(key), key)))


def _is_import(item: Item) -> bool:
    return item.kind == "import"


def _module(key: str) -> tuple[int, str]:
    words = key.split()
    return sort_key(words[1]) if len(words) > 1 else (0, key)
