"""Partitioning of loops into parts with and without checks."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["LoopPartition"]


def LoopPartition() -> Pass:
    """Return a pass that splits loops so that the middle part needs no `tir.likely` checks.

    A loop with `tir.likely` conditions that are linear in its variable becomes up to three loops:
    in the middle one the conditions hold and are removed. All `tir.likely` marks are removed
    afterwards. A loop with constant bounds is partitioned only with the option
    `LoopPartition.partition_const_loop` or the annotation `pragma_loop_partition_hint`.

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
