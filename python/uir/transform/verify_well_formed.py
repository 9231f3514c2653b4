"""Raising all that is wrong with a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["VerifyWellFormed"]


def VerifyWellFormed() -> Pass:
    """Return a pass that raises an error with all that `uir.ir.verify` finds wrong with a module.

    Returns
    -------
    Pass
        The pass, of level 0; it returns the module that it is given, or raises ValueError.
    """
    return make_pass("VerifyWellFormed")
