"""Putting expressions in the places of variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.ir import PrimExpr
    from uir_nodes.tir import Var
    from uir_nodes.transform import Pass

__all__ = ["Substitute"]


def Substitute(substitution: Mapping[Var, PrimExpr]) -> Pass:
    """Return a pass that puts expressions in the places of variables.

    The shapes, strides, offsets and addresses of buffers follow; parameters of functions stay.

    Parameters
    ----------
    substitution
        What to put in the place of each variable, of its data type.

    Returns
    -------
    Pass
        The pass, of level 0. It raises TypeError for an expression of another data type, and where
        a variable is bound whose place takes no expression.
    """
    return make_pass("Substitute", dict(substitution))
