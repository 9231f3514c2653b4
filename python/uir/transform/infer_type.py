"""Inference of the types of high-level functions."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["InferType"]


def InferType() -> Pass:
    """Return a pass that infers the types of high-level functions.

    It types what has no type and what depends on a changed type, and leaves the rest alone. A
    variable whose type changes is replaced in all that follows. A function without a type of its
    result gets one. Equalities of dimensions that are neither proved nor refuted become the
    attribute `shape_assumptions`.

    Returns
    -------
    Pass
        The pass, of level 0. It raises TypeError or ValueError with the operator, the
        operand and the dimension if types do not fit.
    """
    return make_pass("InferType")
