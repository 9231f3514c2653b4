"""Removing functions that nothing calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["DeadCodeElimination"]


def DeadCodeElimination(entries: Sequence[str] = ()) -> Pass:
    """Return a pass that removes private functions that cannot be reached.

    Functions with a `global_symbol`, those that are defined elsewhere and `entries` are where calls
    begin. A module that has none of them stays as it is.

    Parameters
    ----------
    entries
        Names of further functions that are called from outside.

    Returns
    -------
    Pass
        The pass, of level 0. It raises ValueError for an entry that the module does not have.
    """
    return make_pass("DeadCodeElimination", list(entries))
