"""Tensor-level functions: scalar expressions, buffers and statements."""

from uir_nodes import tir as _nodes
from uir_nodes.tir import *

from .arith_op import add, div, floordiv, floormod, max, min, mul, neg, sub, truncdiv, truncmod
from .bit_op import bitwise_and, bitwise_not, bitwise_or, bitwise_xor, left_shift, right_shift
from .buffer import decl_buffer
from .builder import IRBuilder, builder
from .logic_op import (
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    not_equal,
)
from .op import Operand, as_expr, as_operands, call_intrin, cast, const, effect_kind, select
from .stmt import flatten_seq

__all__ = [
    "IRBuilder",
    "Operand",
    "add",
    "as_expr",
    "as_operands",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "builder",
    "call_intrin",
    "cast",
    "const",
    "decl_buffer",
    "div",
    "effect_kind",
    "equal",
    "flatten_seq",
    "floordiv",
    "floormod",
    "greater",
    "greater_equal",
    "left_shift",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "max",
    "min",
    "mul",
    "neg",
    "not_equal",
    "right_shift",
    "select",
    "sub",
    "truncdiv",
    "truncmod",
]
__all__ += _nodes.__all__
