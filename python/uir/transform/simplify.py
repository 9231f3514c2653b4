"""Simplification of expressions and statements, as a pass."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["Simplify"]


def Simplify() -> Pass:
    """Make the pass that simplifies expressions, and statements whose course is known.

    It knows the ranges of loops and launches, what branches and assertions state, and variables
    that are bound to constants. Loops that run never or once, and choices whose condition is known,
    become what remains of them. Index arithmetic, in `int32` and `int64`, is taken not to overflow.

    Returns
    -------
    Pass
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> n = tir.Var("n")
    >>> func = tir.PrimFunc([n], tir.Evaluate(n + 1 - n))
    >>> module = ir.IRModule({ir.GlobalVar("main"): func})
    >>> after = transform.Simplify()(module)
    >>> int(after.lookup("main").body.value.value)
    1
    """
    return make_pass("Simplify")
