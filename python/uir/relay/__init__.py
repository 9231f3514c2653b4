"""High-level functions on tensors, without memory and loops."""

from uir_nodes import relay as _nodes
from uir_nodes.relay import *

from ..ir.text import install_text
from .call import call_destination_passing, require
from .constant import const
from .evaluation import evaluate
from .function import function
from .padding import pad as pad
from .tensor import Tensor

__all__ = [
    "Tensor",
    "call_destination_passing",
    "const",
    "evaluate",
    "function",
    "require",
]
__all__ += _nodes.__all__

install_text([Binding, Block], declarations=False)
