"""Passes: transformations of modules, as objects."""

from uir_nodes.transform import (
    ModulePass,
    Pass,
    PassContext,
    PassInfo,
    PassInstrument,
    PrimFuncPass,
    Sequential,
)

__all__ = [
    "ModulePass",
    "Pass",
    "PassContext",
    "PassInfo",
    "PassInstrument",
    "PrimFuncPass",
    "Sequential",
]
