"""Modules as functions of PyTorch."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import tvm_ffi

from ...driver import build
from ...ir import IRModule

__all__ = ["as_torch_function"]


def as_torch_function(module: IRModule | tvm_ffi.Module, name: str = "main") -> Callable[..., Any]:
    """Return a function of PyTorch's tensors, which shares their memory.

    No gradient flows through it.

    Parameters
    ----------
    module
        A module, which is compiled, or a compiled one.
    name
        The function.

    Returns
    -------
    Callable
        Takes tensors on the CPU, and returns a tensor, a tuple of several ones, or None.

    Raises
    ------
    ImportError
        If PyTorch is not installed.
    AttributeError
        If there is no such function.
    """
    try:
        from_dlpack = importlib.import_module("torch").from_dlpack
    except ModuleNotFoundError as error:
        message = "`as_torch_function` needs PyTorch: install `uir[torch]`"
        raise ImportError(message) from error
    compiled = build(module) if isinstance(module, IRModule) else module
    function = compiled[name]

    def call(*args: Any) -> Any:
        result = function(*(tvm_ffi.from_dlpack(arg.detach()) for arg in args))
        if result is None:
            return None
        if isinstance(result, tvm_ffi.Tensor):
            return from_dlpack(result)
        return tuple(from_dlpack(one) for one in result)

    call.__name__ = name
    return call
