"""The comparison of two versions of a schema.

In: the old and the new JSON IR of one package.  Out: the changes that break something, in the order
of the new declarations, with removals first.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.compatibility.calls import compare_functions
from tschema.compatibility.classes import compare_classes
from tschema.compatibility.enums import compare_enums
from tschema.compatibility.operators import compare_operators
from tschema.compatibility.rules import Change
from tschema.ir.model import Schema


def compare(old: Schema, new: Schema) -> Iterator[Change]:
    """Yield the changes of the new schema that break users of the old one.

    Parameters
    ----------
    old, new
        Two versions of the declarations of one package.
    """
    yield from compare_classes(old, new)
    yield from compare_enums(old, new)
    yield from compare_functions(old, new)
    yield from compare_operators(old, new)
