"""Recipes and their choices, as plain lists and dictionaries."""

from __future__ import annotations

from uir_nodes.ir import IRModule
from uir_nodes.transform import Pass

from . import _ffi_api

__all__ = ["recipes", "trace_of"]


def recipes(isa: str = "native") -> list[Pass]:
    """Return the passes that schedule all loop nests, in order.

    They are `ClassifyBlocks` and a recipe for each kind; `default_pipeline` has them.

    Parameters
    ----------
    isa
        The instruction set, which chooses parameters: `native` for that of the machine at hand,
        `x86-64-v3`, `x86-64-v4`, `aarch64` or `generic`. The attribute `isa` of a function,
        which `MultiversionFunctions` sets, goes before it.

    Returns
    -------
    passes
        The passes: a list to edit.

    Raises
    ------
    ValueError
        If there is no such instruction set.
    """
    return list(_ffi_api.recipes(isa))


def trace_of(module: IRModule) -> dict[str, list[str]]:
    """Return what recipes chose for the functions of a module.

    Parameters
    ----------
    module
        A module after the recipes ran.

    Returns
    -------
    trace
        The attribute `schedule_trace` of each function that has one, by the function's name. A line
        is `recipe: nest: choice(parameter=value, ...)`, with `; ` between choices of which the
        function takes one when it runs. The name of a nest is that of the buffer that it stores
        to, with `#2` behind that of the second nest of this name.
    """
    trace = _ffi_api.trace_of(module)
    return {str(name): [str(line) for line in lines] for name, lines in trace.items()}
