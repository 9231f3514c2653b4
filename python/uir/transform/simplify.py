"""Simplification of expressions and statements."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["Simplify"]


def Simplify() -> Pass:
    """Return a pass that simplifies expressions, and statements with constant conditions.

    It uses the ranges of loops and launches, the conditions of branches and assertions, and
    bindings to constants. It removes loops that run at most once, and conditionals whose condition
    is constant. Sums of `int32` and `int64` indices are taken to fit their type; those of data wrap
    around, and floating-point numbers keep every bit (docs/semantics.md).

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
