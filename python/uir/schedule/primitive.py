"""The primitive that takes plain numbers; the others are as they are declared."""

from __future__ import annotations

from collections.abc import Sequence

from uir_nodes.ir import IntImm, PrimExpr
from uir_nodes.tir import PrimFunc, Var

from . import _ffi_api

__all__ = ["split"]


def split(func: PrimFunc, loop: Var | str, factors: Sequence[int | PrimExpr | None]) -> PrimFunc:
    """Split a loop into several, one in the other.

    The loops of `i` are `i_0`, `i_1`, and so on. If their product is not proved to be the extent of
    the loop, the body runs under a condition marked `tir.likely`.

    Parameters
    ----------
    func
        The function.
    loop
        The loop's variable or its name: a serial loop without a step.
    factors
        The extents of the loops, outermost first, at least 1. None, once at most, means the least
        extent with which they cover the loop.

    Returns
    -------
    scheduled
        The function with the loops. Recipes leave the nest as it is.

    Raises
    ------
    ValueError
        If there is no such loop or several, or the loop cannot be split; the message has the script
        with the place.
    """
    numbers = [IntImm("int64", one) if isinstance(one, int) else one for one in factors]
    return _ffi_api.split(func, loop, numbers)
