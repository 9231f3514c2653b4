"""Functions of a module: adding, replacing and removing them."""

from __future__ import annotations

from collections.abc import Mapping

from uir_nodes.ir import BaseFunc, GlobalVar, IRModule

from . import _ffi_api

__all__ = ["with_function", "with_functions", "without_function"]


def with_function(module: IRModule, var: GlobalVar, func: BaseFunc) -> IRModule:
    """Return a module with one function added or replaced.

    Parameters
    ----------
    module
        The module to start from; it stays as it is.
    var
        The variable that stands for the function.
    func
        The function.

    Returns
    -------
    IRModule
        The other module; the same one where it has this very function.

    Raises
    ------
    ValueError
        If another function has that name, or exports the same symbol.
    """
    return _ffi_api.with_function(module, var, func)


def with_functions(module: IRModule, functions: Mapping[GlobalVar, BaseFunc]) -> IRModule:
    """Return a module with functions added or replaced, all at once.

    Parameters
    ----------
    module
        The module to start from; it stays as it is.
    functions
        The functions by the variable that stands for them.

    Returns
    -------
    IRModule
        The other module; the same one where it has these very functions.

    Raises
    ------
    ValueError
        If two functions have one name, or export the same symbol.
    """
    return _ffi_api.with_functions(module, functions)


def without_function(module: IRModule, var: GlobalVar) -> IRModule:
    """Return a module with one function removed.

    Parameters
    ----------
    module
        The module to start from; it stays as it is.
    var
        The variable that stands for the function.

    Returns
    -------
    IRModule
        The other module.

    Raises
    ------
    ValueError
        If the module has no such function.
    """
    return _ffi_api.without_function(module, var)
