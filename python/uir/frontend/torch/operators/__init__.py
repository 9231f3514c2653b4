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

# Views, which other operators copy at once: `view_copy` of `view`.
VIEWS = (
    *("alias.default", "detach.default", "diagonal.default", "expand.default", "permute.default"),
    *("select.int", "slice.Tensor", "split_with_sizes.default", "squeeze.dim", "squeeze.dims"),
    *("transpose.int", "unfold.default", "unsqueeze.default", "view.default"),
)

EACH: dict[str, Converter] = {
    name: converter for family in FAMILIES for name, converter in family.CONVERTERS.items()
}

CONVERTERS: dict[str, Converter] = {
    **{f"aten.{name}": converter for name, converter in EACH.items()},
    **{f"aten.{name.replace('.', '_copy.')}": EACH[name] for name in VIEWS},
}
