"""Removal of statements without effect."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["RemoveNoOp"]


def RemoveNoOp() -> Pass:
    """Return a pass that removes statements without effect.

    These are expressions without side effects, loops with an extent of 0 or an empty body,
    conditionals with empty branches, stores of an element to itself, and bindings of unused
    variables. Side effects of removed parts, such as those of a condition, are kept.

    Returns
    -------
    Pass
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> loop = tir.For(
    ...     tir.Var("i"), tir.const(0), tir.const(8), tir.ForKind.SERIAL, tir.Evaluate(tir.const(1))
    ... )
    >>> module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([], loop)})
    >>> len(transform.RemoveNoOp()(module).lookup("main").body.seq)
    0
    """
    return make_pass("RemoveNoOp")
