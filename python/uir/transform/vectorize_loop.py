"""Turning vectorized loops into statements on vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["VectorizeLoop"]


def VectorizeLoop(enable_vectorize: bool = True) -> Pass:
    """Return a pass that turns loops of kind `VECTORIZED` into statements on vectors.

    The variable becomes a `Ramp`. A statement that has no form for several lanes, such as one that
    depends on a condition that differs between them, becomes a serial loop of its own.

    Parameters
    ----------
    enable_vectorize
        Whether to make vectors; otherwise the loops become serial ones.

    Returns
    -------
    Pass
        The pass, of level 0. It raises ValueError for a loop of kind `VECTORIZED` whose extent is
        not constant.
    """
    return make_pass("VectorizeLoop", enable_vectorize)
