"""The operators of ONNX: a converter for each.

Most follow from the declarations of relay's operators; the others have code, a module for each
family.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ..node import Converter
from .declared import declared_converters

__all__ = ["converters", "is_own"]

# The modules of each domain's operators; "" is ONNX's own, whose other name is `ai.onnx`.
FAMILIES: dict[str, tuple[str, ...]] = {
    "": (
        *("attention", "creation", "deformable", "elementwise", "fourier", "indexing"),
        *("interpolation", "matrices", "normalization", "quantization", "recurrent"),
        *("reductions", "regions", "sampling", "selection", "shapes", "slices", "windows"),
    ),
    "ai.onnx.ml": ("encoders", "features", "linear_models", "support_vectors", "trees"),
    "com.microsoft": (
        *("microsoft_attention", "microsoft_bits", "microsoft_fused", "microsoft_norms"),
        *("microsoft_quantized", "microsoft_rotary"),
    ),
}


def is_own(domain: str) -> bool:
    """Return whether a domain is that of ONNX's own operators."""
    return domain in ("", "ai.onnx")


@cache
def converters(domain: str = "") -> dict[str, Converter]:
    """Return the converters of a domain by the names of their operators."""
    table = declared_converters() if is_own(domain) else {}
    for family in FAMILIES.get("" if is_own(domain) else domain, ()):
        table |= import_module(f"{__name__}.{family}").CONVERTERS
    return table
