"""Loops in parts, of which one needs no checks, as a pass."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["LoopPartition"]


def LoopPartition() -> Pass:
    """Make the pass that runs iterations in which likely conditions hold without checking them.

    A loop whose body has conditions noted by `tir.likely`, linear in the loop's variable, becomes
    up to three: one before, one after, and one between them in which the conditions hold and are
    left out. Then the notes go. Loops of constant bounds are partitioned only where the option
    `LoopPartition.partition_const_loop` says so, or the loop's annotation
    `pragma_loop_partition_hint`.

    Returns
    -------
    Pass
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> n, i = tir.SizeVar("n"), tir.Var("i")
    >>> inside = tir.call_intrin("bool", "tir.likely", [i * 4 + 3 < n])
    >>> body = tir.IfThenElse(inside, tir.Evaluate(tir.call_intrin("int32", "tir.ret", [i])))
    >>> loop = tir.For(i, tir.const(0), tir.floordiv(n + 3, 4), tir.ForKind.SERIAL, body)
    >>> module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([n], loop)})
    >>> len(transform.LoopPartition()(module).lookup("main").body.seq)
    2
    """
    return make_pass("LoopPartition")
