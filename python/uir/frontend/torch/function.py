"""Modules as functions of PyTorch."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import tvm_ffi

from ...driver import build
from ...ir import IRModule
from .output_tree import structured

__all__ = ["as_torch_function"]


def as_torch_function(
    module: IRModule | tvm_ffi.Module, name: str = "main", *, output_tree: str | None = None
) -> Callable[..., Any]:
    """Return a function of PyTorch's tensors, which shares their memory.

    No gradient flows through it. No result shares the memory of an argument, a constant or another
    result, also where the program returns an input, or one tensor twice.

    Parameters
    ----------
    module
        A module, which is compiled, or a compiled one.
    name
        The function.
    output_tree
        The structure of the outputs, which the function of a module has in its attribute
        `output_tree`, and a library does not.

    Returns
    -------
    Callable
        Takes tensors on the CPU. With a structure it returns the outputs of the program; if the
        program changes tensors, it returns a tuple of the outputs and the new values. Without a
        structure it returns a tensor, a tuple of tensors, or None.

    Raises
    ------
    ImportError
        If PyTorch is not installed.
    AttributeError
        If there is no such function.
    TypeError
        If the outputs have a class that is not registered in this process.
    """
    try:
        from_dlpack = importlib.import_module("torch").from_dlpack
    except ModuleNotFoundError as error:
        message = "`as_torch_function` needs PyTorch: install `uir[torch]`"
        raise ImportError(message) from error
    compiled = build(module) if isinstance(module, IRModule) else module
    function = compiled[name]
    tree = output_tree or tree_of(module, name)
    given = written if name.endswith("_into") else read

    def call(*args: object) -> Any:
        result = function(*(given(arg, place) for place, arg in enumerate(args)))
        tensors = [result] if isinstance(result, tvm_ffi.Tensor) else list(result or [])
        found = [from_dlpack(one) for one in tensors]
        if tree is not None:
            return structured(found, tree)
        if result is None:
            return None
        return found[0] if isinstance(result, tvm_ffi.Tensor) else tuple(found)

    call.__name__ = name
    return call


def tree_of(module: IRModule | tvm_ffi.Module, name: str) -> str | None:
    """Return the structure of the outputs of a function, if its module has it."""
    if not isinstance(module, IRModule):
        return None
    known = {var.name_hint: func for var, func in module.functions.items()}
    tree = known[name].get_attr("output_tree") if name in known else None
    return None if tree is None else str(tree)


def read(arg: Any, _: int) -> tvm_ffi.Tensor:
    """Return an argument; elements whose signs are flags of their tensor are computed first."""
    return tvm_ffi.from_dlpack(arg.detach().resolve_conj().resolve_neg())


def written(arg: Any, place: int) -> tvm_ffi.Tensor:
    """Return an argument that may be written to.

    Raises
    ------
    ValueError
        If the signs of its elements are a flag of the tensor, which its memory does not have.
    """
    if arg.is_neg() or arg.is_conj():
        what = "negative" if arg.is_neg() else "conjugate"
        raise ValueError(
            f"argument {place} has the {what} bit: give it as `tensor.resolve_neg()` or "
            "`tensor.resolve_conj()`"
        )
    return tvm_ffi.from_dlpack(arg.detach())
