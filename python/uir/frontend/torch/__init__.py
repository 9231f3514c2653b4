"""Programs that `torch.export` has captured as modules, and modules as functions of PyTorch.

Needs the package `torch`: install `uir[torch]`.
"""

from ..errors import Unsupported, UnsupportedModelError
from .function import as_torch_function
from .importer import default_decompositions, from_exported_program

__all__ = [
    "Unsupported",
    "UnsupportedModelError",
    "as_torch_function",
    "default_decompositions",
    "from_exported_program",
]
