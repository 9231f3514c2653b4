"""Passes: transformations of modules, as objects."""

from uir_nodes import transform as _nodes
from uir_nodes.transform import *

from .common_subexpr_elim import CommonSubexprElim
from .convert_ssa import ConvertSSA
from .decorators import module_pass, prim_func_pass
from .instrument import (
    DumpToFolder,
    Explorer,
    PassRun,
    PassTiming,
    PrintAfter,
    PrintBefore,
    VerifyEach,
)
from .instrument_base import Instrument, pass_instrument
from .registry import (
    get_option,
    list_options,
    list_pass_names,
    make_pass,
    register_option,
    register_pass,
)
from .simplify import Simplify

__all__ = [
    "CommonSubexprElim",
    "ConvertSSA",
    "DumpToFolder",
    "Explorer",
    "Instrument",
    "PassRun",
    "PassTiming",
    "PrintAfter",
    "PrintBefore",
    "Simplify",
    "VerifyEach",
    "get_option",
    "list_options",
    "list_pass_names",
    "make_pass",
    "module_pass",
    "pass_instrument",
    "prim_func_pass",
    "register_option",
    "register_pass",
]
__all__ += _nodes.__all__
