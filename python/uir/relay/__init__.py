"""High-level functions on tensors, without memory and loops."""

from uir_nodes import relay as _nodes
from uir_nodes.relay import *

from .call import call_destination_passing
from .constant import const
from .evaluation import evaluate
from .function import function
from .padding import pad
from .tensor import Tensor

__all__ = [
    "Tensor",
    "call_destination_passing",
    "const",
    "evaluate",
    "function",
    "pad",
]
__all__ += [name for name in _nodes.__all__ if name not in __all__]
