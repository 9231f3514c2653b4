"""The operators of ONNX: a converter for each.

Most follow from the declarations of relay's operators; the others have code, a module for each
family.
"""

from __future__ import annotations

from functools import cache

from ..node import Converter
from . import (
    attention,
    creation,
    elementwise,
    indexing,
    interpolation,
    matrices,
    normalization,
    reductions,
    shapes,
    windows,
)
from .declared import declared_converters

__all__ = ["converters"]

FAMILIES = (
    attention,
    creation,
    elementwise,
    indexing,
    interpolation,
    matrices,
    normalization,
    reductions,
    shapes,
    windows,
)


@cache
def converters() -> dict[str, Converter]:
    """Return the converters by the names of their operators."""
    table = declared_converters()
    for family in FAMILIES:
        table |= family.CONVERTERS
    return table
