"""The script of a module, from the global function that the printer registers."""

from __future__ import annotations

from tvm_ffi import get_global_func

from uir_nodes.ir import IRModule

__all__ = ["script_text", "script_without_metadata"]


def script_text(module: IRModule) -> str:
    """Print a module.

    Parameters
    ----------
    module
        The module.

    Returns
    -------
    str
        Its script.
    """
    printer = get_global_func("uir.script.print")
    return str(printer(module))


def script_without_metadata(module: IRModule) -> str:
    """Print a module without the elements of its constants.

    Parameters
    ----------
    module
        The module.

    Returns
    -------
    str
        Its script, which cannot be parsed if it refers to `metadata`.
    """
    printer = get_global_func("uir.script.print")
    return str(printer(module, False))
