"""Inlining of private functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["InlinePrivateFunctions"]


def InlinePrivateFunctions() -> Pass:
    """Return a pass that inlines private functions.

    A function without a `global_symbol` is private. A function without result is inlined in
    statement position, and one that only returns an expression is inlined everywhere. Recursive
    functions are not inlined. Functions without remaining calls are removed.

    Returns
    -------
    Pass
        The pass, of level 0.
    """
    return make_pass("InlinePrivateFunctions")
