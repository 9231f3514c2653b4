"""Adding, replacing and removing functions of a module."""

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
        The module, which is not changed.
    var
        The function's global variable.
    func
        The function.

    Returns
    -------
    IRModule
        The new module; `module` itself if it already holds this function.

    Raises
    ------
    ValueError
        If another function has the same name or exports the same symbol.
    """
    return _ffi_api.with_function(module, var, func)


def with_functions(module: IRModule, functions: Mapping[GlobalVar, BaseFunc]) -> IRModule:
    """Return a module with several functions added or replaced.

    Parameters
    ----------
    module
        The module, which is not changed.
    functions
        The functions, by their global variables.

    Returns
    -------
    IRModule
        The new module; `module` itself if it already holds these functions.

    Raises
    ------
    ValueError
        If two functions have the same name or export the same symbol.
    """
    return _ffi_api.with_functions(module, functions)


def without_function(module: IRModule, var: GlobalVar) -> IRModule:
    """Return a module with one function removed.

    Parameters
    ----------
    module
        The module, which is not changed.
    var
        The function's global variable.

    Returns
    -------
    IRModule
        The new module.

    Raises
    ------
    ValueError
        If the module has no such function.
    """
    return _ffi_api.without_function(module, var)
