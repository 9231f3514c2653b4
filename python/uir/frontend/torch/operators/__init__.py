"""The operators of ATen: a converter for each."""

from __future__ import annotations

from ..node import Converter
from . import creation, elementwise, indexing, layers, matrices, reductions, shapes, strides

__all__ = ["CONVERTERS"]

CONVERTERS: dict[str, Converter] = {
    f"aten.{name}": converter
    for family in (creation, elementwise, indexing, layers, matrices, reductions, shapes, strides)
    for name, converter in family.CONVERTERS.items()
}
