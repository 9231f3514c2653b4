"""Models of ONNX as modules, and ONNX's own interface of backends.

Needs the package `onnx`: install `uir[onnx]`.
"""

from ..errors import InternalError, Unsupported, UnsupportedModelError
from .backend import Backend, PreparedModel
from .errors import UnknownElementsError
from .importer import from_onnx

__all__ = [
    "Backend",
    "InternalError",
    "PreparedModel",
    "UnknownElementsError",
    "Unsupported",
    "UnsupportedModelError",
    "from_onnx",
]
