"""Tensor expressions: operations on tensors, without loops and memory."""

from uir_nodes import te as _nodes
from uir_nodes.te import *

from .operation import (
    compute,
    create_prim_func,
    extern,
    placeholder,
    reduce_axis,
    size_var,
    thread_axis,
    var,
)
from .reduction import comm_reducer, max, min, prod, sum

__all__ = [
    "comm_reducer",
    "compute",
    "create_prim_func",
    "extern",
    "max",
    "min",
    "placeholder",
    "prod",
    "reduce_axis",
    "size_var",
    "sum",
    "thread_axis",
    "var",
]
__all__ += _nodes.__all__
