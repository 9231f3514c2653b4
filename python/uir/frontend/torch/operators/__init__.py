"""The operators of ATen: a converter for each."""

from __future__ import annotations

from importlib import import_module

from ..node import Converter
from . import experts, quantization, selection
from .elementwise import convert_element_type

__all__ = ["CONVERTERS"]

# The modules of this folder.
FAMILIES = (
    *("bags", "creation", "elementwise", "indexing", "layers", "matrices"),
    *("pooling", "reductions", "scans", "scatters", "selection", "shapes"),
    *("special", "statistics", "strides"),
)

# Views, which other operators copy at once: `view_copy` of `view`.
VIEWS = (
    *("alias.default", "detach.default", "diagonal.default", "expand.default", "permute.default"),
    *("select.int", "slice.Tensor", "split_with_sizes.default", "squeeze.dim", "squeeze.dims"),
    *("transpose.int", "unfold.default", "unsqueeze.default", "view.default"),
)

EACH: dict[str, Converter] = {}
for family in FAMILIES:
    EACH |= import_module(f"{__name__}.{family}").CONVERTERS

CONVERTERS: dict[str, Converter] = {
    **{f"aten.{name}": converter for name, converter in EACH.items()},
    **{f"aten.{name.replace('.', '_copy.')}": EACH[name] for name in VIEWS},
    **experts.CONVERTERS,
    **quantization.CONVERTERS,
    **selection.OTHERS,
    "prims.convert_element_type.default": convert_element_type,
}
