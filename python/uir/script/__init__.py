"""Script, the text form of modules in Python syntax: the printer and the parser."""

from tschema.runtime import bind_types

from .. import relay, tir
from . import ir
from .diff import diff
from .display import show
from .forms import register_form
from .module import ir_module
from .parser import ScriptError, diagnose, parse, parse_expr, parse_function, parse_value
from .printer import print, underline

__all__ = [
    "ScriptError",
    "diagnose",
    "diff",
    "ir",
    "ir_module",
    "parse",
    "parse_expr",
    "parse_function",
    "parse_value",
    "print",
    "register_form",
    "relay",
    "show",
    "tir",
    "underline",
]

bind_types()  # The parser makes nodes of every namespace.
