"""Passes with options of their own, which differ from those of the context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from uir_nodes.ir import IRModule
from uir_nodes.transform import Pass, PassContext

from .decorators import module_pass

__all__ = ["with_options"]


def with_options(pass_: Pass, options: Mapping[str, Any]) -> Pass:
    """Return a pass that runs with options of its own.

    Parameters
    ----------
    pass_
        The pass.
    options
        Values by the full names of options. They override the values of the context.

    Returns
    -------
    Pass
        A pass of the same name and level.

    Raises
    ------
    TypeError, ValueError
        If `PassContext` refuses the options.

    Examples
    --------
    >>> from uir.transform import UnrollLoop
    >>> print(with_options(UnrollLoop(), {"UnrollLoop.auto_max_step": 4}))
    UnrollLoop (level 0)
    """
    info = pass_.pass_info
    PassContext(config=options)  # Checks the options.

    @module_pass(opt_level=info.opt_level, name=info.name, required=list(info.required))
    def run(module: IRModule, context: PassContext) -> IRModule:
        inner = PassContext(
            opt_level=context.opt_level,
            required_pass=list(context.required_pass),
            disabled_pass=list(context.disabled_pass),
            config={**context.config, **options},
        )
        with inner:
            return pass_(module)

    return run
