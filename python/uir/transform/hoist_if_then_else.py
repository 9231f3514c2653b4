"""Hoisting of loop-invariant conditionals."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["HoistIfThenElse"]


def HoistIfThenElse() -> Pass:
    """Return a pass that hoists loop-invariant conditionals out of loops.

    A conditional is hoisted if it is the whole body of a loop, its condition neither uses the loop
    variable nor reads memory, and the loop is not bound to threads. It moves out of as many loops
    as possible. Each branch gets a copy of the loop.

    Returns
    -------
    Pass
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> n = tir.Var("n")
    >>> body = tir.IfThenElse(n > 3, tir.Evaluate(tir.call_intrin("int32", "tir.ret", [n])))
    >>> loop = tir.For(tir.Var("i"), tir.const(0), tir.const(8), tir.ForKind.SERIAL, body)
    >>> module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([n], loop)})
    >>> type(transform.HoistIfThenElse()(module).lookup("main").body).__name__
    'IfThenElse'
    """
    return make_pass("HoistIfThenElse")
