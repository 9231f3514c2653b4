"""Opaque classes: without a layout that a schema can express, but with the registry's fields.

In: a found class, and the classes that its fields may name.  Out: the class without a size.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath

from msgspec.structs import replace

from tschema.importer.expressible import node_keys
from tschema.importer.headers.files import HEADERS
from tschema.importer.records import FoundClass, FoundField
from tschema.ir.model import ROOT_KEY, TypeRef

ANY = TypeRef(kind="Any")
"""The type of a field whose type the language cannot express."""


def opaque(
    found: FoundClass, named: Collection[str], refused: Collection[tuple[str, str]]
) -> FoundClass:
    """
    Return a class as an opaque one.

    Parameters
    ----------
    named
        The keys of the classes and enums that are declared before it.
    refused
        The keys and fields that the language refuses.
    """
    seen = [field for field in found.fields if field.registered and field.name.isidentifier()]
    kept = [field for field in seen if (found.key or "", field.name) not in refused]
    fields = tuple(
        FoundField(name=field.name, type=_expressible(field.type, named), doc=field.doc)
        for field in kept
    )
    # An ancestor that is not declared is left out: the objects are objects of the next one.
    parent = found.parent if found.parent in named else ROOT_KEY
    return replace(
        found,
        parent=parent,
        fields=fields,
        methods=(),
        omitted=(),
        size=None,
        polymorphic=False,
        # Generated sources include no other files.
        header=found.header if PurePosixPath(found.header or "").suffix in HEADERS else None,
    )


def _expressible(ref: TypeRef | None, named: Collection[str]) -> TypeRef:
    """Return the type of a field, or `ty.Any`, which reads every value."""
    if ref is None:
        return ANY
    for one in ref.walk():
        if one.kind == "foreign" or (one.kind == "enum" and one.key not in named):
            return ANY
    return ref if all(key in named for key in node_keys(ref)) else ANY
