"""Verification of modules, as a pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["VerifyWellFormed"]


def VerifyWellFormed() -> Pass:
    """Return a pass that raises an error if `uir.ir.verify` finds violations.

    Returns
    -------
    Pass
        The pass, of level 0; it returns its input, or raises ValueError.
    """
    return make_pass("VerifyWellFormed")
