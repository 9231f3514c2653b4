"""Programs that `torch.export` has captured as modules, and modules as functions of PyTorch.

Needs the package `torch`: install `uir[torch]`.
"""

from ..errors import InternalError, Unsupported, UnsupportedModelError
from .function import as_torch_function
from .importer import default_decompositions, from_exported_program

__all__ = [
    "InternalError",
    "Unsupported",
    "UnsupportedModelError",
    "as_torch_function",
    "default_decompositions",
    "from_exported_program",
]
