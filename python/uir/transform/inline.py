"""Inlining of private high-level functions."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["Inline"]


def Inline() -> Pass:
    """Return a pass that puts the bodies of private high-level functions where they are called.

    Dimensions of the callee become those of the arguments. Functions with the attribute
    `primitive` stay, unless the option `Inline.primitive` of the context is true, and so do calls
    of a function in its own body. `DeadCodeElimination` removes the functions that are unused
    afterwards.

    Returns
    -------
    Pass
        The pass, of level 1.
    """
    return make_pass("Inline")
