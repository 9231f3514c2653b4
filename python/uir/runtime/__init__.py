"""Compiled modules: loading, writing and measuring them."""

from tvm_ffi import Device, Module, Tensor

from .module import export_library, load_module, tensor_module
from .timing import Timing, time_evaluator

__all__ = [
    "Device",
    "Module",
    "Tensor",
    "Timing",
    "export_library",
    "load_module",
    "tensor_module",
    "time_evaluator",
]
