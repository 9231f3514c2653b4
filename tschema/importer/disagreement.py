"""The report to users about differences between a registry and headers.

In: differences, and the folder that their locations are relative to.  Out: diagnostics, and lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tschema.diagnostics.errors import Diagnostic
from tschema.diagnostics.source import SourceFile, Span
from tschema.importer.records import Found, Location

if TYPE_CHECKING:
    from tschema.importer.differences import Difference

_HELP = "correct the header, or build the library anew"


def diagnose(differences: Iterable[Difference], root: Path) -> Iterator[Diagnostic]:
    """Yield a warning for each difference of classes that both have, in the order of places."""
    files: dict[str, SourceFile] = {}
    told = [one for one in differences if one.fact != "class"]
    for one in sorted(told, key=_place):
        span = span_of(one.location, root, files)
        yield Diagnostic("TS094", "warning", one.message, span, help=_HELP)


def _place(one: Difference) -> tuple[str, int, str]:
    where = one.location
    return (where.path, where.line, one.message) if where is not None else ("", 0, one.message)


def span_of(location: Location | None, root: Path, files: dict[str, SourceFile]) -> Span | None:
    """
    Return the line that a location names; None for no location.

    Parameters
    ----------
    location
        A place in a file.
    root
        The folder that it is relative to.
    files
        The files that were read so far, by path; this one is added.
    """
    if location is None:
        return None
    path = location.path
    if path not in files:
        files[path] = SourceFile(path, _text(root / path))
    text = files[path].line(location.line)
    first = len(text) - len(text.lstrip()) + 1
    return Span(files[path], location.line, first, location.line, len(text.rstrip()) + 1)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def alone(differences: Iterable[Difference], side: str) -> Mapping[str, tuple[str, ...]]:
    """Return the keys of the classes that one side alone has, without reasons."""
    other = {"registry": "headers", "headers": "registry"}[side]
    found = (one for one in differences if one.fact == "class" and getattr(one, other) == "missing")
    return {one.key: () for one in found}


def differing(differences: Iterable[Difference]) -> Mapping[str, tuple[str, ...]]:
    """Return the differences of the two sides, by the key of the class that both have."""
    found: dict[str, tuple[str, ...]] = {}
    for one in differences:
        if one.fact != "class":
            found[one.key] = (*found.get(one.key, ()), one.message_in_class)
    return {key: tuple(sorted(texts)) for key, texts in found.items()}


def keyless(found: Found) -> Mapping[str, tuple[str, ...]]:
    """Return the C++ classes that have no type key, with the reasons."""
    classes = (one for one in found.classes if one.key is None)
    return {f"{one.cpp_namespace or ''}::{one.name}": one.unsaid for one in classes}
