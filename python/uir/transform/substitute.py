"""Substitution of variables."""

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
    """Return a pass that replaces variables by expressions.

    It also rewrites the shapes, strides, offsets and data pointers of buffers, but not the
    parameters of functions.

    Parameters
    ----------
    substitution
        The replacement of each variable, of its data type.

    Returns
    -------
    Pass
        The pass, of level 0. It raises TypeError if a replacement has another data type, or if a
        replaced variable is bound.
    """
    return make_pass("Substitute", dict(substitution))
