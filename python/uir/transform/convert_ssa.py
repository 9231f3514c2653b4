"""Giving each binding a variable of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["ConvertSSA"]


def ConvertSSA() -> Pass:
    """Return a pass that gives each binding in a module a variable, or a buffer, of its own.

    Where one is bound a second time, in the same function or in another one, it is a new one of the
    same name from there to the end of its scope.

    Returns
    -------
    Pass
        The pass, of level 0.
    """
    return make_pass("ConvertSSA")
