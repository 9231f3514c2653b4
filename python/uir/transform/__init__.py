"""Passes: transformations from module to module."""

from tschema.runtime import bind_types
from uir_nodes import transform as _nodes
from uir_nodes.transform import *
from uir_nodes.transform import count

from .binding_rewriter import BindingRewriter
from .decorators import function_pass, module_pass, prim_func_pass
from .instrument import (
    DumpToFolder,
    Explorer,
    PassRun,
    PassStatistics,
    PassTiming,
    PrintAfter,
    PrintBefore,
    PrintChanged,
    PrintDiff,
    VerifyEach,
    write_explanation,
)
from .instrument_base import Instrument, pass_instrument
from .own_options import with_options
from .pipeline import default_pipeline
from .pipeline_text import parse_pass_pipeline
from .registry import (
    get_option,
    list_options,
    list_pass_names,
    make_pass,
    options_of,
    register_lowering,
    register_option,
    register_pass,
)

__all__ = [
    "BindingRewriter",
    "DumpToFolder",
    "Explorer",
    "Instrument",
    "PassRun",
    "PassStatistics",
    "PassTiming",
    "PrintAfter",
    "PrintBefore",
    "PrintChanged",
    "PrintDiff",
    "VerifyEach",
    "count",
    "default_pipeline",
    "function_pass",
    "get_option",
    "list_options",
    "list_pass_names",
    "make_pass",
    "module_pass",
    "options_of",
    "parse_pass_pipeline",
    "pass_instrument",
    "prim_func_pass",
    "register_lowering",
    "register_option",
    "register_pass",
    "with_options",
    "write_explanation",
]
__all__ += _nodes.__all__

bind_types()  # Passes make nodes of every namespace.
