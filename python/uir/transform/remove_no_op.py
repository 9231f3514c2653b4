"""Removal of statements that do nothing, as a pass."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["RemoveNoOp"]


def RemoveNoOp() -> Pass:
    """Make the pass that removes statements that do nothing.

    These are expressions without an effect, loops that never run or whose body does nothing,
    choices between nothing and nothing, writes of an element to itself, and bindings of variables
    that nobody uses. Effects of what is removed, such as those of a condition, are kept.

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
