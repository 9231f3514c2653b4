"""Unrolling of loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["UnrollLoop"]


def UnrollLoop() -> Pass:
    """Return a pass that unrolls loops of kind `UNROLLED`, and short serial loops.

    These options of the context select the serial loops to unroll, by default none:

    - `UnrollLoop.auto_max_step`: the maximum number of stores and calls after unrolling (0).
    - `UnrollLoop.auto_max_depth`: the maximum number of nested loops to unroll (8).
    - `UnrollLoop.auto_max_extent`: the maximum number of iterations (0).
    - `UnrollLoop.explicit_unroll`: whether to replace loops by their iterations, instead of only
      marking them `UNROLLED` (True).

    The attributes `pragma_auto_unroll_max_step` and `pragma_unroll_explicit` override two of them
    for a statement.

    Returns
    -------
    Pass
        The pass, of level 0. It raises ValueError for a loop of kind `UNROLLED` whose extent is not
        constant.
    """
    return make_pass("UnrollLoop")
