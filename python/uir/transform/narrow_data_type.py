"""Narrowing of index arithmetic."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["NarrowDataType"]


def NarrowDataType(target_bits: int = 32) -> Pass:
    """Return a pass that narrows indices to a smaller integer type if their bounds fit.

    Buffer indices, variables of loops and bindings, comparisons and casts of signed integers are
    narrowed if every intermediate result fits. A variable in an index that does not fit is not
    narrowed, and neither are parameters.

    Parameters
    ----------
    target_bits
        The width to narrow to, 16 or 32 bits.

    Returns
    -------
    Pass
        The pass, of level 0.

    Raises
    ------
    ValueError
        If `target_bits` is not 16 or 32.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> a = tir.decl_buffer([tir.const(64, "int64")], "float32", "A")
    >>> i = tir.Var("i", "int64")
    >>> store = tir.BufferStore(a, tir.const(0.0), [i * 8])
    >>> zero, eight = tir.const(0, "int64"), tir.const(8, "int64")
    >>> loop = tir.For(i, zero, eight, tir.ForKind.SERIAL, store)
    >>> param = tir.Var("a", "handle")
    >>> module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([param], loop, {param: a})})
    >>> str(transform.NarrowDataType()(module).lookup("main").body.loop_var.dtype)
    'int32'
    """
    return make_pass("NarrowDataType", target_bits)
