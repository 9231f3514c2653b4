"""Index arithmetic in narrower types, as a pass."""

from __future__ import annotations

from uir_nodes.transform import Pass

from .registry import make_pass

__all__ = ["NarrowDataType"]


def NarrowDataType(target_bits: int = 32) -> Pass:
    """Make the pass that computes indices in a narrower type where bounds prove that it is enough.

    Indices of buffers, variables of loops and of bindings, comparisons and conversions of signed
    integers are narrowed if every step of their computation fits. A variable that takes part in an
    index that does not fit stays as it is; parameters do so always.

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
        If `target_bits` is another number.

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
