"""The text form of modules: Python syntax, printed and read."""

from uir_nodes.ir import BaseFunc, IRModule, PrimExpr
from uir_nodes.tir import Stmt

from .parser import ScriptError, parse
from .printer import install_text, print, underline

__all__ = ["ScriptError", "parse", "print", "underline"]

install_text([IRModule, BaseFunc], lambda node: print(node))
install_text([PrimExpr, Stmt], lambda node: print(node, declarations=False))
