"""Digest of a type's layout: what every language's view of a type has to agree on.

In: a type whose layout is filled in, but for the digest.  Out: 16 hexadecimal digits.  Docs,
defaults and methods are left out on purpose: changing them breaks no binary.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from tschema.model import Field, Type

__all__ = ["type_digest"]


def type_digest(type_: Type) -> str:
    """Return the digest of a type's layout, flags, structural kind and child slots."""
    return hashlib.sha256("\n".join(_lines(type_)).encode()).hexdigest()[:16]


def _lines(type_: Type) -> Iterator[str]:
    layout, options = type_.layout, type_.options
    yield f"{type_.key} {type_.parent}"
    yield f"size={layout.size} depth={layout.depth} child_slots={layout.child_slots}"
    yield f"abstract={options.abstract} final={options.final} mutable={options.mutable}"
    yield f"structural={options.structural}"
    yield from map(_field_line, type_.fields)


def _field_line(field: Field) -> str:
    place = f"{field.offset} {field.size} {field.align}"
    return f"{place} {field.name} {field.type} {field.structural}"
