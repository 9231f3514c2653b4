"""Putting the bodies of private functions where they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["InlinePrivateFunctions"]


def InlinePrivateFunctions() -> Pass:
    """Return a pass that puts the bodies of private functions where they are called.

    A function is private if it has no `global_symbol`. One that returns nothing is inlined where
    the call is a statement, one that only returns an expression wherever it is called. Recursive
    functions stay. Those whose calls are all gone are removed.

    Returns
    -------
    Pass
        The pass, of level 0.
    """
    return make_pass("InlinePrivateFunctions")
