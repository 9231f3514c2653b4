"""Compiled modules: loading, writing and measuring them."""

from tvm_ffi import Device, Module, Tensor

from uir_nodes import runtime as _nodes
from uir_nodes.runtime import *

from .module import export_library, load_module, tensor_module
from .timing import Timing, profile, time_evaluator

__all__ = [
    "Device",
    "Module",
    "Tensor",
    "Timing",
    "export_library",
    "load_module",
    "profile",
    "tensor_module",
    "time_evaluator",
]
__all__ += _nodes.__all__
