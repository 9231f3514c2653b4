"""Script, the text form of modules in Python syntax: the printer and the parser."""

from uir_nodes.ir import BaseFunc, IRModule, PrimExpr
from uir_nodes.tir import Stmt

from .. import ir, relay, tir
from .diff import diff
from .display import install_text, show
from .forms import register_form
from .module import ir_module
from .parser import ScriptError, parse
from .printer import print, underline

__all__ = [
    "ScriptError",
    "diff",
    "ir",
    "ir_module",
    "parse",
    "print",
    "register_form",
    "relay",
    "show",
    "tir",
    "underline",
]

install_text([IRModule, BaseFunc], lambda node: print(node))
install_text([PrimExpr, Stmt], lambda node: print(node, declarations=False))
