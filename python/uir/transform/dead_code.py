"""Removal of unused bindings in high-level functions."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["DeadCode"]


def DeadCode() -> Pass:
    """Return a pass that removes the bindings of high-level functions that no result depends on.

    Values with effects stay.

    Returns
    -------
    Pass
        The pass, of level 0.
    """
    return make_pass("DeadCode")
