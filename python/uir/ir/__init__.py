"""Nodes that every dialect shares: expressions, types, operators, functions and modules."""

from uir_nodes import ir as _nodes
from uir_nodes.ir import *

from .diagnostics import describe, object_address
from .function import with_attr
from .module import with_function, without_function
from .op import get_op, list_op_names, op_attr, register_op, set_op_attr

__all__ = [
    "describe",
    "get_op",
    "list_op_names",
    "object_address",
    "op_attr",
    "register_op",
    "set_op_attr",
    "with_attr",
    "with_function",
    "without_function",
]
__all__ += _nodes.__all__
