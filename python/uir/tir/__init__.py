"""Tensor-level functions: scalar expressions, buffers and statements."""

from typing import TYPE_CHECKING

from uir_nodes import tir as _nodes
from uir_nodes.tir import *

from ..ir.text import install_text
from .buffer import decl_buffer
from .builder import IRBuilder, builder
from .call import all, any, call_extern, call_packed, call_pure_extern, reinterpret
from .macro import inline, macro
from .op import Operand, as_expr, as_operands, call_intrin, const
from .prim_func import prim_func

if not TYPE_CHECKING:
    # It would hide misspelt names from type checkers.
    from .annotation import __getattr__ as __getattr__

__all__ = [
    "IRBuilder",
    "Operand",
    "all",
    "any",
    "as_expr",
    "as_operands",
    "builder",
    "call_extern",
    "call_intrin",
    "call_packed",
    "call_pure_extern",
    "const",
    "decl_buffer",
    "inline",
    "macro",
    "prim_func",
    "reinterpret",
]
__all__ += _nodes.__all__

install_text([Stmt, Buffer, BufferRegion], declarations=False)
