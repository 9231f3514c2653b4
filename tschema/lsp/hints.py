"""Annotations of the text: offsets of fields, and counts above declarations.

In: a parsed schema file and the declarations that it sees.  Out: inlay hints and code lenses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lsprotocol import types as lsp

from tschema.ir.declarations import ClassDecl, FileDecl
from tschema.ir.model import Field
from tschema.lsp.index import SchemaIndex
from tschema.lsp.positions import Positions

SHOW_REFERENCES = "tschema.showReferences"
"""The command of a client that a lens with users runs, given a URI and a position."""


def offset_hints(
    file: FileDecl, index: SchemaIndex, positions: Positions, first: int, last: int
) -> Iterator[lsp.InlayHint]:
    """
    Yield the offset of each field.

    Parameters
    ----------
    first, last
        0-based lines between which hints are wanted.
    """
    for decl in file.classes:
        if decl.fields and decl.fields[-1].place.at[0] > first and decl.place.at[0] <= last + 1:
            yield from _of_class(decl, file, index, positions)


def _of_class(
    decl: ClassDecl, file: FileDecl, index: SchemaIndex, positions: Positions
) -> Iterator[lsp.InlayHint]:
    target = index.targets.get(f"{file.namespace}.{decl.name}")
    type_ = index.schema.find_type(target.key) if target is not None else None
    if type_ is None or type_.is_opaque:
        return
    placed = {field.name: field for field in type_.members}
    for field in decl.fields:
        if field.name in placed and field.annotation is not None:
            end = positions.range(field.annotation.place.span()).end
            yield _hint(end, placed[field.name], type_.layout.size)


def _hint(position: lsp.Position, field: Field, size: int) -> lsp.InlayHint:
    end = field.offset + field.size
    tooltip = f"bytes {field.offset} to {end} of {size}, aligned to {field.align}"
    return lsp.InlayHint(position, f"@{field.offset}", tooltip=tooltip, padding_left=True)


def lenses(
    file: FileDecl,
    index: SchemaIndex,
    positions: Positions,
    breaking: Mapping[str, int],
    uri: str,
) -> Iterator[lsp.CodeLens]:
    """
    Yield the number of users of each class and enum, and of changes that break users.

    Parameters
    ----------
    breaking
        How many changes of a declaration break users, by key.
    """
    for decl in file.classes:
        target = index.targets.get(f"{file.namespace}.{decl.name}")
        if target is not None:
            place = positions.range(decl.place.span())
            yield _lens(place, _count(index.users[target.key], "user"), uri)
            if breaking.get(target.key):
                yield _lens(place, _count(breaking[target.key], "breaking change"), uri)
    for function in file.functions:
        place = positions.range(function.place.span())
        if count := breaking.get(f"{file.namespace}.{function.name}"):
            yield _lens(place, _count(count, "breaking change"), uri)


def _lens(place: lsp.Range, title: str, uri: str) -> lsp.CodeLens:
    position = {"line": place.start.line, "character": place.start.character}
    return lsp.CodeLens(place, lsp.Command(title, SHOW_REFERENCES, arguments=[uri, position]))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
