"""The parser of numpy docstrings.

In: the text of a docstring, and the places of its lines.  Out: a `Docstring`.  It knows no syntax
tree and no declared name.

Written by hand because the parsers of numpydoc and docstring-parser keep no line numbers, which
diagnostics need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from inspect import cleandoc

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
    raw = whole_characters(raw)
    if "---" not in raw:
        return Docstring(cleandoc(raw).strip())
    sections = _sections(raw)
    by_title = {section.title: section for section in sections if section.title in _MEANT}
    text = [line for section in sections if section.title not in _MEANT for line in section.lines]
    return Docstring(
        text=cleandoc("\n".join(text)).strip(),
        see_also=_see_also(by_title.get("See Also")),
        attributes=tuple(_items(by_title.get("Attributes"), place_of)),
        params=tuple(_items(by_title.get("Parameters"), place_of)),
        returns=_returns(by_title.get("Returns")),
        raises=tuple(_items(by_title.get("Raises"), place_of)),
    )


_MEANT = frozenset({"See Also", "Attributes", "Parameters", "Returns", "Raises"})


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


def _items(section: _Section | None, place_of: PlaceOf) -> Iterator[DocItem]:
    """Yield the entries of a section; `a, b` makes two with the same text."""
    if section is None:
        return
    heads = [
        offset
        for offset, line in enumerate(section.lines[2:], start=2)
        if line and not line.startswith(" ") and _NAMES.match(line)
    ]
    for head, end in zip(heads, [*heads[1:], len(section.lines)], strict=True):
        text = cleandoc("\n" + "\n".join(section.lines[head + 1 : end])).strip()
        for name in section.lines[head].partition(":")[0].split(","):
            name = name.strip()
            yield DocItem(name, text, place_of(section.line + head, name))


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
