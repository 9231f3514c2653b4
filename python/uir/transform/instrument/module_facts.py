"""The facts that the explorer shows beside the script of a module: its schedule, and its C."""

from __future__ import annotations

from uir_nodes.ir import IRModule

__all__ = ["c_text", "schedule_lines"]


def schedule_lines(module: IRModule) -> list[str]:
    """Return what recipes have chosen for the functions of a module.

    Parameters
    ----------
    module
        The module.

    Returns
    -------
    list[str]
        A line for each choice: the function, and the line of its attribute `schedule_trace`.
    """
    return [
        f"{var.name_hint}: {line}"
        for var, func in module.functions.items()
        for line in func.get_attr("schedule_trace") or ()
    ]


def c_text(module: IRModule) -> str | None:
    """Return the C of a module.

    Parameters
    ----------
    module
        The module.

    Returns
    -------
    str or None
        What `uir.target.emit_c` makes of it for this machine; None unless all its functions are
        lowered, and some are there.
    """
    # Imported on use, to keep `import uir` fast.
    from uir_nodes.target import Target, emit_c
    from uir_nodes.tir import PrimFunc

    if not any(isinstance(func, PrimFunc) for func in module.functions.values()):
        return None
    try:
        return str(emit_c(module, Target()))
    except (ValueError, TypeError):
        return None
