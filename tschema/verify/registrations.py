"""Whether a class that tschema registers is registered by hand too, which tvm-ffi refuses.

In: the schema, and the C++ files.  Out: diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.diagnostics.errors import Diagnostic
from tschema.ir.model import Schema
from tschema.ir.spelling import registered_classes
from tschema.verify.hand_registrations import find_registrations
from tschema.verify.sources import CppFiles


def check_registrations(schema: Schema, files: CppFiles) -> Iterator[Diagnostic]:
    """Yield the chains `ObjectDef<FooNode>()` of classes that generated sources register."""
    names = registered_classes(schema)
    for file in files.files:
        for chain in find_registrations(file.data, names):
            # Characters, where the chain has bytes.
            start = len(file.data[: chain.start].decode("utf-8", "replace"))
            first = file.source.text[start : start + chain.stop - chain.start].partition("\n")[0]
            yield Diagnostic(
                "TS152",
                "error",
                f"`{chain.name}` is registered here by hand, and by the generated sources",
                file.span(start, len(first)),
                help='`tschema gen --adopt` takes it out; `register = "hand"` lets it be',
            )
