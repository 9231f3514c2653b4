"""The script of a module, from the global functions that the printer registers."""

from __future__ import annotations

from collections.abc import Sequence

from tvm_ffi import Object, get_global_func

from uir_nodes.ir import IRModule

__all__ = ["line_ranges", "script_text", "script_without_metadata"]


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


def line_ranges(module: IRModule, nodes: Sequence[Object]) -> list[list[int]]:
    """Find nodes in `script_without_metadata`.

    Parameters
    ----------
    module
        The module.
    nodes
        The nodes.

    Returns
    -------
    list[list[int]]
        The first and the last line of each node, 1-based; empty if the script does not contain it.
    """
    found = get_global_func("uir.script.line_ranges")(module, nodes, False)
    return [[int(line) for line in lines] for lines in found]
