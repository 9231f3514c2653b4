"""Simplification of high-level functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["SimplifyExpr"]


def SimplifyExpr() -> Pass:
    """Return a pass that simplifies high-level functions by rules.

    The rules (`x * 1` is `x`, `transpose(transpose(x))` is one transposition or none, a cast back
    from a wider type goes) keep every value to the last bit, NaN and -0.0 among them, and every
    shape and data type. Branches whose condition is constant are chosen. `DeadCode` removes the
    bindings that are unused afterwards.

    Returns
    -------
    Pass
        The pass, of level 1, for functions in A-normal form with types.
    """
    return make_pass("SimplifyExpr")
