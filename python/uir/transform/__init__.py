"""Passes: transformations from module to module."""

from uir_nodes import transform as _nodes
from uir_nodes.transform import *

from .binding_rewriter import BindingRewriter
from .common_subexpr_elim import CommonSubexprElim
from .convert_ssa import ConvertSSA
from .dead_code import DeadCode
from .dead_code_elimination import DeadCodeElimination
from .decompose_ops import DecomposeOps
from .decorators import function_pass, module_pass, prim_func_pass
from .eliminate_common_subexpr import EliminateCommonSubexpr
from .flatten_buffer import FlattenBuffer
from .fuse_ops import FuseOps
from .hoist_if_then_else import HoistIfThenElse
from .infer_type import InferType
from .inline import Inline
from .inline_private_functions import InlinePrivateFunctions
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
from .loop_partition import LoopPartition
from .narrow_data_type import NarrowDataType
from .registry import (
    get_option,
    list_options,
    list_pass_names,
    make_pass,
    register_option,
    register_pass,
)
from .remove_no_op import RemoveNoOp
from .simplify import Simplify
from .simplify_expr import SimplifyExpr
from .storage_rewrite import StorageRewrite
from .substitute import Substitute
from .to_a_normal_form import ToANormalForm
from .unroll_loop import UnrollLoop
from .vectorize_loop import VectorizeLoop
from .verify_well_formed import VerifyWellFormed

__all__ = [
    "BindingRewriter",
    "CommonSubexprElim",
    "ConvertSSA",
    "DeadCode",
    "DeadCodeElimination",
    "DecomposeOps",
    "DumpToFolder",
    "EliminateCommonSubexpr",
    "Explorer",
    "FlattenBuffer",
    "FuseOps",
    "HoistIfThenElse",
    "InferType",
    "Inline",
    "InlinePrivateFunctions",
    "Instrument",
    "LoopPartition",
    "NarrowDataType",
    "PassRun",
    "PassTiming",
    "PrintAfter",
    "PrintBefore",
    "RemoveNoOp",
    "Simplify",
    "SimplifyExpr",
    "StorageRewrite",
    "Substitute",
    "ToANormalForm",
    "UnrollLoop",
    "VectorizeLoop",
    "VerifyEach",
    "VerifyWellFormed",
    "function_pass",
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
