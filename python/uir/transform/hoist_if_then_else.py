"""Choices moved out of loops, as a pass."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["HoistIfThenElse"]


def HoistIfThenElse() -> Pass:
    """Make the pass that moves choices out of loops in which they are always the same.

    A choice is moved where it is the whole body of a loop, its condition neither names the loop's
    variable nor reads memory, and the loop is no launch of threads. It is moved as far out as that
    holds. Each branch gets a loop of its own.

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
