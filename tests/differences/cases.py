"""The inputs for which NumPy, PyTorch, ONNX and uir differ: one table, in chapters.

`page.py` writes `differences.md` of it; tests run each program and compare with the page.
"""

from __future__ import annotations

from .case import Case
from .floats import ORDER, ROUNDING, SPECIAL
from .integers import DATA_TYPES, INTEGERS
from .tensors import DEFINITIONS, INDICES, NO_ELEMENTS, SHAPES

__all__ = ["CASES", "CHAPTERS"]

CHAPTERS: dict[str, list[Case]] = {
    "Integers": INTEGERS,
    "Data types": DATA_TYPES,
    "NaN, infinities and zeros": SPECIAL,
    "Rounding": ROUNDING,
    "Order": ORDER,
    "No elements, no axes": NO_ELEMENTS,
    "Indices": INDICES,
    "Shapes and memory": SHAPES,
    "Definitions and defaults": DEFINITIONS,
}
CASES = [case for cases in CHAPTERS.values() for case in cases]
