"""Compiled modules: loading, writing and measuring them."""

from tvm_ffi import Device, Module, Tensor

from uir_nodes import runtime as _nodes
from uir_nodes.runtime import *
from uir_nodes.runtime import num_threads, set_num_threads

from .arrays import as_array, as_tensor, numpy_dtype, view_as
from .module import export_library, load_module, needed_versions, tensor_module
from .named_function import NamedFunction, TensorInfo, named_function
from .notebook import install_html
from .timing import Timing, profile, time_evaluator

__all__ = [
    "Device",
    "Module",
    "NamedFunction",
    "Tensor",
    "TensorInfo",
    "Timing",
    "as_array",
    "as_tensor",
    "export_library",
    "load_module",
    "named_function",
    "needed_versions",
    "num_threads",
    "numpy_dtype",
    "profile",
    "set_num_threads",
    "tensor_module",
    "time_evaluator",
    "view_as",
]
__all__ += _nodes.__all__

install_html()
