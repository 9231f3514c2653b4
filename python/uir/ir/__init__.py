"""Nodes that every dialect shares: expressions, types, operators, functions and modules."""

from tschema.runtime import (
    deep_copy,
    first_mismatch,
    load_binary,
    load_json,
    post_order,
    save_binary,
    save_json,
    structural_equal,
    structural_hash,
    walk,
)
from uir_nodes import ir as _nodes
from uir_nodes.ir import *

from .diagnostics import describe, object_address, render_diagnostics
from .function import with_attr
from .module import with_function, with_functions, without_function
from .node_error import NodeError, error_context, raise_at
from .op import get_op, has_op, list_op_names, op_attr, register_op, set_op_attr
from .source_map import source_map
from .text import install_text
from .verify import verify

__all__ = [
    "NodeError",
    "deep_copy",
    "describe",
    "error_context",
    "first_mismatch",
    "get_op",
    "has_op",
    "list_op_names",
    "load_binary",
    "load_json",
    "object_address",
    "op_attr",
    "post_order",
    "raise_at",
    "register_op",
    "render_diagnostics",
    "save_binary",
    "save_json",
    "set_op_attr",
    "source_map",
    "structural_equal",
    "structural_hash",
    "verify",
    "walk",
    "with_attr",
    "with_function",
    "with_functions",
    "without_function",
]
__all__ += _nodes.__all__

install_text([BaseExpr, Type, Range], declarations=False)
install_text([IRModule, BaseFunc], declarations=True)
