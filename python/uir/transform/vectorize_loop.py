"""Vectorization of loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["VectorizeLoop"]


def VectorizeLoop(enable_vectorize: bool = True) -> Pass:
    """Return a pass that replaces loops of kind `VECTORIZED` by vector statements.

    The loop variable becomes a `Ramp`. A statement that cannot be vectorized, such as one under a
    condition that differs between lanes, becomes a serial loop.

    Parameters
    ----------
    enable_vectorize
        Whether to vectorize; if False, the loops become serial.

    Returns
    -------
    Pass
        The pass, of level 0. It raises ValueError for a loop of kind `VECTORIZED` whose extent is
        not constant.
    """
    return make_pass("VectorizeLoop", enable_vectorize)
