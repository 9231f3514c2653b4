"""Removal of unreachable functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["DeadCodeElimination"]


def DeadCodeElimination(entries: Sequence[str] = ()) -> Pass:
    """Return a pass that removes unreachable private functions.

    The roots are the functions with a `global_symbol`, the external functions and `entries`. A
    module without roots does not change.

    Parameters
    ----------
    entries
        Names of additional roots.

    Returns
    -------
    Pass
        The pass, of level 0. It raises ValueError for an entry that the module does not have.
    """
    return make_pass("DeadCodeElimination", list(entries))
