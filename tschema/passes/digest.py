"""Digest of a type's layout, which all languages must agree on.

In: a node, its fields and its layout without the digest.  Out: 16 hexadecimal digits.  Docs,
defaults and methods are excluded, because changing them does not break the ABI.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from tschema.ir.model import Field, Layout
from tschema.passes.resolved import Node


def type_digest(node: Node, fields: Iterable[Field], layout: Layout) -> str:
    """Return the digest of a type's layout, flags, structural kind and child slots."""
    return hashlib.sha256("\n".join(_lines(node, fields, layout)).encode()).hexdigest()[:16]


def _lines(node: Node, fields: Iterable[Field], layout: Layout) -> Iterator[str]:
    options = node.options
    yield f"{node.key} {node.parent_key}"
    yield f"size={layout.size} depth={layout.depth} child_slots={layout.child_slots}"
    yield f"abstract={options.abstract} final={options.final} mutable={options.mutable}"
    yield f"structural={options.structural}"
    yield from map(_field_line, fields)


def _field_line(field: Field) -> str:
    place = f"{field.offset} {field.size} {field.align}"
    return f"{place} {field.name} {field.type} {field.structural}"
