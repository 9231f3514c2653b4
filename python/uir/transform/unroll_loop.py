"""Writing the iterations of loops out one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["UnrollLoop"]


def UnrollLoop() -> Pass:
    """Return a pass that writes out the iterations of loops of kind `UNROLLED`, and of short ones.

    These options of the context say which serial loops are unrolled too; by default none is:

    - `UnrollLoop.auto_max_step`: those that give at most so many stores and calls (0).
    - `UnrollLoop.auto_max_depth`: of those at most so many inside each other (8).
    - `UnrollLoop.auto_max_extent`: those of at most so many iterations (0).
    - `UnrollLoop.explicit_unroll`: whether iterations are written out; otherwise loops are only
      marked `UNROLLED` (True).

    The notes `pragma_auto_unroll_max_step` and `pragma_unroll_explicit` set two of them for the
    statement that they are attached to.

    Returns
    -------
    Pass
        The pass, of level 0. It raises ValueError for a loop of kind `UNROLLED` whose extent is not
        constant.
    """
    return make_pass("UnrollLoop")
