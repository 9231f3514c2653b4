"""Digest of a type's layout, which all languages must agree on.

In: a node, its fields and its layout without the digest.  Out: 16 hexadecimal digits.  Docs,
defaults and methods are excluded, because changing them does not break the ABI.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from tschema.ir.model import Field, Layout
from tschema.passes.resolved import Node


def type_digest(node: Node, fields: Iterable[Field], layout: Layout) -> str:
    """Return the digest of a type's layout, flags, structural kind and child slots."""
    options = node.options
    lines = (
        f"{node.key} {node.parent_key}",
        f"size={layout.size} depth={layout.depth} child_slots={layout.child_slots}",
        f"abstract={options.abstract} final={options.final} mutable={options.mutable}",
        f"structural={options.structural}",
        *(
            f"{one.offset} {one.size} {one.align} {one.name} {one.type} {one.structural}"
            for one in fields
        ),
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
