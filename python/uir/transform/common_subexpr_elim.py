"""Computing what is computed several times once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["CommonSubexprElim"]


def CommonSubexprElim() -> Pass:
    """Return a pass that binds values that a function computes several times to variables.

    Values are made by arithmetic, comparisons, logic, conversions and choices; what reads memory or
    calls something is computed as often as before. A value is bound in the innermost sequence that
    holds all its computations, before the first one. A division that may fail is not moved to
    where the program does not compute it.

    Returns
    -------
    Pass
        The pass, of level 0.
    """
    return make_pass("CommonSubexprElim")
