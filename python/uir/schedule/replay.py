"""What recipes chose, and how to choose the same again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from uir_nodes.ir import IRModule
from uir_nodes.transform import Pass

from . import _ffi_api

__all__ = ["recipes", "replay", "trace_of"]


def recipes(isa: str = "native") -> list[Pass]:
    """Return the passes that schedule all loop nests, in order.

    They are `ClassifyBlocks` and a recipe for each kind; `default_pipeline` has them.

    Parameters
    ----------
    isa
        The instruction set, which chooses parameters: `native` for that of the machine at hand,
        `x86-64-v3`, `x86-64-v4` or `generic`.

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


def replay(module: IRModule, trace: Mapping[str, Sequence[str]]) -> IRModule:
    """Schedule a module as a trace says, on any machine and with any table of parameters.

    A nest that the trace has no line for stays as it is.

    Parameters
    ----------
    module
        The module, as it was before the recipes ran.
    trace
        Lines by the names of functions, as `trace_of` returns them.

    Returns
    -------
    scheduled
        The scheduled module: the same module and the same trace give the same
        result.

    Raises
    ------
    ValueError
        If a line is malformed, a number in it is out of range, or the module has no such
        function, recipe or nest.
    """
    return _ffi_api.replay(module, trace)
