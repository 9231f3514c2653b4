"""Elimination of common subexpressions in high-level functions."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["EliminateCommonSubexpr"]


def EliminateCommonSubexpr() -> Pass:
    """Return a pass that computes equal values of a high-level function once.

    Later uses take the variable of the first binding. Values with effects stay, and what one
    branch binds is not known outside of it.

    Returns
    -------
    Pass
        The pass, of level 1.
    """
    return make_pass("EliminateCommonSubexpr")
