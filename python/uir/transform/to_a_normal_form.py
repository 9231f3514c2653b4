"""A-normal form of high-level functions."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["ToANormalForm"]


def ToANormalForm() -> Pass:
    """Return a pass that binds nested values to variables of their own.

    Afterwards the operands of each bound value are variables, constants, and tuples of these.

    Returns
    -------
    Pass
        The pass, of level 0.
    """
    return make_pass("ToANormalForm")
