"""Common subexpression elimination."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["CommonSubexprElim"]


def CommonSubexprElim() -> Pass:
    """Return a pass that binds repeated subexpressions to variables.

    It considers arithmetic, comparisons, logic, casts and selections, but not loads and calls. A
    value is bound before its first use in the lowest common ancestor of its uses. A division that
    may fail is not hoisted to a path that does not compute it.

    Returns
    -------
    Pass
        The pass, of level 0.
    """
    return make_pass("CommonSubexprElim")
