"""The operators of ATen: a converter for each."""

from __future__ import annotations

from ..node import Converter
from . import (
    creation,
    elementwise,
    indexing,
    layers,
    matrices,
    pooling,
    reductions,
    shapes,
    statistics,
    strides,
)

__all__ = ["CONVERTERS"]

FAMILIES = (
    creation,
    elementwise,
    indexing,
    layers,
    matrices,
    pooling,
    reductions,
    shapes,
    statistics,
    strides,
)

CONVERTERS: dict[str, Converter] = {
    f"aten.{name}": converter
    for family in FAMILIES
    for name, converter in family.CONVERTERS.items()
}
