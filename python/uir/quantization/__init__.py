"""Quantized models of ONNX: integers of 8 bits by calibration data, or weights of a few bits.

Needs the package `onnx`: install `uir[onnx]`.
"""

from .differences import Difference
from .outcome import Quantized
from .page import write_page
from .report import LayerRow, OutputRow, Report
from .static import quantize
from .weights import quantize_weights

__all__ = [
    "Difference",
    "LayerRow",
    "OutputRow",
    "Quantized",
    "Report",
    "quantize",
    "quantize_weights",
    "write_page",
]
