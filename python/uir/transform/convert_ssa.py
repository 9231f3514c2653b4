"""Conversion to static single assignment form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["ConvertSSA"]


def ConvertSSA() -> Pass:
    """Return a pass that gives each binding in a module its own variable or buffer.

    The second binding of a variable, in the same function or another one, gets a new variable of
    the same name in its scope.

    Returns
    -------
    Pass
        The pass, of level 0.
    """
    return make_pass("ConvertSSA")
