"""Decomposition of operators into others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["DecomposeOps"]


def DecomposeOps() -> Pass:
    """Return a pass that takes operators apart into calls of others.

    The `decompose` of an operator's declaration says into which; the parts are taken apart too.
    The option `DecomposeOps.keep` of the context lists names of operators that stay whole, such as
    `relay.softmax`. An operator also stays where its declaration says so: norms of 16-bit numbers,
    means along dimensions that are not constant.

    Returns
    -------
    Pass
        The pass, of level 1, for functions in A-normal form with types. It raises ValueError if
        `DecomposeOps.keep` names no operator.
    """
    return make_pass("DecomposeOps")
