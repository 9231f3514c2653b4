"""The parser of numpy docstrings.

In: the text of a docstring, and the places of its lines.  Out: a `Docstring`.  It knows no syntax
tree and no declared name.

Written by hand because the parsers of numpydoc and docstring-parser keep no line numbers, which
diagnostics need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from inspect import cleandoc
from itertools import pairwise

from msgspec import Struct

from tschema.diagnostics.source import Place, whole_characters
from tschema.ir.declarations import DocItem, Docstring

PlaceOf = Callable[[int, str], Place]
"""Returns the place of a name on a 0-based line of the docstring."""

_UNDERLINE = re.compile(r"^\s*-{3,}\s*$")
_NAMES = re.compile(r"^[\w*]+(\s*,\s*[\w*]+)*\s*(:.*)?$")


class _Section(Struct):
    title: str
    line: int
    lines: list[str]


def parse_docstring(raw: str, place_of: PlaceOf) -> Docstring:
    """Take a numpy docstring apart; a section that means nothing here stays in the text."""
    doc = _read(whole_characters(raw))

    def placed(title: str) -> tuple[DocItem, ...]:
        return tuple(
            DocItem(one.name, one.text, place_of(one.line, one.name))
            for one in doc.items.get(title, ())
        )

    return Docstring(
        text=doc.text,
        see_also=doc.see_also,
        attributes=placed("Attributes"),
        params=placed("Parameters"),
        returns=doc.returns,
        raises=placed("Raises"),
    )


class _Item(Struct, frozen=True):
    line: int
    name: str
    text: str


class _Doc(Struct, frozen=True):
    """A docstring without places."""

    text: str
    see_also: tuple[str, ...] = ()
    returns: str = ""
    items: Mapping[str, tuple[_Item, ...]] = {}
    """The entries of each section that has some, by title."""


@lru_cache(maxsize=10_000)
def _read(raw: str) -> _Doc:
    """Take a docstring apart; an editor has a file read at each key press, with the same docs."""
    if "---" not in raw:
        return _Doc(cleandoc(raw).strip())
    sections = _sections(raw)
    by_title = {section.title: section for section in sections if section.title in _MEANT}
    text = [line for section in sections if section.title not in _MEANT for line in section.lines]
    return _Doc(
        text=cleandoc("\n".join(text)).strip(),
        see_also=_see_also(by_title.get("See Also")),
        returns=_returns(by_title.get("Returns")),
        items={one: tuple(_items(by_title[one])) for one in _OF_NAMES if one in by_title},
    )


_OF_NAMES = ("Attributes", "Parameters", "Raises")
"""The sections that have entries."""
_MEANT = frozenset({*_OF_NAMES, "See Also", "Returns"})


def _sections(raw: str) -> list[_Section]:
    """Split at underlined titles; lines of a section that means nothing keep title and rule."""
    lines = _dedent(raw)
    sections = [_Section("", 0, [])]
    for number, line in enumerate(lines):
        title = line.strip()
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if title and not line.startswith(" ") and _UNDERLINE.match(following):
            sections.append(_Section(title, number, []))
        sections[-1].lines.append(line)
    return sections


def _dedent(raw: str) -> list[str]:
    """Remove the common indentation, keeping every line so that numbers stay right."""
    lines = raw.expandtabs().split("\n")
    margin = min((len(ln) - len(ln.lstrip()) for ln in lines[1:] if ln.strip()), default=0)
    return [lines[0].strip(), *(line[margin:].rstrip() for line in lines[1:])]


def _items(section: _Section) -> Iterator[_Item]:
    """Yield the entries of a section; `a, b` makes two with the same text."""
    heads = [
        offset
        for offset, line in enumerate(section.lines[2:], start=2)
        if line and not line.startswith(" ") and _NAMES.match(line)
    ]
    for head, end in pairwise([*heads, len(section.lines)]):
        text = cleandoc("\n" + "\n".join(section.lines[head + 1 : end])).strip()
        for name in section.lines[head].partition(":")[0].split(","):
            name = name.strip()
            yield _Item(section.line + head, name, text)


def _see_also(section: _Section | None) -> tuple[str, ...]:
    if section is None:
        return ()
    entries = [line for line in section.lines[2:] if line and not line.startswith(" ")]
    names = [name for entry in entries for name in entry.partition(" :")[0].split(",")]
    return tuple(name.strip() for name in names if name.strip())


def _returns(section: _Section | None) -> str:
    """Return the text of `Returns`, without the line that names the type."""
    if section is None:
        return ""
    body = section.lines[2:]
    indented = [line for line in body if line.startswith(" ")]
    return cleandoc("\n" + "\n".join(indented or body)).strip()
